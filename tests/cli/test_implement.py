"""`inlay implement`, `inlay resume` and `inlay runs`, with recordings for a model."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import greeting
from greeting import RIGHT, TESTS, whole
from inlay.implement.run import schedule
from inlay.implement.workflow.run_context import Job
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder

from .conftest import Session

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def quick_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("INLAY_IMPLEMENT_TEST_COMMAND", greeting.COMMAND)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "greeting"
    place.mkdir()
    return greeting.build(place, tests=True)


def recorded(folder: Path, *more: dict[str, Any], **replies: str) -> str:
    """A recording that has every file right, but for what is said otherwise."""
    right = [{"label": f"implement:code:{path}", "text": whole(path, text)} for path, text in RIGHT.items()]
    right += [{"label": f"implement:test:{TESTS}", "text": whole(TESTS, RIGHT[TESTS])}]
    lines = [{"model": "anthropic:claude-test"}, *more, *right]
    path = folder / "recording.jsonl"
    path.write_text(
        "".join(
            json.dumps({**line, "usage": {"input": 10, "output": 5}} if "label" in line else line) + "\n"
            for line in lines
        )
    )
    return f"recorded:{path}"


def lengthened(root: Path, folder: Path) -> str:
    """A recording for a project in which a person must decide."""
    padding = "".join(f"# a line of its own, number {n}\n" for n in range(120))
    (root / "greet/hello.py").write_text(padding + greeting.OLD)
    text = whole("greet/hello.py", padding.replace("number", "no.") + RIGHT["greet/hello.py"])
    return recorded(folder, {"label": "implement:code:greet/hello.py", "text": text})


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    return subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def test_steps_and_files_are_told_in_plain_lines(run: Run, root: Path, tmp_path: Path) -> None:
    done = run("implement", str(root / "design.md"), "-C", str(root), "--model", recorded(tmp_path))
    assert done.code == 0
    told = [line[2:].split()[0] for line in done.err.splitlines() if line[0] in "▸✔✘"]
    assert list(dict.fromkeys(told)) == ["load", "gate", "tests", "red", "write", "green", "report"]
    assert "write    greet/names.py: created" in done.err
    assert "tokens so far" in done.err or "tokens, $" in done.err
    assert "green  design.md (run 1)" in done.out
    assert "✔ 1 Names are tidied (test_tidy passed)" in done.out


def test_for_programs(run: Run, root: Path, tmp_path: Path) -> None:
    done = run("implement", str(root / "design.md"), "-C", str(root), "--model", recorded(tmp_path), "--json")
    told = json.loads(done.out)
    assert (done.code, done.err, told["status"]) == (0, "", "green")
    (only,) = told["runs"]
    assert (only["run"], only["outcome"], only["document"]) == ("1", "green", "design.md")
    assert all(each["holds"] for each in only["requirements"])
    shown = run("runs", "show", "1", "-C", str(root), "--json")
    assert json.loads(shown.out)["files"] == only["files"]
    assert "| ✔ | 1 Names are tidied" in run("runs", "show", "1", "-C", str(root)).out


def test_a_second_process_answers_what_the_first_one_asked(run: Run, root: Path, tmp_path: Path) -> None:
    model = lengthened(root, tmp_path)
    done = run("implement", str(root / "design.md"), "-C", str(root), "--model", model)
    assert done.code == 4
    assert "About to replace 122 lines with 126 lines (+4)" in done.out
    listed = json.loads(run("runs", "-C", str(root), "--json").out)
    assert [(each["run"], each["status"], each["waiting_for"]) for each in listed] == [
        ("1", "waiting", ["greet/hello.py"])
    ]
    assert "waiting" in run("runs", "-C", str(root)).out
    assert "greet/hello.py" in run("runs", "show", "1", "-C", str(root)).out
    # Nothing to say yet: it waits on.
    assert run("resume", "-C", str(root)).code == 4
    assert run("resume", "1", "-C", str(root), "--approve").code == 0
    assert (root / "greet/hello.py").read_text().endswith(RIGHT["greet/hello.py"])
    assert run("resume", "-C", str(root)).code == 2  # there is none left that could go on


def test_decisions_from_a_file_and_a_denial(run: Run, root: Path, tmp_path: Path) -> None:
    model = lengthened(root, tmp_path)
    for number in (1, 2):
        assert run("implement", str(root / "design.md"), "-C", str(root), "--model", model, "--auto").code == 4
        for path in ("greet/names.py", "greet/words.py"):
            (root / path).unlink()
        assert json.loads(run("runs", "-C", str(root), "--json").out)[0]["run"] == str(number)
    for path in ("greet/names.py", "greet/words.py"):
        (root / path).write_text(RIGHT[path])
    denied = run("resume", "2", "-C", str(root), "--deny", "--json")
    assert (denied.code, json.loads(denied.out)["status"]) == (4, "stopped")
    answers = tmp_path / "answers.json"
    answers.write_text('{"decisions": [{"path": "greet/hello.py"}]}')
    assert run("resume", "1", "-C", str(root), "--decisions", str(answers), "--json").code == 0
    answers.write_text('{"decisions": [{"pth": "greet/hello.py"}]}')
    assert run("resume", "1", "-C", str(root), "--decisions", str(answers)).code == 2
    assert run("resume", "1", "-C", str(root), "--approve", "--deny").code == 2


def test_consent_given_beforehand(run: Run, root: Path, tmp_path: Path) -> None:
    model = lengthened(root, tmp_path)
    assert run("implement", str(root / "design.md"), "-C", str(root), "--model", model, "--force", "-q").code == 0


def test_a_failure_of_the_surroundings_leaves_a_run_that_goes_on(run: Run, root: Path, tmp_path: Path) -> None:
    down = {"label": "implement:code:greet/hello.py", "error": {"kind": "permanent", "message": "no such key"}}
    model = recorded(tmp_path, down)
    done = run("implement", str(root / "design.md"), "-C", str(root), "--model", model)
    assert done.code == 5
    assert "no such key" in done.out
    assert "inlay resume 1" in done.out
    recorded(tmp_path)  # it works again
    assert run("resume", "-C", str(root)).code == 0
    assert sorted(greeting.written(root)) == ["greet/hello.py", "greet/names.py", "greet/words.py"]


def test_a_limit_on_money_ends_it_and_a_higher_one_lets_it_go_on(run: Run, root: Path, tmp_path: Path) -> None:
    model = recorded(tmp_path)
    text = Path(model.removeprefix("recorded:")).read_text()
    Path(model.removeprefix("recorded:")).write_text(text.replace('"usage"', '"cost": 0.5, "usage"'))
    done = run("implement", str(root / "design.md"), "-C", str(root), "--model", model, "--max-cost", "0.9", "--json")
    assert done.code == 5
    assert "limit of $0.9" in json.loads(done.out)["runs"][0]["reason"]
    again = run("resume", "-C", str(root), "--max-cost", "0.95", "--json")
    assert again.code == 5  # what was spent before counts
    assert run("resume", "-C", str(root), "--max-cost", "5").code == 0


def test_in_a_worktree_that_is_merged_only_when_green(run: Run, root: Path, tmp_path: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "all")
    (root / "greet/hello.py").write_text(greeting.OLD + "# not committed yet\n")
    (root / "untracked.txt").write_text("mine")
    wrong = {
        "label": "implement:code:greet/words.py",
        "text": whole("greet/words.py", "def word(hour):\n    return 1\n"),
    }
    before = greeting.tree(root)
    arguments = ("implement", str(root / "design.md"), "-C", str(root), "--worktree")
    bad = run(*arguments, "--model", recorded(tmp_path, wrong), "--max-iterations", "0")
    assert bad.code == 1
    assert greeting.tree(root) == before
    tree = Path(runs.find(str(root), "1").tree)
    assert (tree / "greet/words.py").exists()
    assert (tree / "untracked.txt").read_text() == "mine"
    assert run(*arguments, "--model", recorded(tmp_path)).code == 0
    assert {path: text for path, text in greeting.tree(root).items() if path in RIGHT} == dict(RIGHT)
    assert not Path(runs.find(str(root), "2").tree).exists()
    assert sorted(greeting.written(root)) == ["greet/hello.py", "greet/names.py", "greet/words.py"]
    assert run("undo", "-C", str(root)).code == 0
    assert greeting.tree(root) == before


def test_what_changed_meanwhile_is_not_overwritten_by_a_merge(run: Run, root: Path, tmp_path: Path) -> None:
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "all")
    model = lengthened(root, tmp_path)
    arguments = ("-C", str(root), "--worktree", "--auto", "--model", model)
    assert run("implement", str(root / "design.md"), *arguments).code == 4
    (root / "greet/hello.py").write_text("# somebody else's\n")
    done = run("resume", "-C", str(root), "--approve")
    assert done.code == 4
    assert "greet/hello.py has changed in the project" in done.out
    assert (root / "greet/hello.py").read_text() == "# somebody else's\n"
    assert not (root / "greet/names.py").exists()


def other(document: str) -> str:
    """The same document for other files."""
    return document.replace("greet/", "meet/").replace("tests/test_hello", "tests/test_meet").replace("greet.", "meet.")


def two_documents(root: Path, folder: Path, meeting: str = greeting.OLD) -> str:
    """A second package with a document of its own, all committed, and the recording for both."""
    (root / "meet").mkdir()
    (root / "meet/__init__.py").write_text("")
    (root / "meet/hello.py").write_text(meeting)
    (root / "tests/test_meet.py").write_text(RIGHT[TESTS].replace("greet.", "meet."))
    (root / "designs").mkdir()
    (root / "design.md").rename(root / "designs/greet.md")
    (root / "designs/meet.md").write_text(other(greeting.DOCUMENT))
    (root / "designs/README.md").write_text("# What these are\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "all")
    more = [
        {"label": f"implement:code:{other(path)}", "text": whole(other(path), other(text))}
        for path, text in RIGHT.items()
        if path != TESTS
    ]
    return recorded(folder, *more)


def test_independent_documents_go_side_by_side(run: Run, root: Path, tmp_path: Path) -> None:
    model = two_documents(root, tmp_path)
    done = run(
        "implement",
        str(root / "designs"),
        "-C",
        str(root),
        "--jobs",
        "2",
        "--model",
        model,
        "--json",
    )
    told = json.loads(done.out)
    assert done.code == 0, told
    assert [(each["run"], each["document"], each["status"]) for each in told["runs"]] == [
        ("1", "designs/greet.md", "green"),
        ("2", "designs/meet.md", "green"),
    ]
    assert (root / "meet/hello.py").read_text() == other(RIGHT["greet/hello.py"])
    assert (root / "greet/hello.py").read_text() == RIGHT["greet/hello.py"]


@pytest.mark.parametrize("is_late", [False, True], ids=["at-once", "one-after-the-other-is-merged"])
def test_documents_that_are_green_apart_and_not_together(
    run: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    def prepare(folder: RunFolder, launch: schedule.Launch) -> Job:
        deadline = time.monotonic() + 120
        while is_late and folder.id == "2" and not (root / "greet/names.py").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        return prepared(folder, launch)

    prepared = schedule.prepare
    monkeypatch.setattr(schedule, "prepare", prepare)
    (root / "tests/test_both.py").write_text(
        "from pathlib import Path\n\n\ndef test_there_is_one_file_of_names():\n"
        "    assert len(list(Path('.').glob('*/names.py'))) <= 1\n"
    )
    model = two_documents(root, tmp_path)
    done = run("implement", str(root / "designs"), "-C", str(root), "--jobs", "2", "--model", model)
    assert done.code == 1
    assert done.out.count("green") >= 2
    assert "together 1 tests fail: tests/test_both.py::test_there_is_one_file_of_names" in done.out


def test_documents_that_share_files_wait_for_each_other(run: Run, root: Path, tmp_path: Path) -> None:
    (root / "again.md").write_text(greeting.DOCUMENT)
    done = run(
        "implement", str(root / "design.md"), str(root / "again.md"), "-C", str(root), "--jobs", "2",
        "--model", recorded(tmp_path), "--json",
    )  # fmt: skip
    first, second = json.loads(done.out)["runs"]
    assert (done.code, first["status"], second["status"]) == (1, "green", "stopped")
    assert "greet/names.py" in second["reason"]  # it is there already, so it cannot be added


def test_usage(run: Run, root: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("implement", str(tmp_path / "empty"), "-C", str(root)).code == 2
    assert run("implement", str(tmp_path / "none.md"), "-C", str(root)).code == 2
    assert run("resume", "7", "-C", str(root)).code == 2
    assert run("runs", "show", "../1", "-C", str(root)).code == 2
    assert "No runs yet" in run("runs", "-C", str(root)).out


def test_at_a_terminal_the_person_is_asked_and_sees_what_goes_on(root: Path, tmp_path: Path) -> None:
    document = greeting.DOCUMENT.replace(
        "| `greet/names.py` | Add", "| `old.py` | Delete | Gone |\n| `greet/names.py` | Add"
    )
    (root / "design.md").write_text(document)
    (root / "old.py").write_text("x = 1\n")
    session = Session(root, "implement", "design.md", "--model", recorded(tmp_path))
    assert "old.py" in session.expect("> ")
    assert "About to delete 1 line" in session.seen
    session.answer("y", "(q)uit\n> ")
    session.answer("y", "greet/words.py")
    assert session.end() == 0
    assert not (root / "old.py").exists()
    assert "\x1b[2K" in session.seen  # the line that changes
    assert "green" in session.seen


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_tests_as_well_and_the_run_goes_on_later(
    run: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, code: int
) -> None:
    model, started = recorded(tmp_path), tmp_path / "started"
    slow = f"touch {started}; sleep 60; echo {{junit}}"
    command = [sys.executable, "-m", "inlay", "implement", "design.md", "--model", model]
    environ = {**os.environ, "INLAY_IMPLEMENT_TEST_COMMAND": slow}
    process = subprocess.Popen(command, cwd=root, env=environ, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not started.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(sent)
    assert process.wait(timeout=20) == code
    assert json.loads(run("runs", "-C", str(root), "--json").out)[0]["status"] == "interrupted"
    assert run("resume", "-C", str(root), "-q").code == 0
