"""What every step needs besides the state: the workspace, the model, the settings and the listeners."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from inlay.errors import InlayError
from inlay.implement.spec.document import Spec
from inlay.implement.spec.parse_document import parse
from inlay.implement.workflow.run_events import OnRunEvent, RunEvent, RunEventKind
from inlay.implement.workflow.run_state import Spent, State
from inlay.llm.limits import Spending
from inlay.llm.provider import Model
from inlay.model.decision import Approve
from inlay.model.file import File
from inlay.model.run import RunOptions
from inlay.model.settings import Settings
from inlay.storage import Workspace
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder


def ignore_event(event: RunEvent) -> None:
    """The listener of a run that nobody watches."""


@dataclass(frozen=True, slots=True)
class Job:
    """The context of one run; none of it is in a checkpoint, so that a resumed run may have another one."""

    root: str  #: the project, whose `.inlay` has the run's folder
    workspace: Workspace  #: where files are written: the project, or a worktree of it
    model: Model
    settings: Settings
    options: RunOptions = field(default_factory=RunOptions)
    spending: Spending = field(default_factory=Spending)
    approve: Approve | None = None  #: asked at once, in place of an interrupt
    ask: Approve | None = None  #: asked by the driver of the run, when it waits
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)  #: one question at a time, over all runs
    on_event: OnRunEvent = ignore_event

    def folder(self, state: State) -> RunFolder:
        return runs.find(self.root, state["run"])

    def file(self, path: str) -> File | None:
        """The file as it is now; None where there is none, or it cannot be read."""
        try:
            return self.workspace.read(self.workspace.locate(path))
        except InlayError:
            return None

    def spec(self, state: State) -> Spec:
        """The document as it was when the run began."""
        headings = json.dumps(dict(self.settings.table("implement.headings")), sort_keys=True)
        return _parsed(self.folder(state).text(state["spec"]), state["document"], headings)

    def tell(
        self, state: State, kind: RunEventKind, step: str, message: str, *, path: str = "", ok: bool = True
    ) -> None:
        tokens, cost = spent(state)
        self.on_event(RunEvent(state["run"], kind, step, message, path, ok, tokens, cost))


@lru_cache(maxsize=64)
def _parsed(text: str, name: str, headings: str) -> Spec:
    return parse(text, name, json.loads(headings))


def spent(state: State) -> tuple[int, float | None]:
    return total(state.get("spent", []))


def total(pieces: Sequence[Spent]) -> tuple[int, float | None]:
    """Tokens and money together; no sum of money where a part of it is not known."""
    costs = [piece["cost"] for piece in pieces if piece["cost"] is not None]
    return sum(piece["input"] + piece["output"] for piece in pieces), sum(costs) if len(costs) == len(pieces) else None
