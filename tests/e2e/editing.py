"""Small editing tasks put to a model through `inlay edit`, each judged by running a check."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import exact
from inlay.cli.main import main

_EXPECTED = (0, 3, 4, 5)  # done, or refused with a reason
_TASKS = Path(__file__).with_name("tasks.toml")


@dataclass(frozen=True)
class Editing:
    """One small change to one small file."""

    name: str
    path: str
    before: str
    instruction: str
    check: str  # Python, run where the file is
    needs: str = ""  # a program that the check calls


@dataclass(frozen=True)
class Outcome:
    """What one task came to in one format, with everything that is needed to replay it."""

    task: str
    format: str
    code: int  # of the command
    after: str  # the file's content afterwards
    right: bool  # whether the check passed
    damaged: bool  # the command failed and something changed, or it changed what it was not asked to
    transcript: tuple[str, ...]  # lines of the recording
    seconds: float = 0.0

    @property
    def replies(self) -> list[str]:
        """What the model said, in order."""
        said = [json.loads(line) for line in self.transcript]
        return [entry["text"] for entry in said if "text" in entry]


def tasks() -> tuple[Editing, ...]:
    """All of them."""
    return tuple(Editing(name, **facts) for name, facts in tomllib.loads(_TASKS.read_text(encoding="utf-8")).items())


def edit(task: Editing, format: str, model: str, options: Sequence[str] = ()) -> Outcome:
    """Have the model do one task with `inlay edit`, in this very process, so that a local model is loaded once."""
    with _project(task, task.before) as folder:
        transcript = folder.parent / "transcript.jsonl"
        words = ["edit", task.path, "-m", task.instruction, "-C", str(folder), "--model", model, "--auto", "--quiet"]
        words += ["--mode", "edits", "--format", format, "--record", str(transcript), *options]
        code = _called(words)
        after = (folder / task.path).read_text(encoding="utf-8")
        others = {each.name for each in folder.iterdir()} - {task.path, ".inlay"}
        damaged = bool(others) or (code != 0 and after != task.before)
        lines = tuple(transcript.read_text(encoding="utf-8").splitlines()) if transcript.exists() else ()
        right = code == 0 and passes(task, after)
        return Outcome(task.name, format, code, after, right, damaged, lines)


def _called(words: Sequence[str]) -> int:
    said = io.StringIO()
    code: object = None
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            main(list(words))
    except SystemExit as left:
        code = left.code
    if not isinstance(code, int) or code not in _EXPECTED:
        raise AssertionError(f"exit code {code}: {said.getvalue()}")
    return code


def exactly(task: Editing, outcome: Outcome) -> bool:
    """Whether the same replies, applied only where they match exactly, end in a file that passes."""
    for reply in outcome.replies:
        content = exact.applied(task.path, task.before, reply)
        if content is not None:
            return passes(task, content)
    return False


def passes(task: Editing, content: str) -> bool:
    """Whether the task is done in a file of this content."""
    with _project(task, content) as folder:
        command = [sys.executable, "-c", task.check]
        nowhere = subprocess.DEVNULL
        try:
            return not subprocess.run(command, cwd=folder, timeout=60, stdout=nowhere, stderr=nowhere).returncode
        except subprocess.TimeoutExpired:
            return False


def can_be_checked(task: Editing) -> bool:
    """Whether this machine has what the check calls."""
    return not task.needs or shutil.which(task.needs) is not None


@contextlib.contextmanager
def _project(task: Editing, content: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="inlay-editing-") as above:
        folder = Path(above, "project")
        folder.mkdir()
        (folder / task.path).write_text(content, encoding="utf-8")
        yield folder


def save(file: Path, outcomes: Sequence[Outcome]) -> None:
    """Keep outcomes, one on a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(asdict(each)) + "\n" for each in outcomes), encoding="utf-8")


def load(file: Path) -> list[Outcome]:
    """What was kept."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Outcome(**said | {"transcript": tuple(said["transcript"])}) for said in map(json.loads, lines)]
