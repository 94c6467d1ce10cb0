"""Writes the report of the run."""

from __future__ import annotations

import json
from typing import Any

from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_report import as_json, as_markdown, compile_report
from inlay.implement.workflow.run_state import State


async def report(state: State, job: Job) -> dict[str, Any]:
    folder = job.folder(state)
    result = compile_report(state, job.spec(state), folder)
    folder.save("report.json", json.dumps(as_json(result), indent=2) + "\n")
    folder.save("report.md", as_markdown(result))
    job.tell(state, "end", "report", result.headline, ok=result.outcome == "green")
    return {}
