"""The task for each piece; the same state always makes the same task, so that stored answers are found again."""

from __future__ import annotations

from inlay.implement.spec.document import Spec
from inlay.implement.workflow.queue import depended_on, planned_tests
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import Piece, State
from inlay.model.task import Task
from inlay.prompts import design_instructions

_MAX_CONTEXT = 30_000  # characters of a file shown only as context; a larger one costs more than it helps


def task(piece: Piece, state: State, job: Job) -> Task:
    spec, document_notes = job.spec(state), job.spec(state).text
    piece_notes = job.folder(state).text(piece["notes"]) if piece["notes"] else ""
    # For tests the code that they test; for code its tests and the files that it depends on.
    related = [*state.get("tests", []), *depended_on(piece["path"], spec)]
    if piece["kind"] in ("test", "cover"):
        related = [file.path for file in spec.code_files if file.change != "delete"]
    files = {path: job.file(path) for path in related if path != piece["path"]}
    context = [path for path, file in files.items() if file is not None and len(file.text) <= _MAX_CONTEXT]
    if piece["kind"] == "mend" and piece["notes"]:
        document_notes = f"{document_notes.rstrip()}\n\n\nWhat the failing tests printed:\n\n{piece_notes}\n"
    turn = {"mend": state.get("iteration", 0), "cover": state.get("covering", 0)}.get(piece["kind"], 0)
    return Task(
        files=(piece["path"],),
        instruction=_instruction(piece, piece_notes, state, spec),
        context=tuple(context),
        notes=document_notes,
        label=f"implement:{piece['kind']}{turn or ''}:{piece['path']}",  # the same from run to run
    )


def _instruction(piece: Piece, notes: str, state: State, spec: Spec) -> str:
    path = piece["path"]
    match piece["kind"]:
        case "test":
            planned = []
            for test in planned_tests(path, spec):
                expected = f"expected: {test.expected}" if test.expected else ""
                planned.append(", ".join(filter(None, (test.id, test.name, test.scenario, test.given, expected))))
            return design_instructions.write_tests(path, piece["change"], planned, notes)
        case "code":
            description = file.description if (file := spec.file(path)) else ""
            return design_instructions.write_code(path, piece["change"], description, state.get("tests", []))
        case "mend":
            failing = state["tested"]["failing"] if "tested" in state else []
            return design_instructions.repair(path, state.get("tests", []), failing)
        case "cover":
            lines = [line.partition("\t") for line in notes.splitlines() if line]
            return design_instructions.cover(path, {name: missing.split("\t") for name, _, missing in lines})
