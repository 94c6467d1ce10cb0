"""What every step needs besides the state: where it works, whom it asks, and who watches."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from functools import lru_cache

from inlay.implement.spec.document import Spec
from inlay.implement.spec.parse_document import parse
from inlay.implement.workflow.run_events import OnRunEvent, RunEvent, RunEventKind
from inlay.implement.workflow.run_state import State
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.model.decision import Approve
from inlay.model.run import RunOptions
from inlay.model.settings import Settings
from inlay.storage import Workspace
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder


def _ignore(event: RunEvent) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Job:
    """The surroundings of one run; none of it is in a checkpoint, so that a resumed run may have other ones."""

    root: str  #: the project, whose `.inlay` has the run's folder
    workspace: Workspace  #: where files are written: the project, or a worktree of it
    model: Model
    settings: Settings
    options: RunOptions = field(default_factory=RunOptions)
    spending: Spending = field(default_factory=Spending)
    approve: Approve | None = None  #: asked at once, in place of an interrupt
    ask: Approve | None = None  #: asked by whoever drives the run, when it waits
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)  #: one question at a time, over all runs
    on_event: OnRunEvent = _ignore

    def folder(self, state: State) -> RunFolder:
        """Where the run keeps its contents."""
        return runs.find(self.root, state["run"])

    def spec(self, state: State) -> Spec:
        """The document as it was when the run began."""
        headings = json.dumps(dict(self.settings.table("implement.headings")), sort_keys=True)
        return _parsed(self.folder(state).text(state["spec"]), state["document"], headings)

    def tell(
        self, state: State, kind: RunEventKind, step: str, message: str, *, path: str = "", ok: bool = True
    ) -> None:
        """Say what happens."""
        tokens, cost = spent(state)
        self.on_event(RunEvent(state["run"], kind, step, message, path, ok, tokens, cost))


@lru_cache(maxsize=64)
def _parsed(text: str, name: str, headings: str) -> Spec:
    return parse(text, name, json.loads(headings))


def spent(state: State) -> tuple[int, float | None]:
    """Tokens and money that a run has used; no sum of money where a part of it is not known."""
    pieces = state.get("spent", [])
    costs = [each["cost"] for each in pieces]
    known = [cost for cost in costs if cost is not None]
    return sum(each["input"] + each["output"] for each in pieces), sum(known) if len(known) == len(costs) else None
