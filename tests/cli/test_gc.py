"""`inlay gc`: old backups go, the newest stays."""

import json
import os
import time
from pathlib import Path

import pytest

from .conftest import Run

REPLY = "notes.txt\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


def test_old_backups_are_dropped(run: Run, project: Path) -> None:
    for old, new in (("two", "three"), ("three", "four"), ("four", "five")):
        run("apply", stdin=REPLY.format(old, new))
    assert run("gc").out == "Nothing to delete.\n"
    assert json.loads(run("gc", "--json", "--larger-than", "0K").out)["dropped"] == ["2", "1"]
    assert run("gc", "--older-than", "0").out == "Nothing to delete.\n"
    assert run("undo").code == 0
    assert "Deleted 1 backups" in run("gc", "--older-than", "0").out
    assert len(json.loads(run("history", "--json").out)) == 4


def test_days_have_24_hours(run: Run, project: Path) -> None:
    for old, new in (("two", "three"), ("three", "four")):
        run("apply", stdin=REPLY.format(old, new))
    backup = project / ".inlay/backups/1.pack"
    for hours, dropped in ((23.9, []), (24.1, ["1"])):
        moment = time.time() - hours * 3600
        os.utime(backup, (moment, moment))
        assert json.loads(run("gc", "--json", "--older-than", "1").out)["dropped"] == dropped


@pytest.mark.parametrize("size", ["x", "1T", "-1", "1.5G"])
def test_a_size_that_is_none(run: Run, size: str) -> None:
    assert run("gc", "--larger-than", size).code == 2
