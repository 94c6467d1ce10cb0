"""`inlay recover`: what was cut short is taken back, and what somebody wrote since is left."""

import json
import signal
import subprocess
import sys
from pathlib import Path

from .conftest import Run

REPLY = (
    "*** Begin Patch\n*** Update File: notes.txt\n@@\n one\n-two\n+three\n*** Update File: src/app.py\n@@\n def f():\n"
    "-    return 1\n+    return 2\n*** End Patch\n"
)
# Dies after the first name has changed and before the second does.
CUT_SHORT = """
import os, signal, sys
from inlay.cli.main import main
from inlay.storage.state import syscalls
seen = []
def hook(call):
    seen.append(call)
    if seen.count("exchange") == 2:
        os.kill(os.getpid(), signal.SIGKILL)
syscalls.before = hook
main(["apply", "-C", sys.argv[1]])
"""


def cut_short(project: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CUT_SHORT, project], input=REPLY, text=True, capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert (project / "notes.txt").read_text() == "one\nthree\n"


def test_nothing_was_cut_short(run: Run) -> None:
    assert run("recover").out == "Nothing to roll back.\n"
    assert json.loads(run("recover", "--json").out) == {"recovered": []}


def test_a_killed_change_is_taken_back(run: Run, project: Path) -> None:
    cut_short(project)
    done = run("recover")
    assert (done.code, done.out) == (0, "1 rolled back.\n")
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    assert run("recover").out == "Nothing to roll back.\n"


def test_the_next_command_takes_it_back_as_well(run: Run, project: Path) -> None:
    cut_short(project)
    assert run("apply", stdin=REPLY).code == 0
    assert (project / "notes.txt").read_text() == "one\nthree\n"
    assert "return 2" in (project / "src/app.py").read_text()
    assert run("log", "--verify").code == 0


def test_what_somebody_wrote_since_is_left_and_named(run: Run, project: Path) -> None:
    cut_short(project)
    (project / "notes.txt").write_text("by hand\n")
    found = json.loads(run("recover", "--json").out)["recovered"][0]
    assert (found["left"], found["kept"]) == (["notes.txt"], ".inlay/kept-1")
    assert (project / "notes.txt").read_text() == "by hand\n"
    kept = {path.read_text() for path in (project / ".inlay/kept-1").glob("*.file")}
    assert "one\ntwo\n" in kept


def test_work_goes_on_after_something_was_left(run: Run, project: Path) -> None:
    cut_short(project)
    (project / "notes.txt").write_text("by hand\n")
    assert run("recover").code == 0
    (project / "notes.txt").write_text("one\ntwo\n")
    assert run("apply", stdin=REPLY).code == 0
    assert run("log", "--verify").code == 0


def test_it_tells_a_person_which_files_were_left(run: Run, project: Path) -> None:
    cut_short(project)
    (project / "notes.txt").write_text("by hand\n")
    done = run("recover")
    assert done.code == 0
    assert "notes.txt: modified since" in done.err
