"""`inlay log`: what happened, and whether the log still says so."""

import json
from pathlib import Path

from .conftest import Run

REPLY = "notes.txt\n<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n"


def test_every_operation_is_in_the_log(run: Run, project: Path) -> None:
    assert run("log").out == ""
    run("apply", stdin=REPLY)
    run("undo")
    events = [json.loads(line) for line in run("log", "--json").out.splitlines()]
    written = [(event["event"], event["state"]) for event in events if event.get("state")]
    assert written == [("write", "intent"), ("write", "done"), ("undo", "intent"), ("undo", "done")]
    intent = next(event for event in events if event.get("state") == "intent")
    assert (intent["path"], len(intent["before"]), intent["receipt"]) == ("notes.txt", 64, "1")
    assert "notes.txt" in run("log").out
    assert run("log", "--verify").out == "The log is intact.\n"
    assert json.loads(run("log", "--verify", "--json").out) == {"whole": True, "problems": []}


def test_a_damaged_log_is_told_and_can_be_set_aside(run: Run, project: Path) -> None:
    run("apply", stdin=REPLY)
    log = project / ".inlay/log/000001.jsonl"
    log.write_bytes(log.read_bytes().replace(b"notes.txt", b"other.txt"))
    done = run("log", "--verify")
    assert done.code == 1
    assert "The log is damaged." in done.out
    assert run("log", "--verify", "--json").code == 1
    done = run("undo")
    assert done.code == 4
    assert "inlay log --restart" in done.err
    assert (project / "notes.txt").read_text() == "one\nthree\n"
    assert "the old one is in .inlay/log-" in run("log", "--restart").out
    assert run("undo").code == 0
    assert run("log", "--verify").code == 0
