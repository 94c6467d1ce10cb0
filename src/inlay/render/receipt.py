"""What a transaction wrote, and what a recovery rolled back."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from inlay.model.change import Change
from inlay.model.file import File, decode
from inlay.model.receipt import Contents, Receipt, Recovery, Written
from inlay.render.diff import unified_diff

_SIGNS = {"created": "+", "updated": "~", "deleted": "-", "moved": ">"}


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    files = [
        {
            "path": str(written.path),
            "action": written.action,
            "source": str(written.source) if written.source else None,
            "before": written.before or None,
            "after": written.after or None,
        }
        for written in receipt.files
    ]
    return {**asdict(receipt), "files": files, "reverses": receipt.reverses or None, "notes": list(receipt.notes)}


def receipt_brief(receipt: Receipt) -> dict[str, Any]:
    return {
        "id": receipt.id,
        "time": receipt.time,
        "kind": receipt.kind,
        "summary": receipt.summary,
        "reverses": receipt.reverses or None,
        "files": [{"path": str(written.path), "action": written.action} for written in receipt.files],
    }


def receipt_diff(contents: tuple[Contents, ...], limit: int) -> str:
    """The diff of every file whose backup exists and is text, each within `limit` bytes."""
    changes = [contents_change(content) for content in contents]
    return "".join(unified_diff(change, limit) for change in changes if change is not None)


def contents_change(contents: Contents) -> Change | None:
    """The change of one written file; None if its backup is gone or is not text."""
    before = decode(contents.before) if contents.before is not None else ("", None)
    after = decode(contents.after) if contents.after is not None else ("", None)
    if contents.lost or before is None or after is None:
        return None
    written = contents.written
    source = written.source or written.path
    old = File.of(str(source), contents.before) if contents.before is not None else None
    if old is not None and contents.executable is False:
        old = replace(old, mode=0o755)
    new = after[0] if contents.after is not None else None
    move_to = written.path if written.source else None
    return Change(source, old, new, move_to=move_to, executable=contents.executable)


def written_text(written: Written) -> str:
    """One line: a sign, the file and what was done to it."""
    moved = f"{written.source} → " if written.source else ""
    return f"{_SIGNS[written.action]} {moved}{written.path} {written.action}"


def recovery_json(recovery: Recovery) -> dict[str, Any]:
    return {
        "id": recovery.id,
        "restored": [str(path) for path in recovery.restored],
        "left": [str(path) for path in recovery.left],
        "kept": recovery.kept or None,
        "complete": recovery.sealed,
    }
