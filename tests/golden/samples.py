"""Replies, a design document with a model that implements it, and a change that is cut short."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from .conftest import GREETING, Session


def block(path: str, old: str, new: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def whole(path: str, text: str) -> str:
    return f"{path}\n```python\n{text}```\n"


UPDATE = block("notes.txt", "two", "2")
PATCH = (
    "*** Begin Patch\n*** Update File: notes.txt\n@@\n one\n-two\n+2\n*** Update File: src/price.py\n@@\n-PRICE = 3\n"
    "+PRICE = 4\n*** Add File: src/new.py\n+NEW = 1\n*** End Patch\n"
)
DIFF = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
MOVE = "*** Begin Patch\n*** Update File: {}\n*** Move to: {}\n@@\n-{}\n+{}\n*** End Patch\n"
FIND_REPLACE = "### CHANGE 1: two\nFile: notes.txt\nFIND:\n```\ntwo\n```\n\nREPLACE WITH:\n```\n2\n```\n"
JSON_EDITS = '{"path": "notes.txt", "edits": [{"range": {"start": 2, "end": 2}, "oldText": "two", "newText": "2"}]}'
LONG = "".join(f"row {number}\n" for number in range(2, 151))
APP = "def f():\n    return 2\n\n\ndef g():\n    return 1\n"


BLOCKED = """\
# Greeting

## Files Changed

| File | Change | Description |
|---|---|---|
| `src/app.py` | Modify | greet by name |
| `none.py` | Modify | not there |

## Requirements

1. The greeting has a name.

## Verification & Testing

| Id | Scenario | Requirement |
|---|---|---|
| T1 | greet("Ann") says Ann | 1 |

## Open Questions

- [ ] Which name?
"""
TESTS = "tests/test_hello.py"
OLD = "def hello(name):\n    return 'hi'\n"
RIGHT = {
    path: (GREETING / "right" / path).read_text()
    for path in (TESTS, "greet/names.py", "greet/words.py", "greet/hello.py")
}


def lay_out_design(session: Session, **more: str) -> None:
    session.write(
        {
            "design.md": (GREETING / "design.md").read_text(),
            "blocked.md": BLOCKED,
            "greet/__init__.py": "",
            "greet/hello.py": OLD,
            "conftest.py": "",
            TESTS: RIGHT[TESTS],
            **more,
        }
    )


def files_recorded(session: Session, *first: dict[str, object]) -> str:
    """A model that writes every file of the design right, after the answers given."""
    right = [{"label": f"implement:code:{path}", "text": whole(path, text)} for path, text in RIGHT.items()]
    return session.recording(*first, *right)


def set_test_command(session: Session) -> None:
    command = f"{sys.executable} -S -E {GREETING / 'run_tests.py'} {{junit}} {{tests}}"
    session.environment.setenv("INLAY_IMPLEMENT_TEST_COMMAND", command)


#: ends the process between the first and the second file of a change, whichever function is at work then
_CUT_SHORT = """
import os, pathlib, signal, sys
from inlay.cli.main import main

def watch(frame, event, argument):
    if event == "call" and "inlay" in frame.f_code.co_filename:
        changed = [pathlib.Path(name).read_text() != text for name, text in before.items()]
        if any(changed) and not all(changed):
            os.kill(os.getpid(), signal.SIGKILL)

before = {name: pathlib.Path(name).read_text() for name in ("notes.txt", "src/price.py")}
sys.setprofile(watch)
main(["apply"])
"""


def cut_short(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _CUT_SHORT], cwd=root, input=PATCH, text=True, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
