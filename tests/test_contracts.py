"""The import contracts: each one fails when somebody breaks it, and ARCHITECTURE.md shows what they say."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_docs import script

ROOT = Path(__file__).parents[1]
CONTRACTS = {
    contract["id"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
}
# For each contract a line that breaks it, and the module that gets it.
BREAKS = {
    "layers": ("errors", "import inlay.model.file"),
    "stages": ("engine/formats/scan", "import inlay.engine.staging.weave"),
    "readers": ("engine/formats/readers/whole_file", "import inlay.engine.formats.readers.json_edits"),
    "rules": ("engine/matching/rules/exact", "import inlay.engine.matching.rules.near"),
    "checks": ("engine/checks/rules/bidi", "import inlay.engine.checks.rules.syntax"),
    "message-rules": ("commits/messages/rules/mood", "import inlay.commits.messages.rules.words"),
    "providers": ("llm/providers/local", "import inlay.llm.providers.openai"),
    "tools": ("tools/calls/undo", "import inlay.tools.calls.history"),
    "steps": ("implement/workflow/steps/red", "import inlay.implement.workflow.steps.green"),
    "commands": ("cli/commands/undo", "import inlay.cli.commands.redo"),
    "subcommands": ("cli/commands/spec/init", "import inlay.cli.commands.spec.show"),
    "disk": ("prompts/template", "import os"),
    "programs": ("prompts/template", "import subprocess"),
    "models": ("mcp_server/server", "import httpx"),
    "listens": ("llm/call", "import socket"),
    "synchronous": ("storage/workspace", "import asyncio"),
    "workflow": ("nodes/safe_write", "import langgraph"),
    "grammars": ("engine/checks/rules/syntax", "import tree_sitter"),
    "terminal": ("tools/toolbox", "import click"),
}


def broken(source: Path) -> str:
    """What import-linter says about a tree, by our own contracts."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--config", ROOT / "pyproject.toml"]
    done = subprocess.run(command, cwd=source, env={"PYTHONPATH": str(source)}, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout


def test_every_contract_can_be_broken() -> None:
    assert set(BREAKS) == set(CONTRACTS)


def test_every_contract_notices_an_import_outside_of_its_owner(tmp_path: Path) -> None:
    """All breaks at once, in a copy: as many broken contracts as there are contracts."""
    shutil.copytree(ROOT / "src", tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    assert broken(tmp_path) == ""
    for module, line in BREAKS.values():
        path = tmp_path / f"inlay/{module}.py"
        path.write_text(f"{path.read_text('utf-8')}\n{line}\n", encoding="utf-8")
    report = broken(tmp_path)
    lines = " ".join(report.split())
    missed = [id_ for id_, contract in CONTRACTS.items() if f"{contract['name']} BROKEN" not in lines]
    assert missed == []


@pytest.mark.parametrize("module", ["subprocess", "socket", "click", "langgraph", "httpx", "asyncio"])
def test_no_owner_is_a_wildcard_for_everything(module: str) -> None:
    """A module that no one has thought of is covered: nothing but owners is excepted."""
    for contract in CONTRACTS.values():
        if module in contract.get("forbidden_modules", ()):
            assert contract["source_modules"] == ["inlay"]
            owners = {line.partition(" -> ")[0] for line in contract["ignore_imports"]}
            assert not {"*", "**", "inlay.*", "inlay.**"} & owners
            return
    raise AssertionError(f"no contract names the owner of {module}")


def test_the_table_in_architecture_is_what_the_contracts_say() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    assert script("docs/packages.py").written(page) == page, "run `make docs`"
