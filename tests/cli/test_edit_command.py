"""`inlay edit` as a person and as a program meets it; the models are real clients of a server on this machine."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from loopback import KEY, Loopback, Reply, replies

from .conftest import Run, Session

MODELS = (
    '[models."anthropic:claude-test"]\ncontext = 200000\nmax_output = 8192\ninput_price = 3.0\noutput_price = 15.0\n'
)
MODELS += '[models."openai:gpt-test"]\ncontext = 200000\nmax_output = 8192\n'
NAMES = {"anthropic": "anthropic:claude-test", "openai": "openai:gpt-test"}
Serve = Callable[..., Any]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project: Path) -> Serve:
    """`with serve(*script) as server:`; the settings of the user name it as the model to ask."""
    (tmp_path / "config/inlay").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    @contextmanager
    def start(*script: Any, wire: str = "anthropic") -> Iterator[Loopback]:
        (tmp_path / "config/inlay/config.toml").write_text(f'model = "{NAMES[wire]}"\n{MODELS}')
        with Loopback(*script) as server:
            for name, value in server.environ(wire).items():
                monkeypatch.setenv(name, value)
            yield server

    return start


def whole(path: str, content: str) -> str:
    return f"{path}\n```python\n{content}```\n"


def edit(number: int, name: str, new: str) -> str:
    """A change of one test of the large file."""
    old = f"def test_{name}():\n    value = {name}\n"
    find = f"```python\n{old}```"
    return f"### CHANGE {number}: {name}\nFIND:\n{find}\n\nREPLACE WITH:\n{find.replace(f'= {name}', f'= {new}')}\n\n"


def large() -> str:
    """804 lines, 201 tests."""
    return "".join(f"def test_{n}():\n    value = {n}\n    assert value >= 0\n\n" for n in range(201))


APP = "def f():\n    return 2\n\n\ndef g():\n    return 1\n"


@pytest.mark.slow
@pytest.mark.parametrize("wire", ["anthropic", "openai"])
def test_a_change_is_asked_for_shown_and_written(run: Run, project: Path, serve: Serve, wire: str) -> None:
    with serve(whole("src/app.py", APP), wire=wire) as server:
        done = run("edit", "src/app.py", "-m", "let f return 2")
    assert done.code == 0, done.err
    assert (project / "src/app.py").read_text() == APP
    assert "-    return 1\n+    return 2\n" in done.out
    assert "Done: 1 file changed. This is change 1." in done.out
    assert re.search(rf"{NAMES[wire]}: 1 attempt, 100 tokens in and \d+ out", done.err)
    assert server.seen[0].last.endswith("# Instruction\n\nlet f return 2\n")
    assert run("undo").code == 0
    assert (project / "src/app.py").read_text() != APP


def test_a_large_file_is_changed_by_edits(run: Run, project: Path, serve: Serve) -> None:
    (project / "big.py").write_text(large())
    with serve(edit(1, "7", "70")) as server:
        done = run("edit", "big.py", "-m", "let seven be seventy", "--json")
    told = json.loads(done.out)
    assert (done.code, told["mode"], told["format"], len(told["attempts"])) == (0, "edits", "find_replace", 1)
    assert (project / "big.py").read_text() == large().replace("value = 7\n", "value = 70\n")
    assert "never with the whole file" in server.seen[0].system
    assert told["usage"]["output"] < 0.2 * told["whole_tokens"]


def test_a_small_file_is_asked_for_whole(run: Run, serve: Serve) -> None:
    with serve(whole("src/app.py", APP)) as server:
        assert json.loads(run("edit", "src/app.py", "-m", "x", "--json").out)["mode"] == "whole"
    assert "complete new content of every file" in server.seen[0].system


def test_a_new_file_is_asked_for_whole_whatever_the_size(run: Run, project: Path, serve: Serve) -> None:
    with serve(whole("tests/test_big.py", large())) as server:
        done = run("edit", "tests/test_big.py", "-m", "write tests", "--mode", "edits")
    assert (done.code, (project / "tests/test_big.py").read_text()) == (0, large())
    assert "tests/test_big.py does not exist yet: create it, answer with the whole file." in server.seen[0].last


# --- answers that will not do ---------------------------------------------------------------------------------------


def test_a_model_that_stops_at_its_limit_is_asked_for_the_rest_and_every_test_is_still_there(
    run: Run, project: Path, serve: Serve
) -> None:
    (project / "test_big.py").write_text(large())
    assert large().count("\n") == 804
    first = edit(1, "3", "30") + edit(2, "5", "50")
    with serve(replies.max_tokens(first[:-60]), edit(1, "5", "50") + edit(2, "200", "2000")) as server:
        done = run("edit", "test_big.py", "-m", "change three tests")
    after = (project / "test_big.py").read_text()
    assert done.code == 0, done.err
    assert "[RETRY 1] Validation: " in done.err
    assert [line for line in after.splitlines() if line.startswith("def")] == [
        line for line in large().splitlines() if line.startswith("def")
    ]
    assert all(f"value = {n}0\n" in after for n in (3, 5, 200))
    assert (after.count("\n"), len(server.seen)) == (804, 2)


@pytest.mark.parametrize("stop", ["max_tokens", "end"])
def test_a_tenth_of_a_file_in_its_place_is_never_written(run: Run, project: Path, serve: Serve, stop: Any) -> None:
    (project / "test_big.py").write_text(large())
    part = "".join(large().splitlines(keepends=True)[:79])
    with serve(lambda seen: Reply(whole("test_big.py", part), stop=stop)) as server:
        done = run("edit", "test_big.py", "-m", "change one test", "--auto")
    assert (done.code, len(server.seen)) == (3, 3)
    assert ("cut off" if stop == "max_tokens" else "repeats lines 1 to 79 of the file and changes nothing") in done.err
    assert (project / "test_big.py").read_text() == large()


def test_broken_code_is_mended_from_the_error(run: Run, project: Path, serve: Serve) -> None:
    with serve(whole("src/app.py", "def f(:\n    return 2\n"), whole("src/app.py", APP)) as server:
        done = run("edit", "src/app.py", "-m", "let f return 2", "--json")
    told = json.loads(done.out)
    assert [attempt["error"] for attempt in told["attempts"]] == ["syntax", ""]
    assert "[syntax]" in server.seen[1].last
    assert (project / "src/app.py").read_text() == APP


def test_each_retry_is_told(run: Run, serve: Serve) -> None:
    script = (replies.rate_limited("0"), replies.prose(), whole("src/app.py", APP))
    with serve(*script):
        done = run("edit", "src/app.py", "-m", "x")
    assert done.code == 0
    assert "[RETRY 1] API error: " in done.err
    assert "[RETRY 2] Validation: no edits found" in done.err


def test_three_attempts_and_no_more(run: Run, project: Path, serve: Serve) -> None:
    before = (project / "src/app.py").read_text()
    with serve(lambda seen: replies.prose()) as server:
        done = run("edit", "src/app.py", "-m", "x", "--json")
    told = json.loads(done.out)
    assert (done.code, len(server.seen)) == (3, 3)
    assert (told["status"], told["error"], told["attempts"]) == ("failed", "ImplementationError", 3)
    assert told["cause"]["error"] == "NoEditsFound"
    assert told["message"].count("no edits found") == 3
    assert (project / "src/app.py").read_text() == before


def test_the_number_of_attempts_can_be_set(run: Run, serve: Serve) -> None:
    with serve(lambda seen: replies.prose()) as server:
        assert run("edit", "src/app.py", "-m", "x", "--max-attempts", "1").code == 3
    assert len(server.seen) == 1


def test_what_cannot_get_better_is_asked_once(run: Run, serve: Serve) -> None:
    with serve(replies.failed(401, "bad key")) as server:
        done = run("edit", "src/app.py", "-m", "x")
    assert (done.code, len(server.seen)) == (5, 1)
    assert "[RETRY" not in done.err


def test_a_limit_that_is_reached_is_named(run: Run, serve: Serve) -> None:
    with serve(lambda seen: replies.prose()):
        done = run("edit", "src/app.py", "-m", "x", "--max-cost", "0.000001")
    assert done.code == 5
    assert "the limit of $1e-06 would be exceeded" in done.err


def test_what_asking_took_can_be_asked_for_afterwards(run: Run, serve: Serve) -> None:
    with serve(replies.prose(), whole("src/app.py", APP)):
        run("edit", "src/app.py", "-m", "x")
    told = json.loads(run("stats", "--json").out)
    assert "no-edits" in json.dumps(told)
    assert "anthropic:claude-test" in json.dumps(told)


# --- deciding and writing -------------------------------------------------------------------------------------------


def test_a_dry_run_asks_the_model_and_writes_nothing(run: Run, project: Path, serve: Serve) -> None:
    before = (project / "src/app.py").read_text()
    with serve(whole("src/app.py", APP)):
        done = run("edit", "src/app.py", "-m", "x", "--dry-run")
    assert (done.code, (project / "src/app.py").read_text()) == (0, before)
    assert "Dry run: 1 file would change" in done.out


def test_a_replacement_of_a_long_file_needs_a_decision(run: Run, project: Path, serve: Serve) -> None:
    old = "x = 1\n" * 150
    (project / "long.py").write_text(old)
    new = "x = 2\n" * 150
    with serve(lambda seen: whole("long.py", new)):
        assert run("edit", "long.py", "-m", "x", "--auto").code == 4
        assert (project / "long.py").read_text() == old
        assert run("edit", "long.py", "-m", "x", "--auto", "--force").code == 0
    assert (project / "long.py").read_text() == new


def test_the_threshold_may_be_configured(run: Run, project: Path, serve: Serve, tmp_path: Path) -> None:
    with serve(lambda seen: whole("src/app.py", APP)):
        (project / ".inlay.toml").write_text("threshold = 0\n")
        assert run("edit", "src/app.py", "-m", "x", "--auto").code == 4
        assert run("edit", "src/app.py", "-m", "x", "--auto", "--threshold", "50").code == 0


def test_the_instruction_may_come_from_a_file_and_from_a_pipe(run: Run, project: Path, serve: Serve) -> None:
    (project / "task.md").write_text("let f return 2\nand nothing else\n")
    with serve(lambda seen: whole("src/app.py", APP)) as server:
        assert run("edit", "src/app.py", "-m", "@task.md", "-n").code == 0
        assert run("edit", "src/app.py", "-m", "@-", "-n", stdin="from a pipe").code == 0
        assert run("edit", "src/app.py", "-m", "@nowhere.md").code == 2
        assert run("edit", "src/app.py", "-m", "  ").code == 2
    assert [seen.last.rsplit("# Instruction\n\n", 1)[1] for seen in server.seen] == [
        "let f return 2\nand nothing else\n",
        "from a pipe\n",
    ]


def test_files_to_read_and_the_projects_guidance_are_shown(run: Run, project: Path, serve: Serve) -> None:
    (project / "CLAUDE.md").write_text("Never use tabs.\n")
    with serve(whole("src/app.py", APP)) as server:
        assert run("edit", "src/app.py", "-m", "x", "--context", "notes.txt").code == 0
    asked = server.seen[0].last
    places = [asked.index(text) for text in ("Never use tabs.", "one\ntwo\n", "def g():", "# Instruction")]
    assert places == sorted(places)
    assert run("edit", "src/app.py", "-m", "x", "--context", "missing.txt").code == 5


def test_a_check_decides_before_anything_is_written(run: Run, project: Path, serve: Serve) -> None:
    check = f"{sys.executable} -c 'import app; assert app.f() == 2'"
    with serve(whole("src/app.py", APP.replace("2", "3")), whole("src/app.py", APP)):
        done = run("edit", "src/app.py", "-m", "x", "--check", check, "--json")
    assert [attempt["error"] for attempt in json.loads(done.out)["attempts"]] == ["check", ""]
    assert (project / "src/app.py").read_text() == APP


def test_a_wrong_format_or_file_is_told_before_a_model_is_asked(run: Run, serve: Serve) -> None:
    with serve() as server:
        assert run("edit", "src/app.py", "-m", "x", "--format", "nonsense").code == 2
        assert run("edit", "../other.py", "-m", "x").code == 3
        assert run("edit", ".git/config", "-m", "x").code == 3
    assert server.seen == []


def test_what_was_recorded_can_be_replayed(run: Run, project: Path, serve: Serve, tmp_path: Path) -> None:
    record = tmp_path / "answers.jsonl"
    with serve(replies.prose(), whole("src/app.py", APP)):
        assert run("edit", "src/app.py", "-m", "x", "--record", str(record)).code == 0
    run("undo")
    done = run("edit", "src/app.py", "-m", "x", "--model", f"recorded:{record}")
    assert done.code == 0, done.err
    assert (project / "src/app.py").read_text() == APP


def test_every_step_can_be_read_and_none_holds_the_key(run: Run, serve: Serve, tmp_path: Path) -> None:
    log = tmp_path / "steps.log"
    with serve(replies.prose(), whole("src/app.py", APP)):
        done = run("edit", "src/app.py", "-m", "x", "--verbose", "--log", str(log))
    assert "attempt 1 of 3: src/app.py" in done.err
    assert "[RETRY 1] Validation: " in log.read_text()
    assert KEY not in log.read_text() + done.err + done.out


# --- committing -----------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(project: Path) -> Path:
    for command in (
        ["init", "-q"],
        ["config", "user.name", "Somebody"],
        ["config", "user.email", "somebody@example.org"],
        ["add", "."],
        ["commit", "-q", "-m", "begin"],
    ):
        subprocess.run(["git", *command], cwd=project, check=True)
    return project


def git(repository: Path, *arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=repository, text=True)


def test_a_commit_holds_the_changed_files_and_nothing_else(run: Run, repository: Path, serve: Serve) -> None:
    (repository / "notes.txt").write_text("one\nstaged\n")
    git(repository, "add", "notes.txt")
    with serve(whole("src/app.py", APP) + whole("src/new.py", "x = 1\n")):
        done = run("edit", "src/app.py", "src/new.py", "-m", "let f return 2.\nIt must.", "--commit", "--json")
    assert done.code == 0, done.out
    assert json.loads(done.out)["commit"] == git(repository, "rev-parse", "HEAD").strip()
    shown = git(repository, "show", "--format=%B", "--name-only").split()
    assert git(repository, "log", "-1", "--format=%s") == "Let f return 2\n"
    assert shown[-2:] == ["src/app.py", "src/new.py"]
    assert git(repository, "diff", "--cached", "--name-only") == "notes.txt\n"


def test_a_file_with_work_of_somebodys_own_is_not_committed(run: Run, repository: Path, serve: Serve) -> None:
    (repository / "src/app.py").write_text("# mine\n")
    with serve() as server:
        done = run("edit", "src/app.py", "-m", "x", "--commit")
    assert (done.code, server.seen) == (4, [])
    assert "src/app.py: not committed yet" in done.err


def test_a_commit_that_fails_says_that_the_files_were_written(run: Run, repository: Path, serve: Serve) -> None:
    (repository / ".git/index.lock").write_text("")
    with serve(whole("src/app.py", APP)):
        done = run("edit", "src/app.py", "-m", "x", "--commit")
    assert done.code == 5
    assert "the files were written (change 1), but not committed" in done.err
    assert (repository / "src/app.py").read_text() == APP


def test_outside_git_a_commit_fails_before_a_model_is_asked(run: Run, serve: Serve) -> None:
    with serve() as server:
        assert run("edit", "src/app.py", "-m", "x", "--commit").code == 5
    assert server.seen == []


# --- while it lasts -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_person_sees_tokens_arrive_and_is_asked(project: Path, serve: Serve) -> None:
    old = "x = 1\n" * 150
    (project / "long.py").write_text(old)
    with serve(Reply(whole("long.py", "x = 2\n" * 150), pace=0.15)):
        session = Session(project, "edit", "long.py", "-m", "x")
        shown = session.expect("About to replace", timeout=60)
        assert "attempt 1 of 3" in shown
        assert re.search(r"attempt 1: [\d,]+ tokens", shown)
        session.press("\x03")
        session.end()
    assert (project / "long.py").read_text() == old


@pytest.mark.slow
def test_an_interrupt_while_the_model_answers_leaves_nothing(project: Path, serve: Serve) -> None:
    before = (project / "src/app.py").read_text()
    with serve(Reply("slow", delay=30)) as server:
        process = subprocess.Popen(
            [sys.executable, "-m", "inlay", "edit", "src/app.py", "-m", "x"],
            cwd=project,
            env=os.environ,
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 30
        while not server.seen and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert (project / "src/app.py").read_text() == before
