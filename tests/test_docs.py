"""The documents say what the program does."""

import ast
import importlib.util
import re
from pathlib import Path
from types import ModuleType

from inlay import FORMATS

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


def test_every_decision_is_complete_and_listed() -> None:
    folder = ROOT / "docs/decisions"
    pages = sorted(folder.glob("[0-9]*.md"))
    assert [int(page.name[:4]) for page in pages] == [*range(1, len(pages) + 1)], "decisions are numbered without gaps"
    rows = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        number, title = re.findall(r"\A# (\d+)\. (.+)\n", text)[0]
        rows.append(f"| {int(page.name[:4])} | [{title}]({page.name}) |")
        assert int(number) == int(page.name[:4]), page.name
        assert re.findall("^## (.+)$", text, re.MULTILINE) == ["Decision", "Why", "Costs", "Reconsider if"], page.name
    listed = [
        line for line in (folder / "README.md").read_text(encoding="utf-8").splitlines() if re.match(r"\| \d", line)
    ]
    assert listed == rows


def codes_in(module: Path) -> set[str]:
    """The codes of misfits and findings that a module makes."""
    found = set()
    for call in (node for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.Call)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        first = call.args[:1] if name in ("Misfit", "_misfit", "Finding") else []
        named = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
        found |= {n.value for n in (*first, *named) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return found


def test_every_code_is_documented() -> None:
    documented = (ROOT / "docs/json.md").read_text(encoding="utf-8")
    codes = set().union(*map(codes_in, (ROOT / "src/inlay").rglob("*.py")))
    assert "not-found" in codes
    assert {code for code in codes if f"`{code}`" not in documented} == set()


def test_every_exit_code_and_format_is_documented() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for code in (0, 3, 4, 5, 70):
        assert re.search(rf"\b{code}\b", readme)
    samples = {path.stem[3:].replace("-", "_") for path in (ROOT / "examples/replies").glob("0*")}
    assert set(FORMATS) <= samples
