"""Writes down what was done and what is left."""

from __future__ import annotations

import json
from typing import Any

from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_report import as_json, as_markdown, compile_report
from inlay.implement.workflow.run_state import State


async def report(state: State, job: Job) -> dict[str, Any]:
    """Keep the report in the run's folder, for people and for programs."""
    found = compile_report(state, job.spec(state), job.folder(state))
    folder = job.folder(state)
    folder.save("report.json", json.dumps(as_json(found), indent=2) + "\n")
    folder.save("report.md", as_markdown(found))
    job.tell(state, "end", "report", found.headline, ok=found.outcome == "green")
    return {}
