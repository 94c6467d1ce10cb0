"""Where runs are kept: `.inlay/runs/<id>/` with the description, the progress, contents by digest, and a lock."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from inlay.errors import EnvironmentFailure, UnknownRun
from inlay.model.run import Run, RunOptions, RunProgress
from inlay.storage.state import atomic_write, record_codec, state_dir
from inlay.storage.state.lock import LockBusy, locked

_RUNS, _DESCRIPTION, _PROGRESS = "runs", "run.json", "progress.json"
_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class _Description:
    document: str
    spec: str
    started: str
    options: RunOptions


class RunFolder:
    """The directory of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def checkpoints(self) -> str:
        """Where the graph keeps its state."""
        return str(self.path / "checkpoints.db")

    @property
    def answers(self) -> str:
        """Where the answers are kept that were paid for."""
        return str(self.path / "answers")

    @property
    def tree(self) -> str:
        """The worktree of a run that has its own."""
        return str(self.path / "tree")

    def put(self, content: str | bytes) -> str:
        """Store content durably by its digest; the same content is stored once."""
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        digest = hashlib.sha256(data).hexdigest()
        folder = self.path / "contents"
        if not (folder / digest).exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            atomic_write.replace_path(folder / digest, data)
        return digest

    def get(self, digest: str) -> bytes:
        """Stored content; raises where it is lost or damaged."""
        try:
            data = (self.path / "contents" / digest).read_bytes()
        except OSError as error:
            raise EnvironmentFailure(f"run {self.id} has lost content {digest[:12]}: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise EnvironmentFailure(f"run {self.id}: content {digest[:12]} is damaged")
        return data

    def text(self, digest: str) -> str:
        return self.get(digest).decode("utf-8", "surrogatepass")

    def save(self, name: str, content: str) -> str:
        """Write a file of the run by name; returns its path."""
        atomic_write.replace_path(self.path / name, content.encode())
        return str(self.path / name)

    def load(self, name: str) -> str | None:
        """A file of the run by name; None where there is none."""
        try:
            return (self.path / name).read_text("utf-8")
        except FileNotFoundError:
            return None

    def describe(self) -> Run:
        """What was asked for."""
        stored = _read(self.path / _DESCRIPTION, _Description)
        return Run(self.id, stored.document, stored.spec, stored.started, stored.options)

    def report_progress(self, progress: RunProgress) -> None:
        """Store how far the run has come; it is only displayed, so it need not survive a power cut."""
        data = record_codec.encode(replace(progress, at=now()))
        atomic_write.replace_path(self.path / _PROGRESS, data, durable=False)

    def progress(self) -> RunProgress:
        """How far the run has come; one that is marked as running without a process was interrupted."""
        try:
            progress = _read(self.path / _PROGRESS, RunProgress)
        except EnvironmentFailure:
            return RunProgress("interrupted")
        if progress.status == "running":
            with contextlib.suppress(LockBusy), self.driving():
                return replace(progress, status="interrupted")
        return progress

    @contextlib.contextmanager
    def driving(self) -> Iterator[None]:
        """Drive the run, alone."""
        with locked(self.path / "lock", busy=f"another process is busy with run {self.id}"):
            yield


def create(root: str, document: str, text: str, options: RunOptions) -> RunFolder:
    """A new run with the next free number; the description comes last and makes it exist."""
    with state_dir.opened(root):
        folder = Path(root, state_dir.NAME, _RUNS)
        folder.mkdir(mode=0o700, exist_ok=True)
    number = max(_numbers(folder), default=0) + 1
    while True:
        try:
            (folder / str(number)).mkdir(mode=0o700)
            break
        except FileExistsError:  # another process took it
            number += 1
    run = RunFolder(folder / str(number))
    description = _Description(document, run.put(text), now(), options)
    atomic_write.replace_path(run.path / _DESCRIPTION, record_codec.encode(description))
    return run


def find(root: str, id: str | None = None) -> RunFolder:
    """The run with that number, or the last one that can be resumed; raises UnknownRun."""
    if id is None:
        for run in newest_first(root):
            if run.progress().status in ("waiting", "interrupted"):
                return run
        raise UnknownRun("there is no run to resume; `inlay runs` lists all runs")
    path = Path(root, state_dir.NAME, _RUNS, id)
    if not (id.isascii() and id.isdigit() and (path / _DESCRIPTION).exists()):
        raise UnknownRun(f"there is no run {id[:40]!r}; `inlay runs` lists all runs")
    return RunFolder(path)


def newest_first(root: str) -> tuple[RunFolder, ...]:
    folder = Path(root, state_dir.NAME, _RUNS)
    numbers = sorted(_numbers(folder), reverse=True)
    return tuple(RunFolder(folder / str(n)) for n in numbers if (folder / str(n) / _DESCRIPTION).exists())


def now() -> str:
    """The time as runs store it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _numbers(folder: Path) -> list[int]:
    try:
        return [int(name) for name in os.listdir(folder) if name.isascii() and name.isdigit()]
    except FileNotFoundError:
        return []


def _read(path: Path, kind: type[_Record]) -> _Record:
    try:
        return record_codec.decode(path.read_bytes(), kind)
    except (OSError, ValueError) as error:
        raise EnvironmentFailure(f"{path.parent.name}/{path.name} cannot be read: {error}") from None
