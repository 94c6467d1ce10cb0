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


def script(path: str) -> ModuleType:
    """A script of the project as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generator() -> ModuleType:
    return script("docs/generate.py")


def test_the_description_of_the_command_line_is_what_help_says() -> None:
    assert (ROOT / "docs/cli.md").read_text(encoding="utf-8") == generator().command_line(), "run `make docs`"


def test_every_setting_is_documented_as_it_is() -> None:
    documented = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert documented == generator().configuration(), "run `make docs`"


def anchors(document: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall("^#+ (.+)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def prose(document: Path) -> str:
    """A document without its code blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def test_links_between_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for link in re.findall(r"\]\(([^)]+)\)", prose(document)):
            target, _, anchor = link.partition("#")
            if "://" in target:
                continue
            file = document.parent / target if target else document
            assert file.exists(), f"{document.name}: {link}"
            assert not anchor or anchor in anchors(file), f"{document.name}: {link}"


def test_paths_in_the_pages_for_contributors_exist() -> None:
    for document in [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/adding-*.md")]:
        for path in re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", prose(document)):
            homes = (ROOT, ROOT / "src/inlay", ROOT / "src/inlay/engine")
            assert any((home / path).exists() for home in homes), f"{document.name}: {path}"


def test_the_index_lists_every_document() -> None:
    listed = re.findall(r"\]\(([^)#]+)", (ROOT / "docs/README.md").read_text(encoding="utf-8"))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"} <= set(listed)


def test_the_glossary_names_classes_that_exist() -> None:
    text = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in text.splitlines() if re.match(r"\| (?!term)\w", line)]
    terms = [row[0].strip() for row in rows]
    assert len(terms) == len(set(terms)) >= 30
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/inlay").rglob("*.py"))
    named = {name for row in rows for name in re.findall("`(.+?)`", row[2])}
    assert named - set(re.findall(r"^class (\w+)", sources, re.MULTILINE)) == set()


#: Words of a private dialect that plain technical English never needs.
DIALECT = re.compile(
    r"\b(?:anew|asunder|bug of ours|desk|its kin|mend(?:s|ed|ing)?|owed|shall|told(?! apart)|whoever)\b", re.I
)
GENERATED = {"cli.md", "configuration.md"}  # their English is that of the program


def test_documents_are_written_in_plain_english() -> None:
    for document in DOCUMENTS:
        text = re.sub("`[^`]+`", "", prose(document))  # names and quoted output are as they are
        assert document.name in GENERATED or DIALECT.findall(text) == [], document.name


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
    shown = re.findall(r"(\d+) ([^;\n]+)", (cli.epilog or "").partition("Exit codes:")[2])
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
