"""The workflow as a graph: which step comes after which. What a step does is its own file in `steps/`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import State, checked

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable
    from langgraph.graph import StateGraph

Step: TypeAlias = Callable[[State, Job], Awaitable[dict[str, Any]]]


def assemble(job: Job) -> StateGraph[State, None, State, State]:
    """The graph of a job, to be compiled with any checkpointer.

    load → gate → tests → (generate → write ⇄ approve)* → red → (generate → write ⇄ approve)* → green
    green → iterate → generate …   while tests fail
    green → cover → generate …     while too little is covered
    cover → merge → report
    """
    from langgraph.graph import END, START, StateGraph

    graph: StateGraph[State, None, State, State] = StateGraph(State)
    for name, step in _steps().items():
        graph.add_node(name, _node(step, job))
    graph.add_edge(START, "load")
    graph.add_edge("load", "gate")
    for name, route, targets in _ROUTES:
        graph.add_conditional_edges(name, route, list(targets))
    graph.add_edge("merge", "report")
    graph.add_edge("report", END)
    return graph


def _steps() -> dict[str, Step]:
    from inlay.implement.workflow.steps.approve import approve
    from inlay.implement.workflow.steps.cover import cover
    from inlay.implement.workflow.steps.gate import gate
    from inlay.implement.workflow.steps.generate import generate
    from inlay.implement.workflow.steps.green import green
    from inlay.implement.workflow.steps.iterate import iterate
    from inlay.implement.workflow.steps.load import load
    from inlay.implement.workflow.steps.merge import merge
    from inlay.implement.workflow.steps.red import red
    from inlay.implement.workflow.steps.report import report
    from inlay.implement.workflow.steps.tests import tests
    from inlay.implement.workflow.steps.write import write

    steps = (load, gate, tests, generate, write, approve, red, green, iterate, cover, merge, report)
    return {step.__name__: step for step in steps}


def _node(step: Step, job: Job) -> Runnable[State, dict[str, Any]]:
    """A step as the graph calls it: awaited by an asynchronous program, in its own event loop otherwise."""
    from langchain_core.runnables import RunnableLambda

    async def awaited(state: State) -> dict[str, Any]:
        return checked(await step(state, job))

    def called(state: State) -> dict[str, Any]:
        return asyncio.run(awaited(state))

    return RunnableLambda(called, awaited, name=step.__name__)


def _next_work(state: State) -> str:
    """Write what is proposed, ask for what is left, and then run the tests."""
    if state.get("outcome"):
        return "report"
    if state.get("asked"):
        return "approve"
    if state.get("proposed"):
        return "write"
    if state.get("queue"):
        return "generate"
    return "red" if state["phase"] == "tests" else "green"


def _after_gate(state: State) -> str:
    return "report" if state.get("outcome") else "tests"


def _after_green(state: State) -> str:
    if state.get("outcome"):
        return "report"
    return "iterate" if state["tested"]["failing"] else "cover"


def _after_cover(state: State) -> str:
    return "merge" if state.get("outcome") == "green" else _next_work(state)


_WORK = ("approve", "write", "generate", "red", "green", "report")
_ROUTES: tuple[tuple[str, Callable[[State], str], tuple[str, ...]], ...] = (
    ("gate", _after_gate, ("tests", "report")),
    ("tests", _next_work, _WORK),
    ("generate", _next_work, _WORK),
    ("write", _next_work, _WORK),
    ("approve", _next_work, _WORK),
    ("red", _next_work, _WORK),
    ("green", _after_green, ("iterate", "cover", "report")),
    ("iterate", _next_work, _WORK),
    ("cover", _after_cover, ("merge", *_WORK)),
)
