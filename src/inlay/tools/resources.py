"""What was written and what was decided, as data: receipts with their differences, and the audit log."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from inlay.tools.error_results import clean
from inlay.tools.results import receipt_json, unified

if TYPE_CHECKING:
    from inlay.model.change import Change
    from inlay.model.receipt import Contents
    from inlay.storage import Workspace

_MOST_RECORDS = 200
_MOST_DIFF = 64 * 1024


def receipts(workspace: Workspace, most: int = 100) -> dict[str, Any]:
    """The newest receipts."""
    found: dict[str, Any] = clean({"receipts": [receipt_json(receipt) for receipt in workspace.history(most)]})
    return found


def receipt(workspace: Workspace, id: str) -> dict[str, Any]:
    """One receipt with the difference it made; raises UnknownReceipt."""
    told = receipt_json(workspace.receipt(id))
    changes = [_change(one) for one in workspace.contents(id)]
    diff = "".join(unified(change, _MOST_DIFF) for change in changes if change is not None)
    found: dict[str, Any] = clean({**told, "diff": diff})
    return found


def _change(contents: Contents) -> Change | None:
    """The change that a receipt tells of, where its backup is there and is text."""
    from inlay.model.change import Change
    from inlay.model.file import File, decode

    written = contents.written
    source = written.source or written.path
    after = decode(contents.after) if contents.after is not None else None
    if contents.lost or (after is None and contents.after is not None):
        return None
    if contents.before is not None and decode(contents.before) is None:
        return None
    before = File.of(str(source), contents.before) if contents.before is not None else None
    return Change(source, before, after[0] if after else None, move_to=written.path if written.source else None)


def log(workspace: Workspace, most: int = _MOST_RECORDS) -> dict[str, Any]:
    """The end of the audit log, and whether the log is whole."""
    problems = workspace.verify_log()
    records = () if problems else workspace.records()[-most:]
    told = [
        {
            "number": record.number,
            "time": record.time,
            **{key: value for key, value in asdict(record.event).items() if value},
        }
        for record in records
    ]
    found: dict[str, Any] = clean({"whole": not problems, "problems": list(problems), "records": told})
    return found
