"""What was written and what was decided, as data: receipts with their diffs, and the audit log."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from inlay.render.receipt import receipt_brief, receipt_diff
from inlay.tools.tool import without_surrogates

if TYPE_CHECKING:
    from inlay.storage import Workspace

_MOST_RECORDS = 200
_MOST_DIFF = 64 * 1024


def receipts(workspace: Workspace, most: int = 100) -> dict[str, Any]:
    return without_surrogates({"receipts": [receipt_brief(receipt) for receipt in workspace.history(most)]})


def receipt(workspace: Workspace, id: str) -> dict[str, Any]:
    """One receipt with its diff; raises UnknownReceipt."""
    brief = receipt_brief(workspace.receipt(id))
    return without_surrogates({**brief, "diff": receipt_diff(workspace.contents(id), _MOST_DIFF)})


def log(workspace: Workspace, most: int = _MOST_RECORDS) -> dict[str, Any]:
    """The end of the audit log, and whether the log is intact."""
    problems = workspace.verify_log()
    records = [
        {
            "number": record.number,
            "time": record.time,
            **{key: value for key, value in asdict(record.event).items() if value},
        }
        for record in (() if problems else workspace.records()[-most:])
    ]
    return without_surrogates({"whole": not problems, "problems": list(problems), "records": records})
