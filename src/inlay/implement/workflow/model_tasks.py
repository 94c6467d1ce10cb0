"""What a model is asked for each piece: the file, the words, and what it is shown besides. The same state always
makes the same task, so that answers that were stored are found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inlay.errors import InlayError
from inlay.implement.spec.document import PlannedTest, Spec
from inlay.implement.workflow.queue import depended_on, planned_tests
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, State
from inlay.model.task import GenerateOptions, Task
from inlay.prompts import design_code, design_coverage, design_repair, design_tests

_LARGEST_CONTEXT = 30_000  # bytes of a file shown only to be read; a larger one costs more than it tells


def task(piece: Piece, state: State, job: Job) -> Task:
    """The task for a piece."""
    spec = job.spec(state)
    context = [path for path in _context(piece, state, spec) if path != piece["path"] and _is_showable(path, job)]
    return Task(
        files=(piece["path"],),
        instruction=_instruction(piece, state, job),
        context=tuple(dict.fromkeys(context)),
        notes=_notes(piece, state, job),
        label=label(piece, state),
    )


def label(piece: Piece, state: State) -> str:
    """What a request is about, the same from run to run."""
    turn = {"mend": state.get("iteration", 0), "cover": state.get("covering", 0)}.get(piece["kind"], 0)
    return f"implement:{piece['kind']}{turn or ''}:{piece['path']}"


def options(job: Job) -> GenerateOptions:
    """How every piece is asked for; money and time are counted over the whole run, not here."""
    return GenerateOptions.of(job.settings)


def _instruction(piece: Piece, state: State, job: Job) -> str:
    spec, path = job.spec(state), piece["path"]
    match piece["kind"]:
        case "test":
            planned = [_planned(test) for test in planned_tests(path, spec)]
            return design_tests.instruction(path, piece["change"], planned, _told(piece, state, job))
        case "code":
            file = spec.file(path)
            return design_code.instruction(
                path, piece["change"], file.description if file else "", state.get("tests", [])
            )
        case "mend":
            failing = state["tested"]["failing"] if "tested" in state else []
            return design_repair.instruction(path, state.get("tests", []), failing)
        case "cover":
            return design_coverage.instruction(path, _uncovered(_told(piece, state, job)))


def _uncovered(told: str) -> Mapping[str, Sequence[str]]:
    lines = [line.partition("\t") for line in told.splitlines() if line]
    return {name: missing.split("\t") for name, _, missing in lines}


def _notes(piece: Piece, state: State, job: Job) -> str:
    document = job.spec(state).text
    if piece["kind"] != "mend" or not piece["notes"]:
        return document
    return f"{document.rstrip()}\n\n\nWhat the failing tests printed:\n\n{_told(piece, state, job)}\n"


def _told(piece: Piece, state: State, job: Job) -> str:
    return job.folder(state).text(piece["notes"]) if piece["notes"] else ""


def _planned(test: PlannedTest) -> str:
    parts = [test.id, test.name, test.scenario, test.given, f"expected: {test.expected}" if test.expected else ""]
    return ", ".join(part for part in parts if part)


def _context(piece: Piece, state: State, spec: Spec) -> list[str]:
    """For tests the code they are about, for code its tests and what it builds on."""
    if piece["kind"] in ("test", "cover"):
        return [file.path for file in spec.code_files if file.change != "delete"]
    return [*state.get("tests", []), *depended_on(piece["path"], spec)]


def _is_showable(path: str, job: Job) -> bool:
    try:
        file = job.workspace.read(job.workspace.locate(path))
    except InlayError:
        return False
    return file is not None and len(file.text) <= _LARGEST_CONTEXT
