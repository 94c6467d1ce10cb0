"""`inlay parse`, `inlay formats` and what all commands share."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import click
import pytest

from inlay import FORMATS
from inlay.cli import main as entry
from inlay.cli.lazy import LazyGroup

from .conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples/replies"


@pytest.mark.parametrize("reply", sorted(EXAMPLES.glob("0*")), ids=lambda path: path.stem)
def test_every_sample_can_be_shown_and_exported(run: Run, reply: Path) -> None:
    shown = run("parse", str(reply))
    assert shown.code == 0
    assert shown.out.startswith("format: ")
    told = json.loads(run("parse", "--json", str(reply)).out)
    assert f"format: {told['format']}\n" in shown.out
    assert {part["kind"] for part in told["parts"]} <= {"update", "create", "overwrite", "delete"}


def test_a_proposal_is_shown_edit_by_edit(run: Run) -> None:
    reply = (
        "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@ def f():\n-    x\n+    y\n*** End of File\n"
        "*** Delete File: c.py\n*** Add File: d.py\n+z\n*** End Patch\n"
    )
    shown = run("parse", stdin=reply).out
    assert "edit a.py, and move it to b.py" in shown
    assert "in 'def f():'" in shown
    assert "at the end of the file" in shown
    assert "    -     x\n    +     y\n" in shown
    assert "delete c.py" in shown
    assert "create d.py\n  + z\n" in shown


def test_ranges_wrapping_and_warnings_are_shown(run: Run) -> None:
    ranged = json.dumps({"path": "a.py", "edits": [{"range": {"start": 2, "end": 3}, "newText": "x"}]})
    assert "lines 2-3 become\n    + x" in run("parse", stdin=ranged).out
    wrapped = "Sure!\n\na.py\n<<<<<<< SEARCH\nx\n=======\nx\n>>>>>>> REPLACE\n\nBye!\n"
    assert "ignored:" in run("parse", stdin=wrapped).out
    assert run("parse", "--strict", stdin=wrapped).code == 3


def test_what_cannot_be_read_is_refused(run: Run) -> None:
    assert run("parse", stdin="just words\n").code == 3
    assert run("parse", stdin="x\0y").code == 3
    assert json.loads(run("parse", "--json", stdin="just words\n").out)["error"] == "NoEditsFound"


def test_formats_are_listed_with_their_prompts(run: Run) -> None:
    listed = run("formats").out
    for name, entry_ in FORMATS.items():
        assert name in listed
        assert run("formats", name).out.strip() == entry_.prompt.strip()
    told = json.loads(run("formats", "--json").out)
    assert [entry_["name"] for entry_ in told] == list(FORMATS)
    assert json.loads(run("formats", "udiff", "--json").out)[0]["name"] == "unified_diff"


def test_the_short_help_is_the_commands_own() -> None:
    first = entry.cli
    assert isinstance(first, LazyGroup)
    tables = [first.table, *(group.table for group in _loaded(first.table) if isinstance(group, LazyGroup))]
    for table in tables:
        for command, (name, (_, short)) in zip(_loaded(table), table.items(), strict=True):
            assert command.name == name
            assert (command.help or "").startswith(short.rstrip("."))
            assert "Examples:" in (command.help or "")


def _loaded(table: Mapping[str, tuple[str, str]]) -> list[click.Command]:
    return [import_module(module).command for module, _ in table.values()]


def test_help_and_version(run: Run) -> None:
    assert "Apply the edits in a model's reply." in run("--help").out
    assert "Commands:" in run("spec", "--help").out
    assert run("--version").out.startswith("inlay, version 0.1.0")
    assert run("-h").code == 0


def test_an_internal_error_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("inlay.landing.land.land", broken)
    done = run("apply", stdin="x")
    assert done.code == 70
    assert "internal error: ZeroDivisionError: division by zero" in done.err
    monkeypatch.setenv("INLAY_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        entry.main(["apply"])


@pytest.mark.parametrize("error", [KeyboardInterrupt, click.Abort])
def test_an_interrupt_ends_with_130(run: Run, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    def interrupted(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr("inlay.landing.land.land", interrupted)
    assert run("apply", stdin="x").code == 130


def test_other_platforms_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    done = run("formats")
    assert (done.code, "Linux and macOS" in done.err) == (5, True)


def started(*arguments: str) -> subprocess.Popen[bytes]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "inlay", *arguments], **pipes)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_end_with_their_codes(number: signal.Signals, code: int) -> None:
    with started("engine") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()  # by now the handlers are in place
        assert ended(process, number) == code
        assert process.stderr
        assert process.stderr.read() == b""


def ended(process: subprocess.Popen[bytes], number: signal.Signals) -> int:
    """The code it leaves with; a signal just before a read begins is noticed only after it, so it is sent again."""
    for _ in range(10):
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(3)
    return process.wait(3)


@pytest.mark.parametrize("arguments", [["formats"], ["apply", "--json"]])
def test_a_reader_that_leaves_is_no_error(arguments: list[str], tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "inlay", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE, cwd=tmp_path)
    os.close(write)
    assert done.stderr == b""
    assert done.returncode in (0, 3)


def test_a_person_at_the_keyboard_is_told_what_we_wait_for(tmp_path: Path) -> None:
    master, terminal = os.openpty()
    command = [sys.executable, "-m", "inlay", "parse"]
    with subprocess.Popen(command, stdin=terminal, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stderr
        assert b"end with Ctrl-D" in process.stderr.readline()
        time.sleep(0.1)
        os.write(master, b"\x04")
        assert process.wait(10) == 3
    os.close(master)
    os.close(terminal)
