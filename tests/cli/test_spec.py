"""The commands about design documents, as a person and a program see them."""

import json
from pathlib import Path

from inlay.cli.main import cli

from .conftest import Run

DESIGN = """\
# Answers

## 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
| `src/app.py` | Modify | f returns 2 |
| `src/ap.py` | Delete | never was |

## 3. Requirements

1. f returns 2

## 10. Testing

| ID | Test | Scenario | Requirement |
|----|------|----------|-------------|
| T010 | test_f | call it | 1 |
"""


def test_a_blocked_document_is_told_in_whole(project: Path, run: Run) -> None:
    (project / "design.md").write_text(DESIGN)
    told = run("spec", "check", "design.md")
    assert told.code == 1
    assert "design.md: blocked with 2 errors and 2 warnings" in told.out
    assert "    8  error    `src/ap.py` is to be deleted, but there is no such file [missing-file]" in told.out
    assert "→ Did you mean `src/app.py`?" in told.out
    assert "    –  warning  no section gives the signatures [no-signatures]" in told.out
    quiet = run("spec", "check", "-q", "design.md").out
    assert "warning" not in quiet
    assert "[missing-file]" in quiet


def test_a_sound_document_passes(project: Path, run: Run) -> None:
    (project / "tests").mkdir()
    fixed = DESIGN.replace("| `src/ap.py` | Delete | never was |", "| `tests/test_app.py` | Add | tests |")
    told = run("spec", "check", "-", stdin=fixed)
    assert (told.code, told.out.splitlines()[0]) == (0, "(standard input): passes with 1 warning")


def test_findings_as_json(project: Path, run: Run) -> None:
    (project / "design.md").write_text(DESIGN)
    told = run("spec", "check", "--json", "design.md")
    said = json.loads(told.out)
    assert (told.code, said["blocked"]) == (1, 1)
    (document,) = said["documents"]
    assert (document["path"], document["title"], document["status"]) == ("design.md", "Answers", "blocked")
    missing = next(each for each in document["findings"] if each["rule"] == "missing-file")
    assert missing == {
        "rule": "missing-file",
        "severity": "error",
        "message": "`src/ap.py` is to be deleted, but there is no such file",
        "line": 8,
        "advice": "Did you mean `src/app.py`?",
    }


def test_findings_as_sarif_of_a_folder(project: Path, run: Run) -> None:
    (project / "designs").mkdir()
    (project / "designs/one.md").write_text(DESIGN)
    (project / "designs/two.md").write_text(DESIGN)
    told = run("spec", "check", "designs", "--format", "sarif")
    results = json.loads(told.out)["runs"][0]["results"]
    places = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
    assert (told.code, places) == (1, {"designs/one.md", "designs/two.md"})


def test_titles_come_from_the_configuration(project: Path, run: Run) -> None:
    (project / "design.md").write_text(DESIGN.replace("2.1 Files Changed", "Geänderte Dateien"))
    assert "[no-files]" in run("spec", "check", "design.md").out
    (project / ".inlay.toml").write_text('[implement.headings]\nfiles = "Geänderte Dateien"\n')
    told = run("spec", "check", "design.md").out
    assert "[no-files]" not in told
    assert "[missing-file]" in told


def test_what_was_understood(project: Path, run: Run) -> None:
    (project / "design.md").write_text(DESIGN)
    told = run("spec", "show", "design.md")
    assert told.code == 0
    for line in (
        "design.md: Answers",
        "  ~ src/app.py  f returns 2",
        "  - src/ap.py  never was",
        "  1  f returns 2 ← T010",
        "  T010  test_f",
        "  tests/test_app.py",
    ):
        assert line in told.out.splitlines(), line
    (document,) = json.loads(run("spec", "show", "design.md", "--json").out)["documents"]
    assert [file["path"] for file in document["files"]] == ["src/app.py", "src/ap.py"]
    assert document["traced"] == [{"id": "1", "tests": ["T010"], "said": True}]
    assert document["sections"][0] == {"role": "files", "title": "Files Changed", "line": 3}


def test_an_empty_document_is_written_once_and_stopped_at(project: Path, run: Run) -> None:
    told = run("spec", "init", "retry-uploads.md")
    assert told.code == 0
    assert "inlay spec check retry-uploads.md" in told.err
    text = (project / "retry-uploads.md").read_text()
    assert text.startswith("# Retry uploads\n")
    checked = run("spec", "check", "retry-uploads.md")
    assert checked.code == 1
    assert checked.out.count("[placeholder]") >= 4
    (project / "retry-uploads.md").write_text("mine")
    again = run("spec", "init", "retry-uploads.md")
    assert (again.code, (project / "retry-uploads.md").read_text()) == (2, "mine")
    assert run("spec", "init", "-", "--title", "T").out.startswith("# T\n")
    assert run("spec", "init", "no/such/folder.md").code == 2


def test_what_cannot_be_read_is_wrong_usage(project: Path, run: Run) -> None:
    (project / "empty").mkdir()
    assert run("spec", "check", "nothing.md").code == 2
    assert run("spec", "check", "empty").code == 2
    assert run("spec", "check").code == 2


def test_every_command_has_help_with_examples(run: Run) -> None:
    assert "spec" in cli.list_commands(None)  # type: ignore[attr-defined, arg-type]
    for name in ("check", "init", "show"):
        assert "Examples:" in run("spec", name, "--help").out
