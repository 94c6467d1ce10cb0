"""Traces a run: the modules, functions and packages it enters in call order, and the programs it starts."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from types import CodeType, FrameType

_OPTIMIZED = 0x01  # in co_flags: a function, not the body of a module or class
#: The entry functions of staging and of the checks: folder and name.
STAGE, CHECK = ("staging", "stage"), ("checks", "run")


@dataclass(frozen=True, slots=True)
class Trail:
    """The trace of one run."""

    entered: tuple[tuple[str, str], ...]  #: file and function, each once, in the order of their first call
    calls: Counter[tuple[str, str]]  #: of each function, by folder and name
    programs: tuple[str, ...]  #: names of the programs started

    @property
    def modules(self) -> int:
        return len({file for file, _ in self.entered})

    @property
    def functions(self) -> int:
        return len(self.entered)

    @property
    def top_changes(self) -> int:
        """How often the next function is in another package directly below the root."""
        return _changes(PurePosixPath(file).parts[0] for file, _ in self.entered)

    @property
    def folder_changes(self) -> int:
        """How often the next function is in another folder."""
        return _changes(str(_folder(file)) for file, _ in self.entered)

    @property
    def git(self) -> int:
        return self.programs.count("git")


def trace(package: Path, run: Callable[[], object]) -> Trail:
    """Run a function and trace the modules below `package`, in every thread."""
    recorder = _Recorder(f"{package.resolve()}/")
    sys.addaudithook(recorder.audit)  # a hook cannot be removed, so it is switched off instead
    threading.setprofile(recorder.profile)
    sys.setprofile(recorder.profile)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        recorder.on = False
    return Trail(tuple(recorder.entered), recorder.calls, tuple(recorder.programs))


class _Recorder:
    """Receives the events of the interpreter."""

    def __init__(self, root: str) -> None:
        self.on = True
        self.entered: dict[tuple[str, str], None] = {}  # a set that keeps its order
        self.calls: Counter[tuple[str, str]] = Counter()
        self.programs: list[str] = []
        self._root = root

    def audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event == "subprocess.Popen":
            command = arguments[1]
            first = command[0] if isinstance(command, list | tuple) else command
            self.programs.append(Path(str(first)).name)

    def profile(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self._root) or not _is_named(code):
            return
        file = code.co_filename.removeprefix(self._root)
        key = (file, code.co_qualname)
        if key in self.entered or not self._is_importing(frame):
            self.entered[key] = None
            self.calls[_folder(file).name, code.co_qualname] += 1

    def _is_importing(self, frame: FrameType) -> bool:
        """Whether a module is being imported: what its body calls is not part of the walk."""
        caller = frame.f_back
        while caller is not None:
            if caller.f_code.co_name == "<module>" and caller.f_code.co_filename.startswith(self._root):
                return True
            caller = caller.f_back
        return False


def _is_named(code: CodeType) -> bool:
    # Comprehensions have frames only before Python 3.12; `__init__` and other special methods only build values.
    return bool(code.co_flags & _OPTIMIZED) and not code.co_name.startswith(("<", "__"))


def _folder(file: str) -> PurePosixPath:
    """The folder of a module; a module at the root is a package of its own."""
    path = PurePosixPath(file)
    return path.parent if len(path.parts) > 1 else path


def _changes(packages: Iterable[str]) -> int:
    return sum(one != other for one, other in pairwise(packages))
