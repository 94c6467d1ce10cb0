"""Where runs are kept: `.inlay/runs/<id>/` with the description, the progress, contents by digest, and a lock."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inlay.errors import EnvironmentFailure, UnknownRun
from inlay.model.run import Run, RunOptions, RunProgress
from inlay.storage.paths import confined_open
from inlay.storage.state import state_dir

_RUNS = "runs"
_DESCRIPTION = "run.json"
_PROGRESS = "progress.json"


class RunFolder:
    """The directory of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def id(self) -> str:
        """The run's number."""
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
        """Where a run in a worktree of its own works."""
        return str(self.path / "tree")

    def put(self, content: str | bytes) -> str:
        """Keep content by its digest, durably; the same content is kept once."""
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        digest = hashlib.sha256(data).hexdigest()
        folder = self.path / "contents"
        if not (folder / digest).exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            _replace(folder / digest, data)
        return digest

    def get(self, digest: str) -> bytes:
        """Content that was kept; raises where it is gone or not what it was."""
        try:
            data = (self.path / "contents" / digest).read_bytes()
        except OSError as error:
            raise EnvironmentFailure(f"run {self.id} has lost content {digest[:12]}: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise EnvironmentFailure(f"run {self.id}: content {digest[:12]} is damaged")
        return data

    def text(self, digest: str) -> str:
        """Kept content that is text."""
        return self.get(digest).decode("utf-8", "surrogatepass")

    def save(self, name: str, content: str) -> str:
        """Write a file of the run by name, old or new at every moment; tells where it is."""
        _replace(self.path / name, content.encode())
        return str(self.path / name)

    def load(self, name: str) -> str | None:
        """A file of the run by name, or None."""
        try:
            return (self.path / name).read_text("utf-8")
        except FileNotFoundError:
            return None

    def describe(self) -> Run:
        """What was asked for."""
        told = _read(self.path / _DESCRIPTION)
        return Run(self.id, told["document"], told["spec"], told["started"], RunOptions(**told["options"]))

    def report_progress(self, progress: RunProgress) -> None:
        """Say how far the run has come; only told, so it need not outlast a power cut."""
        _replace(self.path / _PROGRESS, json.dumps(asdict(replace(progress, at=now()))).encode(), durable=False)

    def progress(self) -> RunProgress:
        """How far the run has come; what says it is running while nobody drives it was interrupted."""
        try:
            told = _read(self.path / _PROGRESS)
        except EnvironmentFailure:
            return RunProgress("interrupted")
        found = RunProgress(**{**told, "files": tuple(told["files"])})
        return replace(found, status="interrupted") if found.status == "running" and not self.is_driven() else found

    def is_driven(self) -> bool:
        """Whether a process drives the run right now."""
        try:
            with self.driving():
                return False
        except EnvironmentFailure:
            return True

    @contextlib.contextmanager
    def driving(self) -> Iterator[None]:
        """Drive the run, alone; the kernel lets go when the process dies, however it dies."""
        descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise EnvironmentFailure(f"another process is busy with run {self.id}") from None
            yield
        finally:
            os.close(descriptor)


def create(root: str, document: str, text: str, options: RunOptions) -> RunFolder:
    """A new run with the next free number; it is there once its description is, which comes last."""
    folder = _folder(root)
    known = _numbers(folder)
    number = max(known, default=0) + 1
    while True:
        try:
            (folder / str(number)).mkdir(mode=0o700)
            break
        except FileExistsError:  # another process took it
            number += 1
    run = RunFolder(folder / str(number))
    told = {"document": document, "spec": run.put(text), "started": now(), "options": asdict(options)}
    _replace(run.path / _DESCRIPTION, json.dumps(told).encode())
    return run


def find(root: str, id: str | None = None) -> RunFolder:
    """The run with that number, or the last one that can go on; raises UnknownRun."""
    if id is None:
        return _last_open(root)
    path = Path(root, state_dir.NAME, _RUNS, id)
    if not (id.isascii() and id.isdigit() and (path / _DESCRIPTION).exists()):
        raise UnknownRun(f"there is no run {id[:40]!r}; `inlay runs` lists all there are")
    return RunFolder(path)


def newest_first(root: str) -> tuple[RunFolder, ...]:
    """Every run of a project."""
    folder = Path(root, state_dir.NAME, _RUNS)
    numbers = sorted(_numbers(folder), reverse=True)
    return tuple(RunFolder(folder / str(n)) for n in numbers if (folder / str(n) / _DESCRIPTION).exists())


def now() -> str:
    """The time as runs tell it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _last_open(root: str) -> RunFolder:
    for each in newest_first(root):
        if each.progress().status in ("waiting", "interrupted"):
            return each
    raise UnknownRun("there is no run that could go on; `inlay runs` lists all there are")


def _folder(root: str) -> Path:
    """`.inlay/runs`, made where it is missing."""
    descriptor = confined_open.open_root(root)
    try:
        with state_dir.made(descriptor):
            pass
    except OSError as error:
        raise confined_open.failure(state_dir.NAME, error) from error
    finally:
        os.close(descriptor)
    folder = Path(root, state_dir.NAME, _RUNS)
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _numbers(folder: Path) -> list[int]:
    try:
        return [int(name) for name in os.listdir(folder) if name.isascii() and name.isdigit()]
    except FileNotFoundError:
        return []


def _read(path: Path) -> Mapping[str, Any]:
    try:
        told = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise EnvironmentFailure(f"{path.parent.name}/{path.name} cannot be read: {error}") from None
    assert isinstance(told, dict)
    return told


def _replace(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Whole at every moment, and on the disk when this returns unless it need not be."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with open(fresh, "wb") as stream:
        stream.write(data)
        stream.flush()
        if durable:
            os.fsync(stream.fileno())
    os.replace(fresh, path)
    if not durable:
        return
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
