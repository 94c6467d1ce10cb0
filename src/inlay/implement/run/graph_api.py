"""The workflow as a graph of your own program: your checkpointer, your approval, your events."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from inlay.implement.run.drive import start
from inlay.implement.workflow.build_graph import assemble
from inlay.implement.workflow.run_context import Job, ignore_event
from inlay.implement.workflow.run_events import OnRunEvent
from inlay.implement.workflow.run_state import State
from inlay.llm import Model, open_model
from inlay.llm.limits import Spending
from inlay.model.answer import Limits
from inlay.model.decision import Approve
from inlay.model.run import RunOptions
from inlay.model.settings import Settings
from inlay.storage import Workspace
from inlay.storage.stores import runs

if TYPE_CHECKING:
    from langgraph.graph import StateGraph


def begin(root: str, document: str, *, options: RunOptions | None = None) -> State:
    """The state with which the graph is invoked: a new run on a document, given by its path below the root."""
    text = Path(root, document).read_text("utf-8")
    return start(runs.create(str(Path(root).absolute()), document, text, options or RunOptions()))


def graph(
    root: str,
    *,
    model: str | Model | None = None,
    settings: Settings | None = None,
    environ: Mapping[str, str] | None = None,
    options: RunOptions | None = None,
    approve: Approve | None = None,
    on_event: OnRunEvent | None = None,
) -> StateGraph[State, None, State, State]:
    """The workflow, to be compiled with any checkpointer and invoked with what `begin` gives.

    With `approve` every question is answered at once. Without, the graph interrupts: the value of the interrupt says
    what must be decided, and `Command(resume={"decisions": [...]})` answers it, as docs/approval.md has it. Answers of
    the model are kept in the run's folder below `.inlay/runs`, so that a step that is run again does not ask again.
    """
    place, chosen = str(Path(root).absolute()), settings or Settings.of()
    given = model if isinstance(model, Model) else open_model(model, chosen, environ or {})
    limits = Limits(
        tokens=chosen.integer("max_tokens"), cost=chosen.number("max_cost"), seconds=chosen.number("max_seconds")
    )
    return assemble(
        Job(
            root=place,
            workspace=Workspace(place),
            model=given,
            settings=chosen,
            options=options or RunOptions(),
            spending=Spending(limits),
            approve=approve,
            on_event=on_event or ignore_event,
        )
    )
