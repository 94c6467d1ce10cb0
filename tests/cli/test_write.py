"""`inlay write` as a person and as a program meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from .conftest import Run

LONG = "".join(f"value_{n} = {n}\n" for n in range(150))


def test_content_comes_as_an_argument_or_through_a_pipe(run: Run, project: Path) -> None:
    done = run("write", "a.txt", "hello\n")
    assert (done.code, (project / "a.txt").read_text()) == (0, "hello\n")
    assert "+hello" in done.out
    assert done.out.endswith("Done: 1 file changed. This is change 1.\n")
    assert run("write", "a.txt", stdin="from a pipe\n").code == 0
    assert (project / "a.txt").read_text() == "from a pipe\n"


def test_the_name_of_a_file_is_not_its_content(run: Run, project: Path) -> None:
    done = run("write", "a.txt", "notes.txt")
    assert (done.code, "- < notes.txt" in done.err) == (2, True)
    assert not (project / "a.txt").exists()


def test_a_rehearsal_writes_nothing(run: Run, project: Path) -> None:
    assert run("write", "-n", "notes.txt", "x\n").code == 0
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    (project / "long.py").write_text(LONG)
    assert run("write", "-n", "long.py", "x = 1\n").code == 4
    assert run("write", "-n", "--force", "long.py", "x = 1\n").code == 0
    assert (project / "long.py").read_text() == LONG
    assert sorted(path.name for path in project.iterdir()) == ["long.py", "notes.txt", "src"]


def test_json_for_a_program(run: Run, project: Path) -> None:
    told = json.loads(run("write", "--json", "--strategy", "append", "notes.txt", "three\n").out)
    assert (told["status"], told["format"], told["skipped"], told["needs"]) == ("applied", "content", [], [])
    (file,) = told["files"]
    assert (file["path"], file["action"], file["edits"][0]["rule"]) == ("notes.txt", "updated", "append")
    assert json.loads(run("write", "--json", "notes.txt", "one\ntwo\nthree\n").out)["status"] == "unchanged"


def test_quiet_is_quiet(run: Run) -> None:
    done = run("write", "-q", "notes.txt", "x\n")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_the_files_own_style_is_kept(run: Run, project: Path) -> None:
    (project / "notes.txt").write_bytes("\ufeffeins\r\nzwei".encode("utf-16"))
    (project / "dos.txt").write_bytes(b"one\r\ntwo")
    assert run("write", "dos.txt", "1\n2\n").code == 0
    assert (project / "dos.txt").read_bytes() == b"1\r\n2"
    assert run("write", "--strategy", "append", "dos.txt", "3\n").code == 0
    assert (project / "dos.txt").read_bytes() == b"1\r\n2\r\n3"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["src/app.py", "def f(:\n"], 3, "[syntax]"),
        (["src/app.py", "# ... rest of the code unchanged ...\n"], 3, "[elided]"),
        (["src/app.py", "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n"], 3, "conflict"),
        (["src", "x"], 3, "src is a directory"),
        ([".git/config", "x"], 3, "[path-protected]"),
        ([".env", "KEY=1"], 3, "[path-protected]"),
        (["no\u200btes.txt", "x"], 3, "U+200B"),
        (["--strategy", "insert", "notes.txt", "x"], 3, "needs a line number"),
        (["--strategy", "insert", "--line", "9", "notes.txt", "x"], 3, "no line 9"),
        (["--strategy", "insert", "--line", "0", "notes.txt", "x"], 3, "no line 0"),
        (["--strategy", "extend", "notes.txt", "x"], 3, "Choose append, insert or replace"),
        (["--line", "9", "notes.txt", "x"], 2, "--line requires"),
        (["--strategy", "nonsense", "notes.txt", "x"], 2, "nonsense"),
        (["--threshold", "-1", "notes.txt", "x"], 2, "threshold"),
        (["--decisions", "nowhere.json", "notes.txt", "x"], 2, "nowhere.json"),
        ([], 2, "Missing argument"),
        (["-C", "nowhere", "a", "x"], 5, "there is no directory"),
    ],
)
def test_what_cannot_be_is_explained(run: Run, project: Path, arguments: list[str], code: int, says: str) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    done = run("write", *arguments)
    assert done.code == code, done
    assert says in done.err
    assert "Traceback" not in done.err
    after = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and ".inlay" not in path.parts}
    assert after == before


def test_content_that_is_not_text_is_refused(run: Run) -> None:
    done = run("write", "a.bin", "-", stdin=b"\x00\x01")
    assert (done.code, "the content is not text" in done.err) == (3, True)


def test_guarded_paths_need_a_decision_even_when_new(run: Run, project: Path) -> None:
    done = run("write", ".github/workflows/ci.yml", "on: push\n")
    assert done.code == 4
    assert "[protected]" in done.err
    assert run("write", "--yes", ".github/workflows/ci.yml", "on: push\n").code == 4
    assert run("write", "--force", ".github/workflows/ci.yml", "on: push\n").code == 0
    assert (project / ".github/workflows/ci.yml").exists()


def test_yes_is_for_what_is_small_and_never_force(run: Run, project: Path) -> None:
    (project / "long.py").write_text(LONG)
    delete = "*** Begin Patch\n*** Delete File: {}\n*** End Patch\n"
    assert run("write", "--yes", "long.py", "x = 1\n").code == 4
    assert run("apply", "--yes", stdin=delete.format("long.py")).code == 4
    assert run("write", "--yes", "notes.txt", "safe = '\u202e'\n").code == 4
    assert run("apply", stdin=delete.format("notes.txt")).code == 4
    assert run("apply", "--yes", stdin=delete.format("notes.txt")).code == 0
    assert (project / "long.py").read_text() == LONG
    assert not (project / "notes.txt").exists()


def test_the_threshold_can_be_set(run: Run, project: Path) -> None:
    (project / "long.py").write_text(LONG)
    assert run("write", "--threshold", "1", "notes.txt", "x\n").code == 4
    assert run("write", "--threshold", "150", "long.py", LONG.replace("value", "other")).code == 0


def test_decisions_come_from_a_file(run: Run, project: Path) -> None:
    (project / "long.py").write_text(LONG)
    question = json.loads(run("write", "--json", "long.py", "x = 1\n").out)
    decisions = {"digest": question["digest"], "decisions": [{"path": "long.py", "strategy": "append"}]}
    (project / "d.json").write_text(json.dumps({**decisions, "digest": "0" * 64}))
    done = run("write", "--decisions", "d.json", "long.py", "x = 1\n")
    assert (done.code, "other changes than these" in done.err) == (4, True)
    (project / "d.json").write_text(json.dumps(decisions))
    assert run("write", "--decisions", "d.json", "long.py", "x = 1\n").code == 0
    assert (project / "long.py").read_text() == LONG + "x = 1\n"


@pytest.mark.parametrize(
    ("decisions", "says"),
    [
        ("nonsense", "not JSON"),
        ("[]", "Expected `object`"),
        ('{"decisions": [], "more": 1}', "unknown field `more`"),
        ('{"decisions": [], "digest": 1}', "digest"),
        ('{"decisions": [1]}', "Expected `object`"),
        ('{"decisions": [{"path": "a", "stratagem": "append"}]}', "unknown field `stratagem`"),
        ('{"decisions": [{"path": "a", "strategy": "nonsense"}]}', "Invalid enum value 'nonsense'"),
        ('{"decisions": [{"path": "a", "verdict": "maybe"}]}', "Invalid enum value 'maybe'"),
        ('{"decisions": [{"path": "a", "line": "1"}]}', "Expected `int | null`, got `str`"),
        ('{"decisions": [{"path": "a", "line": true}]}', "Expected `int | null`, got `bool`"),
        ('{"decisions": [{"path": "../a"}]}', "leads out of the project"),
        ('{"decisions": [{"path": "a"}, {"path": "a"}]}', "two decisions on one file"),
    ],
)
def test_decisions_that_cannot_be_read_are_wrong_usage(run: Run, project: Path, decisions: str, says: str) -> None:
    (project / "d.json").write_text(decisions)
    done = run("write", "--decisions", "d.json", "notes.txt", "x\n")
    assert (done.code, says in done.err) == (2, True), done.err
    assert (project / "notes.txt").read_text() == "one\ntwo\n"


def test_a_decision_on_a_file_that_is_not_there_stops_everything(run: Run, project: Path) -> None:
    (project / "long.py").write_text(LONG)
    (project / "d.json").write_text('{"decisions": [{"path": "lnog.py"}, {"path": "*"}]}')
    done = run("write", "--decisions", "d.json", "long.py", "x = 1\n")
    assert (done.code, "lnog.py" in done.err) == (4, True)
    assert (project / "long.py").read_text() == LONG


# What a new user tries.


@pytest.mark.parametrize("name", ["with blank.txt", "it's.txt", 'say "hi".txt', "🦊.txt", "-dash.txt", "ünï.txt"])
def test_odd_names(run: Run, project: Path, name: str) -> None:
    assert run("write", "--", name, "x\n").code == 0
    assert (project / name).read_text() == "x\n"


def test_a_newline_in_a_name_is_refused_and_shown_harmlessly(run: Run, project: Path) -> None:
    done = run("write", "two\nlines.txt", "x\n")
    assert done.code == 3
    assert "two\nlines" not in done.err


def test_a_root_behind_a_link(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project)
    assert run("write", "-C", str(tmp_path / "link"), "a.txt", "x\n").code == 0
    assert (project / "a.txt").read_text() == "x\n"
    assert run("write", "-C", str(tmp_path / "link"), str(tmp_path / "link/b.txt"), "x\n").code == 0
    assert (project / "b.txt").read_text() == "x\n"


def test_a_directory_that_may_only_be_read(
    run: Run, project: Path, powerless: Callable[[Path], AbstractContextManager[None]]
) -> None:
    run("write", "notes.txt", "x\n", "--dry-run")  # whatever is imported late is imported now
    project.chmod(0o555)
    with powerless(project):
        done = run("write", "notes.txt", "x\n")
    project.chmod(0o755)
    assert (done.code, "ermission denied" in done.err) == (5, True), done.err
    assert (project / "notes.txt").read_text() == "one\ntwo\n"


def test_content_that_ends_with_a_tool_tag_needs_to_be_allowed(run: Run, project: Path) -> None:
    content = "first\n</parameter>\n</invoke>\n"
    assert run("write", "new.txt", "-", stdin=content).code == 3
    assert not (project / "new.txt").exists()
    assert run("write", "--allow", "tool-tags", "new.txt", "-", stdin=content).code == 0
    assert (project / "new.txt").read_text() == content
