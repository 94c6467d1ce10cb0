"""The workflow inside a program of your own: LangGraph's in-memory checkpointer, and an approval of your own.

    python examples/embed_graph.py            plays the recording of the demonstration
    python examples/embed_graph.py MODEL      asks a model
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

import inlay.implement
from demo import recording

HERE = Path(__file__).resolve().parent


def decide(question: dict) -> dict:
    """Your own rule: deletions are fine, everything else is for a person."""
    for file in question["files"]:
        print(f"? {file['path']}: {file['headline']} ({', '.join(file['reasons'])})")
    deletions = [file["path"] for file in question["files"] if file["headline"].startswith("About to delete")]
    others = [file["path"] for file in question["files"] if file["path"] not in deletions]
    approved = [{"path": path, "verdict": "approve"} for path in deletions]
    return {"decisions": approved + [{"path": path, "verdict": "abort"} for path in others]}


async def main(root: Path, model: str) -> int:
    os.environ.setdefault("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    workflow = inlay.implement.graph(
        str(root), model=model, environ=os.environ, on_event=lambda event: print(f"  {event.step}: {event.message}")
        if event.kind in ("step", "tests", "retry", "end") else None
    ).compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "one"}, "recursion_limit": 1000}
    state = await workflow.ainvoke(inlay.implement.begin(str(root), "design.md"), config, durability="sync")
    while "__interrupt__" in state:
        answer = decide(state["__interrupt__"][0].value)
        state = await workflow.ainvoke(Command(resume=answer), config, durability="sync")
    print(f"{state['outcome']} {state['reason']}".strip())
    return 0 if state["outcome"] == "green" else 1


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="inlay-embed-") as folder:
        project = Path(shutil.copytree(HERE / "grille", Path(folder, "grille")))
        chosen = sys.argv[1] if len(sys.argv) > 1 else recording(Path(folder))
        sys.exit(asyncio.run(main(project, chosen)))
