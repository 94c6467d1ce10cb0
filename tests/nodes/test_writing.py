"""The node writes what is safe, waits for what is not, and never writes twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from inlay import PathTraversalError, SafeFileWriteError, StaleFile
from inlay.nodes import FileWriteProposal, SafeWriteState, safe_file_write, safe_file_write_async

LONG = "".join(f"value_{n} = {n}\n" for n in range(150))
NEW = "answer = 42\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "long.py").write_text(LONG)
    (tmp_path / "short.py").write_text("x = 1\n")
    return tmp_path


def proposing(project: Path, *names: str, **more: Any) -> SafeWriteState:
    writes: list[FileWriteProposal] = [{"file_path": name, "new_content": NEW} for name in names]
    return SafeWriteState(project_root=str(project), proposed_writes=writes, **more)


def test_new_and_small_files_are_written_at_once(project: Path) -> None:
    done = safe_file_write(proposing(project, "new/file.py", "short.py"))
    assert [(file["file_path"], file["action"]) for file in done["written_files"]] == [
        ("new/file.py", "created"),
        ("short.py", "updated"),
    ]
    assert (project / "new/file.py").read_text() == (project / "short.py").read_text() == NEW
    assert (done["awaiting_approval"], done["proposed_writes"]) == ([], [])


def test_a_long_file_waits_and_keeps_the_others_waiting(project: Path) -> None:
    done = safe_file_write(proposing(project, "short.py", "long.py"))
    assert done["awaiting_approval"] == ["long.py"]
    assert done["written_files"] == []
    short, long = done["proposed_writes"]
    assert (short["requires_approval"], short["existing_content"]) == (False, None)
    assert (long["requires_approval"], long["existing_lines"], long["new_lines"]) == (True, 150, 1)
    assert long["headline"] == "About to replace 150 lines with 1 line (-149)"
    assert long["existing_content"] == LONG
    assert "-value_149 = 149\n+answer = 42" in long["diff"]
    assert (project / "short.py").read_text() == "x = 1\n"
    json.dumps(done)  # any checkpoint can hold it


def test_auto_mode_fails_and_force_writes(project: Path) -> None:
    with pytest.raises(SafeFileWriteError, match=r"long\.py"):
        safe_file_write(proposing(project, "long.py", auto_mode=True))
    assert (project / "long.py").read_text() == LONG
    done = safe_file_write(proposing(project, "long.py", auto_mode=True, force_replace=True))
    assert len(done["written_files"]) == 1
    assert (project / "long.py").read_text() == NEW


@pytest.mark.parametrize(
    ("decision", "after"),
    [
        ({"approved": True}, NEW),
        ({"approved": True, "strategy": "replace"}, NEW),
        ({"approved": True, "strategy": "append"}, LONG + NEW),
        ({"approved": True, "strategy": "insert", "insertion_point": 1}, NEW + LONG),
        ({"approved": False}, LONG),
    ],
)
def test_decisions_are_carried_out(project: Path, decision: dict[str, Any], after: str) -> None:
    state = proposing(project, "long.py")
    state |= safe_file_write(state)
    state["merge_decisions"] = [{"file_path": "./long.py", **decision}]  # type: ignore[typeddict-item]
    state |= safe_file_write(state)
    assert (project / "long.py").read_text() == after
    assert state["awaiting_approval"] == []


def test_a_call_repeated_after_a_crash_writes_nothing_twice(project: Path) -> None:
    state = proposing(project, "long.py")
    state |= safe_file_write(state)
    state["merge_decisions"] = [{"file_path": "long.py", "approved": True, "strategy": "append"}]
    safe_file_write(state)
    again = safe_file_write(state)  # the state of before, as a checkpoint would give it
    assert again["written_files"] == []
    assert (project / "long.py").read_text() == LONG + NEW


def test_a_file_that_changed_since_it_was_read_is_left_alone(project: Path) -> None:
    state = proposing(project, "long.py")
    state |= safe_file_write(state)
    state["merge_decisions"] = [{"file_path": "long.py", "approved": True, "strategy": "append"}]
    (project / "long.py").write_text("somebody's work\n")
    with pytest.raises(StaleFile, match="changed since it was read"):
        safe_file_write(state)
    assert (project / "long.py").read_text() == "somebody's work\n"


def test_a_proposal_may_say_itself_how_it_joins_the_file(project: Path) -> None:
    state = proposing(project, "long.py", auto_mode=True)
    state["proposed_writes"][0]["merge_strategy"] = "append"
    safe_file_write(state)
    assert (project / "long.py").read_text() == LONG + NEW


def test_no_path_leaves_the_project(project: Path) -> None:
    with pytest.raises(PathTraversalError):
        safe_file_write(proposing(project, "../../etc/passwd"))


def test_the_asynchronous_node_does_the_same(project: Path) -> None:
    done = asyncio.run(safe_file_write_async(proposing(project, "short.py")))
    assert len(done["written_files"]) == 1
    assert (project / "short.py").read_text() == NEW


class Graph:
    """Write, and where a decision is needed interrupt for it and write then."""

    def __init__(self, *, is_async: bool) -> None:
        from langgraph.checkpoint.memory import InMemorySaver
        from langgraph.graph import END, START, StateGraph
        from langgraph.types import interrupt

        def review(state: SafeWriteState) -> dict[str, Any]:
            return {"merge_decisions": interrupt(state["awaiting_approval"])}

        graph = StateGraph(SafeWriteState)
        graph.add_node("write", safe_file_write_async if is_async else safe_file_write)
        graph.add_node("review", review)
        graph.add_edge(START, "write")
        graph.add_conditional_edges("write", lambda state: "review" if state["awaiting_approval"] else END)
        graph.add_edge("review", "write")
        self.compiled = graph.compile(checkpointer=InMemorySaver())


DECISION = [{"file_path": "long.py", "approved": True, "strategy": "append"}]


def test_in_a_real_graph(project: Path) -> None:
    pytest.importorskip("langgraph")
    from langgraph.types import Command

    graph, config = Graph(is_async=False).compiled, {"configurable": {"thread_id": "1"}}
    asked = graph.invoke(proposing(project, "long.py", "short.py"), config)
    assert asked["__interrupt__"][0].value == ["long.py"]
    assert (project / "short.py").read_text() == "x = 1\n"
    done = graph.invoke(Command(resume=DECISION), config)
    assert len(done["written_files"]) == 2
    assert (project / "long.py").read_text() == LONG + NEW


def test_in_a_real_asynchronous_graph(project: Path) -> None:
    pytest.importorskip("langgraph")
    from langgraph.types import Command

    async def run() -> Any:
        graph, config = Graph(is_async=True).compiled, {"configurable": {"thread_id": "1"}}
        await graph.ainvoke(proposing(project, "long.py"), config)
        return await graph.ainvoke(Command(resume=DECISION), config)

    assert len(asyncio.run(run())["written_files"]) == 1
    assert (project / "long.py").read_text() == LONG + NEW
