"""`inlay redo` where there is more than one thing to redo."""

from pathlib import Path

from .conftest import Run

REPLY = "notes.txt\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


def test_undo_and_redo_walk_back_and_forth(run: Run, project: Path) -> None:
    for old, new in (("two", "three"), ("three", "four")):
        assert run("apply", stdin=REPLY.format(old, new)).code == 0
    for command, line in (("undo", "three"), ("undo", "two"), ("redo", "three"), ("redo", "four"), ("undo", "three")):
        assert run(command).code == 0
        assert (project / "notes.txt").read_text() == f"one\n{line}\n"
