"""The pieces to write, their order, and which of them may be asked for at the same time."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

from inlay.implement.spec.document import PlannedFile, PlannedTest, Spec, is_test_file
from inlay.implement.workflow.run_state import Kind, Piece

_MIN_NAME = 3  # a shorter module name is an ordinary word too often


def test_pieces(spec: Spec, exists: Callable[[str], bool]) -> list[Piece]:
    """The test files that must be written: those missing, and those the document wants changed."""
    listed = {file.path: file for file in spec.files if file.is_test and not file.directory}
    # What lies beside the tests comes first, because they may need it.
    paths = sorted(dict.fromkeys((*listed, *spec.test_files)), key=is_test_file)
    wanted = [path for path in paths if not exists(path) or (path in listed and listed[path].change == "modify")]
    return [
        piece(path, "test", "modify" if exists(path) else "add", wave=int(is_test_file(path)))
        for path in wanted
        if path not in listed or listed[path].change != "delete"
    ]


def code_pieces(spec: Spec) -> list[Piece]:
    """The files of the document, in its order; a wave ends where a file builds on one of the same wave."""
    pieces: list[Piece] = []
    wave: list[PlannedFile] = []
    number = 0
    for file in spec.code_files:
        if any(builds_on(file, earlier, spec) for earlier in wave):
            number, wave = number + 1, []
        wave.append(file)
        pieces.append(piece(file.path, "code", file.change, wave=number))
    return pieces


def piece(path: str, kind: Kind, change: str, *, wave: int = 0, notes: str = "") -> Piece:
    return {"path": path, "kind": kind, "change": change, "wave": wave, "notes": notes, "tries": 0}


def next_wave(queue: Sequence[Piece]) -> list[Piece]:
    """The pieces at the head of the queue that may be asked for together."""
    count = next((n for n, each in enumerate(queue) if each["wave"] != queue[0]["wave"]), len(queue))
    return list(queue[:count])


def builds_on(file: PlannedFile, earlier: PlannedFile, spec: Spec) -> bool:
    """Whether the document connects two files; a file that it says nothing about may build on anything."""
    text = "\n".join([file.description, *(each.text for each in spec.signatures if each.file == file.path)])
    if not text.strip():
        return True
    stem, dotted = posixpath.basename(posixpath.splitext(earlier.path)[0]), posixpath.splitext(earlier.path)[0]
    names = {earlier.path, posixpath.basename(earlier.path), dotted.replace("/", "."), stem}
    names |= {part for each in spec.signatures if each.file == earlier.path for part in each.name.split(".")}
    return any(re.search(rf"(?<![\w./]){re.escape(name)}(?!\w)", text) for name in names if len(name) >= _MIN_NAME)


def depended_on(path: str, spec: Spec) -> tuple[str, ...]:
    """Other files of the document that a file builds on, as far as it says."""
    file = spec.file(path)
    if file is None:
        return ()
    others = [each for each in spec.code_files if each.path != path and each.change != "delete"]
    return tuple(each.path for each in others if builds_on(file, each, spec))


def planned_tests(path: str, spec: Spec) -> tuple[PlannedTest, ...]:
    """The tests of the plan that belong into a test file; those without a file of their own into the first."""
    first = next((name for name in spec.test_files if is_test_file(name)), "")
    return tuple(test for test in spec.tests if not test.manual and (test.file or first) == path)
