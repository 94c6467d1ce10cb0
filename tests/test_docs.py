"""The documents say what the program does."""

import ast
import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import get_args

from inlay import FORMATS
from inlay.cli.main import cli
from inlay.codes import CODES, EXIT_CODES, Code
from inlay.errors import InlayError

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return generate


def test_the_description_of_the_command_line_is_what_help_says() -> None:
    assert (ROOT / "docs/cli.md").read_text(encoding="utf-8") == generator().command_line(), "run `make docs`"


def test_every_setting_is_documented_as_it_is() -> None:
    documented = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert documented == generator().configuration(), "run `make docs`"


def test_links_between_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
            assert "://" in target or (document.parent / target).exists(), f"{document.name}: {target}"


def rows(document: str, heading: str) -> dict[str, str]:
    """The first table below a heading or sentence of a document, first column to second."""
    text = (ROOT / document).read_text(encoding="utf-8").partition(heading)[2]
    table = text.partition("|---|---|\n")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| `?([^`|]+)`? \| (.*) \|$", table, re.MULTILINE))


def test_the_codes_are_documented_as_they_are() -> None:
    assert rows("docs/json.md", "\n## Codes\n") == CODES


def test_every_code_that_may_be_made_has_a_meaning() -> None:
    assert set(get_args(Code)) == set(CODES)


def test_no_code_is_left_that_nothing_makes() -> None:
    modules = [path for path in (ROOT / "src/inlay").rglob("*.py") if path.name != "codes.py"]
    nodes = (node for path in modules for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert set(CODES) - strings == set()


def test_the_exit_codes_are_documented_as_they_are() -> None:
    documented = rows("README.md", "Exit codes:")
    assert documented == {str(code): meaning for code, meaning in EXIT_CODES.items()}
    shown = re.findall(r"(?:^|  )(\d+) (\S+(?: \S+)*)", (cli.help or "").partition("Exit codes:")[2], re.MULTILINE)
    assert dict(shown) == documented


def test_every_error_ends_with_a_documented_exit_code() -> None:
    failures = [InlayError]
    for failure in failures:
        failures += failure.__subclasses__()
    assert {failure.exit_code for failure in failures} <= set(EXIT_CODES)
    assert {failure.code for failure in failures} <= set(CODES)


def test_every_format_has_a_sample() -> None:
    samples = {path.stem[3:].replace("-", "_") for path in (ROOT / "examples/replies").glob("0*")}
    assert set(FORMATS) <= samples
