"""What speaks against an answer that fits: tests that show nothing, or less than before, or not what was planned."""

from __future__ import annotations

from collections.abc import Iterable

from inlay.implement.spec.document import Spec, is_test_file
from inlay.implement.test_quality.empty_tests import Hollow, find_hollow, names_of_tests
from inlay.implement.test_quality.weakened_tests import weakened
from inlay.implement.workflow.queue import planned_tests
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, State
from inlay.model.change import Change, ChangeSet

_MOST_TOLD = 10


def objection(piece: Piece, changes: ChangeSet, state: State, job: Job) -> str:
    """Why a proposed change must not be used; empty where nothing speaks against it."""
    if piece["kind"] not in ("test", "cover") or not is_test_file(piece["path"]) or not changes.changes:
        return ""
    change = changes.changes[0]
    # A file of this run's own making may be written anew; everybody else's keeps what it shows.
    before = "" if piece["change"] == "add" or change.before is None else change.before.text
    found = [*_hollow(change, before), *(weakened(piece["path"], before, change.after or "") if before else ())]
    missing = _missing(piece, change, job.spec(state)) if piece["kind"] == "test" else []
    return "; ".join([*_told(found), *missing])


def _hollow(change: Change, before: str) -> list[Hollow]:
    """Hollow tests that the change brings; those that were there are not its fault."""
    known = {each.test for each in find_hollow(str(change.path), before)} if before else set()
    return [each for each in find_hollow(str(change.path), change.after or "") if each.test not in known]


def _missing(piece: Piece, change: Change, spec: Spec) -> list[str]:
    """Tests of the plan that the file should have by name, and has not."""
    names = {name.rpartition("::")[2] for name in names_of_tests(piece["path"], change.after or "")}
    absent = [test.name for test in planned_tests(piece["path"], spec) if test.name and test.name not in names]
    return [f"tests of the plan are missing: {', '.join(absent)}"] if names and absent else []


def _told(found: Iterable[Hollow]) -> list[str]:
    told = [f"{each.test or 'the file'} {each.reason}" for each in found]
    return told[:_MOST_TOLD] + ([f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else [])
