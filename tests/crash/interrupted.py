"""A run of the design-document workflow that dies at a chosen moment, and what may be found once it was resumed."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import scene
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

import greeting
from greeting import COMMAND, INFO, RIGHT, Scripted
from inlay.implement.run.drive import drive
from inlay.implement.run.schedule import Launch, prepare
from inlay.implement.workflow.run_events import RunEvent
from inlay.llm.cache import key_of
from inlay.llm.provider import Model, OnText
from inlay.model.answer import Answer
from inlay.model.prompt import Request
from inlay.model.run import RunOptions
from inlay.model.settings import Settings
from inlay.storage.stores import runs
from inlay.storage.stores.answer_cache import AnswerCache


class Clock:
    """Counts moments, and ends the process at a given one: nothing gets to say goodbye."""

    at = 0  # 0: never
    count = 0

    @classmethod
    def tick(cls, *_: object) -> None:
        cls.count += 1
        if cls.count == cls.at:
            os.kill(os.getpid(), signal.SIGKILL)


class TickingSaver(AsyncSqliteSaver):
    """Keeps checkpoints, and counts the moments before and after: these are the boundaries of the steps."""

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: dict[str, Any],
    ) -> RunnableConfig:
        Clock.tick()
        done = await super().aput(config, checkpoint, metadata, new_versions)
        Clock.tick()
        return done

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        Clock.tick()
        await super().aput_writes(config, writes, task_id, task_path)
        Clock.tick()


class Logged(Scripted):
    """A model that writes down what it is asked, and whether the answer was stored already."""

    def __init__(self, root: Path, answers: str) -> None:
        super().__init__(delay=0.02)
        self._log, self._stored = root / ".asked", AnswerCache(answers)

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        stored = self._stored.read(key_of(INFO.name, request)) is not None
        descriptor = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, f"{'again' if stored else 'first'} {request.label}\n".encode())
        os.close(descriptor)
        return await super().ask(request, on_text)


def begin(root: Path) -> None:
    """A project with a run that has not taken a step yet."""
    greeting.build(root)
    runs.create(str(root), "design.md", greeting.DOCUMENT, RunOptions())


def go(root: Path) -> None:
    """The run from wherever it stands to its end."""
    folder = runs.find(str(root), "1")
    model = Model(INFO, Logged(root, folder.answers))
    settings = Settings.of(implement__test_command=COMMAND)

    def heard(event: RunEvent) -> None:
        if event.kind != "status":
            Clock.tick()

    launch = Launch(str(root), lambda name: model, settings, heard)
    ending = asyncio.run(drive(folder, prepare(folder, launch), saver_class=TickingSaver))
    assert ending.status == "green", ending.reason


def dies_at(moment: int, root: Path) -> bool:
    """Run it in a child that dies at a moment; False where it came to its end before."""

    def action() -> None:
        Clock.at, Clock.count = moment, 0
        go(root)

    return scene.in_child(action) == -signal.SIGKILL


def dies_after(seconds: float, root: Path) -> bool:
    """Run it in a child that is killed after a time."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            go(root)
            code = 0
        finally:
            os._exit(code)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@dataclass(frozen=True)
class Found:
    """What there is to see after a run was killed and resumed."""

    resumed: bool
    same_tree: bool
    written_twice: int
    asked_again: int  # although the answer was stored

    @property
    def fine(self) -> bool:
        return self.resumed and self.same_tree and not self.written_twice and not self.asked_again


def look(root: Path) -> Found:
    """Resume the run undisturbed, and look."""
    resumed = scene.in_child(lambda: go(root)) == 0
    tree = {path: text for path, text in greeting.tree(root).items() if path != ".asked"}
    expected = {**greeting.tree(_untouched(root)), **RIGHT}
    times = Counter(greeting.written(root))
    asked = (root / ".asked").read_text().splitlines() if (root / ".asked").exists() else []
    return Found(
        resumed,
        tree == expected,
        sum(count - 1 for count in times.values()),
        sum(line.startswith("again") for line in asked),
    )


def _untouched(root: Path) -> Path:
    place = root.with_name(f"{root.name}-untouched")
    place.mkdir()
    return greeting.build(place)


def span(root: Path) -> float:
    """Seconds that an undisturbed run takes."""
    began = time.monotonic()
    assert scene.in_child(lambda: go(root)) == 0
    return time.monotonic() - began


def boundaries(base: Path, *, step: int = 1, first: int = 1) -> tuple[int, list[tuple[int, Found]]]:
    """Kill at every `step`-th boundary; how many there were, and those after which something was amiss."""
    tried, bad = 0, []
    for moment in range(first, 10_000, step):
        root = base / f"at{moment}"
        root.mkdir()
        begin(root)
        died = dies_at(moment, root)
        found = look(root)
        tried += 1
        if not found.fine:
            bad.append((moment, found))
        shutil.rmtree(root)
        shutil.rmtree(root.with_name(f"{root.name}-untouched"))
        if not died:
            break
    return tried, bad


def moments(base: Path, count: int, *, seed: int = 1) -> tuple[int, list[tuple[float, Found]]]:
    """Kill at random moments; how many died before the end, and those after which something was amiss."""
    chance = random.Random(seed)
    first = base / "undisturbed"
    first.mkdir()
    begin(first)
    whole = span(first)
    died, bad = 0, []
    for number in range(count):
        root = base / f"after{number}"
        root.mkdir()
        begin(root)
        moment = chance.uniform(0, whole)
        died += dies_after(moment, root)
        found = look(root)
        if not found.fine:
            bad.append((moment, found))
        shutil.rmtree(root)
        shutil.rmtree(root.with_name(f"{root.name}-untouched"))
    return died, bad
