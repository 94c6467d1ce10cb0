"""The workflow inside somebody else's program: their checkpointer, their approval, waiting or not."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

import greeting
import inlay.implement
from greeting import INFO, RIGHT, Scripted
from inlay.llm.provider import Model
from inlay.model.change import ChangeSet
from inlay.model.decision import Decision, Need
from inlay.model.settings import Settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
QUICK = Settings.of(implement__test_command=greeting.COMMAND)
CONFIG: Any = {"configurable": {"thread_id": "theirs"}, "recursion_limit": 1000}


@pytest.fixture(autouse=True)
def plain_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def test_with_an_approval_of_their_own(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    model = greeting.lengthen(root)
    asked: list[str] = []

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> list[Decision]:
        asked.extend(need.headline for need in needs)
        return [Decision(need.path) for need in needs]

    workflow = inlay.implement.graph(str(root), model=Model(INFO, model), settings=QUICK, approve=approve)
    compiled = workflow.compile(checkpointer=InMemorySaver())
    state = asyncio.run(compiled.ainvoke(inlay.implement.begin(str(root), "design.md"), CONFIG))
    assert state["outcome"] == "green"
    assert asked == ["About to replace 122 lines with 126 lines (+4)"]


def test_with_a_checkpointer_that_does_not_wait_and_an_interrupt(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    model = greeting.lengthen(root)
    with SqliteSaver.from_conn_string(str(tmp_path / "theirs.db")) as saver:
        compiled = inlay.implement.graph(str(root), model=Model(INFO, model), settings=QUICK).compile(
            checkpointer=saver
        )
        state = compiled.invoke(inlay.implement.begin(str(root), "design.md"), CONFIG, durability="sync")
        question = state["__interrupt__"][0].value
        assert question["files"][0]["path"] == "greet/hello.py"
        assert "+from greet.names import tidy" in question["files"][0]["diff"]
        answer = {"decisions": [{"path": "greet/hello.py", "verdict": "approve"}]}
        state = compiled.invoke(Command(resume=answer), CONFIG, durability="sync")
    assert state["outcome"] == "green"
    assert (root / "greet/hello.py").read_text().endswith(RIGHT["greet/hello.py"])
    assert model.repeated == []


def test_what_the_package_exports_does_not_depend_on_what_was_imported_first() -> None:
    code = "import inlay.implement.run.drive, inlay.implement as i; print(callable(i.graph), callable(i.begin))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["True", "True"]
    with pytest.raises(AttributeError, match="nonsense"):
        _ = inlay.implement.nonsense  # type: ignore[attr-defined]


def test_the_example_runs() -> None:
    done = subprocess.run([sys.executable, ROOT / "examples/embed_graph.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "? grille/totals.py: About to delete" in done.stdout
    assert done.stdout.splitlines()[-1] == "green"


def test_a_model_that_does_nothing_leaves_the_reason_in_the_state(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    lazy = Model(INFO, Scripted({"greet/names.py": "It is done."}))
    compiled = inlay.implement.graph(str(root), model=lazy, settings=QUICK).compile(checkpointer=InMemorySaver())
    state = asyncio.run(compiled.ainvoke(inlay.implement.begin(str(root), "design.md"), CONFIG))
    assert (state["outcome"], state["exit_code"]) == ("stopped", 3)
    assert "greet/names.py could not be written" in state["reason"]
