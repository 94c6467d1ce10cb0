"""Safe writing, through the command line, the library and the node for graphs."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from inlay.nodes import SafeWriteState, safe_file_write, safe_file_write_async

LONG = "".join(f"value_{n} = {n}\n" for n in range(150))
NEW = "answer = 42\n"


@pytest.fixture
def long(project: Path) -> Path:
    (project / "long.py").write_text(LONG)
    return project / "long.py"


# --- as a node of a graph ------------------------------------------------------------------------------------------


def state_for(project: Path, *names: str, **more: Any) -> SafeWriteState:
    writes = [{"file_path": name, "new_content": NEW} for name in names]
    return {"project_root": str(project), "proposed_writes": writes, **more}  # type: ignore[typeddict-item]


def graph(saver: Any, *, is_async: bool) -> Any:
    """Write; where decisions are missing interrupt for them, and write then."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import interrupt

    def review(state: SafeWriteState) -> dict[str, Any]:
        return {"merge_decisions": interrupt(state["awaiting_approval"])}

    built = StateGraph(SafeWriteState)
    built.add_node("write", safe_file_write_async if is_async else safe_file_write)
    built.add_node("review", review)
    built.add_edge(START, "write")
    built.add_conditional_edges("write", lambda state: "review" if state["awaiting_approval"] else END)
    built.add_edge("review", "write")
    return built.compile(checkpointer=saver)


DECISIONS = pytest.mark.parametrize(
    ("decision", "after"),
    [
        ({"approved": True, "strategy": "replace"}, NEW),
        ({"approved": True, "strategy": "append"}, LONG + NEW),
        ({"approved": True, "strategy": "insert", "insertion_point": 1}, NEW + LONG),
        ({"approved": False}, LONG),
    ],
    ids=["replace", "append", "insert", "skip"],
)


@DECISIONS
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_graph_waits_in_a_checkpoint_and_carries_out_the_decision(
    project: Path, long: Path, decision: dict[str, Any], after: str, is_async: bool
) -> None:
    pytest.importorskip("langgraph")
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    saver, config = InMemorySaver(), {"configurable": {"thread_id": "1"}}

    def invoke(value: Any) -> Any:
        built = graph(saver, is_async=is_async)  # another each time, as after a restart
        return asyncio.run(built.ainvoke(value, config)) if is_async else built.invoke(value, config)

    waiting = invoke(state_for(project, "long.py", "new.py"))
    assert [each.value for each in waiting["__interrupt__"]] == [["long.py"]]
    assert long.read_text() == LONG
    assert not (project / "new.py").exists()
    done = invoke(Command(resume=[{"file_path": "long.py", **decision}]))
    assert long.read_text() == after
    assert (project / "new.py").read_text() == NEW
    written = {"new.py"} if after == LONG else {"long.py", "new.py"}
    assert {file["file_path"] for file in done["written_files"]} == written
    assert (done["proposed_writes"], done["merge_decisions"], done["awaiting_approval"]) == ([], [], [])


@DECISIONS
def test_the_state_of_the_node_is_plain_json(project: Path, long: Path, decision: dict[str, Any], after: str) -> None:
    state = state_for(project, "long.py", "new.py")
    waiting = safe_file_write(state)
    assert json.loads(json.dumps(waiting)) == waiting
    (proposal, _) = waiting["proposed_writes"]
    assert (proposal["requires_approval"], proposal["existing_content"]) == (True, LONG)
    assert (proposal["existing_lines"], proposal["new_lines"]) == (150, 1)
    restored: SafeWriteState = json.loads(json.dumps(state | waiting))
    restored["merge_decisions"] = [{"file_path": "long.py", **decision}]  # type: ignore[typeddict-item]
    done = safe_file_write(restored)
    assert json.loads(json.dumps(done)) == done
    assert long.read_text() == after


def test_the_asynchronous_node_does_not_block_the_loop(project: Path) -> None:
    async def run() -> None:
        task = asyncio.ensure_future(safe_file_write_async(state_for(project, "new.py")))
        await asyncio.sleep(0)
        assert not task.done()
        assert [file["file_path"] for file in (await task)["written_files"]] == ["new.py"]

    asyncio.run(run())


def test_a_step_that_a_graph_repeats_writes_nothing_twice(project: Path, long: Path) -> None:
    state = state_for(project, "long.py")
    state |= safe_file_write(state)
    state["merge_decisions"] = [{"file_path": "long.py", "approved": True, "strategy": "append"}]
    safe_file_write(state)
    assert safe_file_write(state)["written_files"] == []
    assert long.read_text() == LONG + NEW


def test_a_graph_without_a_person_fails_unless_it_is_forced(project: Path, long: Path) -> None:
    import inlay

    with pytest.raises(inlay.SafeFileWriteError):
        safe_file_write(state_for(project, "long.py", auto_mode=True))
    assert long.read_text() == LONG
    done = safe_file_write(state_for(project, "long.py", auto_mode=True, force_replace=True))
    assert [file["file_path"] for file in done["written_files"]] == ["long.py"]
    assert long.read_text() == NEW
