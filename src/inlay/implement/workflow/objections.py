"""Objections to a proposed test file: tests that show nothing, or less than before, or not what was planned."""

from __future__ import annotations

from inlay.implement.spec.document import is_test_file
from inlay.implement.test_quality.empty_tests import find_empty_tests, names_of_tests
from inlay.implement.test_quality.weakened_tests import weakened
from inlay.implement.workflow.queue import planned_tests
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, State
from inlay.model.change import ChangeSet

_MAX_REASONS = 10


def objection(piece: Piece, changes: ChangeSet, state: State, job: Job) -> str:
    """Why a proposed change must not be used; empty where there is no objection."""
    path = piece["path"]
    if piece["kind"] not in ("test", "cover") or not is_test_file(path) or not changes.changes:
        return ""
    change = changes.changes[0]
    # A file that this run created may be rewritten; every other file keeps what it shows.
    before = "" if piece["change"] == "add" or change.before is None else change.before.text
    after = change.after or ""
    old = {weak.test for weak in find_empty_tests(path, before)} if before else set()
    found = [weak for weak in find_empty_tests(path, after) if weak.test not in old]
    found += weakened(path, before, after) if before else ()
    reasons = [f"{weak.test or 'the file'} {weak.reason}" for weak in found]
    if len(reasons) > _MAX_REASONS:
        reasons[_MAX_REASONS:] = [f"and {len(reasons) - _MAX_REASONS} more"]
    if piece["kind"] == "test":
        names = {name.rpartition("::")[2] for name in names_of_tests(path, after)}
        absent = [test.name for test in planned_tests(path, job.spec(state)) if test.name and test.name not in names]
        reasons += [f"tests of the plan are missing: {', '.join(absent)}"] if names and absent else []
    return "; ".join(reasons)
