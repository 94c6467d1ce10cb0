"""Design documents: parsing, gate, tests, the workflow graph, runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inlay.implement.run.graph_api import begin, graph
    from inlay.implement.workflow.run_events import RunEvent
    from inlay.implement.workflow.run_state import State

__all__ = ["RunEvent", "State", "begin", "graph"]

_HOMES = {
    "RunEvent": "inlay.implement.workflow.run_events",
    "State": "inlay.implement.workflow.run_state",
    "begin": "inlay.implement.run.graph_api",
    "graph": "inlay.implement.run.graph_api",
}


def __getattr__(name: str) -> object:
    """Import on first use only: parsing a document needs no graph."""
    if name not in _HOMES:
        raise AttributeError(f"module 'inlay.implement' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
