"""An answer that is accepted at once is staged once and checked once, from the model to the disk."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import inlay
from inlay import (
    Answer,
    Approve,
    ChangeSet,
    Decision,
    EditsRefused,
    GenerateOptions,
    ModelInfo,
    Request,
    Task,
    Usage,
    Workspace,
)
from inlay.engine import checks, staging
from inlay.llm.provider import Model, OnText

FILE = "def area(width, height):\n    return width * height\n"
EDIT = "{}\n<<<<<<< SEARCH\n    return width * height\n=======\n    return {}\n>>>>>>> REPLACE\n"
COUNTED = {staging.stage.__code__: "staged", checks.run.__code__: "checked"}


class Scripted:
    """A model that gives these answers."""

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        return Answer(self._texts.pop(0), "end", Usage(10, 10))


def model(*texts: str) -> Model:
    return Model(ModelInfo("some:model", 200_000, 8_000), Scripted(*texts))


@contextmanager
def calls() -> Iterator[Counter[str]]:
    """How often the front doors are entered, whichever way they were imported."""
    counts: Counter[str] = Counter()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in COUNTED:
            counts[COUNTED[frame.f_code]] += 1

    sys.setprofile(profile)
    try:
        yield counts
    finally:
        sys.setprofile(None)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(FILE)
    return tmp_path


@pytest.mark.parametrize("files", [("one.py",), ("one.py", "two.py")])
def test_a_first_answer_is_staged_once_and_checked_once(project: Path, files: tuple[str, ...]) -> None:
    answer = "\n".join(EDIT.format(file, "abs(width * height)") for file in files)
    with calls() as counts:
        landing = inlay.generate(Task(files, "never negative"), Workspace(project), model(answer), GenerateOptions())
    assert landing.receipt is not None
    assert [(project / file).read_text().count("abs(") for file in files] == [1] * len(files)
    assert counts == {"staged": 1, "checked": 1}


def test_changes_that_were_replaced_after_the_checks_are_checked_again(project: Path) -> None:
    workspace = Workspace(project)
    answer = EDIT.format("one.py", "abs(width * height)")
    proposal = asyncio.run(inlay.propose(Task(("one.py",), "never negative"), workspace, model(answer)))
    broken = ChangeSet((replace(proposal.changes.changes[0], after="def area(:\n"),))
    with pytest.raises(EditsRefused, match="invalid syntax"):
        inlay.land_proposal(replace(proposal, changes=broken), workspace)
    assert (project / "one.py").read_text() == FILE


def test_a_decision_that_changes_the_content_is_checked_again(project: Path) -> None:
    long = FILE + "x = 1\n" * 200
    (project / "one.py").write_text(long)
    answer = f"one.py\n```python\n{long.replace('x = 1', 'x = 2')}```\n"
    task, options = Task(("one.py",), "let x be 2"), GenerateOptions(mode="whole")

    def decide(content: str) -> Approve:
        return lambda needs, changes: [Decision(need.path, strategy="edit", content=content) for need in needs]

    with pytest.raises(EditsRefused):
        inlay.generate(task, Workspace(project), model(answer), options, approve=decide(f"{long}def area(:\n"))
    with calls() as counts:
        inlay.generate(task, Workspace(project), model(answer), options, approve=decide(f"{long}z = 1\n"))
    assert (project / "one.py").read_text() == f"{long}z = 1\n"
    assert counts == {"staged": 1, "checked": 2}
