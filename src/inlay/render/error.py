"""Why nothing was written.

A program reads `error_json`, with every reason as data. A model reads `error_brief`: the first reason in full, the
others in a line each, a few thousand characters at most.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from inlay.codes import Code
from inlay.errors import (
    ImplementationError,
    InlayError,
    Misfit,
    Nearest,
    NeedsDecision,
    ReplyRejected,
    SafeFileWriteError,
    StaleFile,
)

_LONGEST_MESSAGE = 600
_MOST_LINES = 12
_WIDEST_LINE = 160
_MOST_CANDIDATES = 40
_MOST_OTHERS = 8
_LARGEST = 4000  # characters of JSON
_ADVICE: dict[Code, str] = {
    "stale": "Read the file again and repeat the call.",
    "log-damaged": "Tell the user; only they can look at the log.",
    "unknown-receipt": "The tool history lists the changes there are.",
}


def error_json(error: InlayError) -> dict[str, Any]:
    if isinstance(error, ReplyRejected):
        return {
            "status": "refused",
            "kind": "patch_error",
            "error": type(error).__name__,
            "message": str(error),
            "misfits": [asdict(misfit) for misfit in error.misfits],
            "feedback": error.feedback(),
        }
    status = "needs-decision" if isinstance(error, NeedsDecision) else "failed"
    record: dict[str, Any] = {"status": status, "error": type(error).__name__, "message": str(error)}
    if isinstance(error, ImplementationError):
        return {**record, "attempts": error.attempts, "cause": error_json(error.cause)}
    if isinstance(error, StaleFile) and error.lost:
        lost = [{"path": str(work.path), "lines": work.lines, "problem": work.problem} for work in error.lost]
        return {**record, "lost": lost}
    if not isinstance(error, SafeFileWriteError):
        return record
    # What a program needs to have the decisions made elsewhere.
    from inlay.model.change import ChangeSet
    from inlay.model.decision import fingerprint
    from inlay.render.change import change_json
    from inlay.render.need import need_json

    assert isinstance(error.changes, ChangeSet)
    files = [change_json(change) for change in error.changes.changes]
    needs = [need_json(need) for need in error.needs]
    return {**record, "digest": fingerprint(error.changes), "files": files, "needs": needs}


def error_brief(error: InlayError, example: str = "") -> dict[str, Any]:
    """`example` shows right arguments; it goes with a refusal only."""
    if isinstance(error, ReplyRejected) and error.misfits:
        return refusal_brief(*error.misfits, example=example)
    return refusal_brief(Misfit(error.code, str(error), _ADVICE.get(error.code, "Tell the user what happened.")))


def refusal_brief(misfit: Misfit, *others: Misfit, example: str = "") -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": "patch_error",
        "code": misfit.code,
        "message": _shortened(misfit.message, _LONGEST_MESSAGE),
        "advice": misfit.advice,
        "path": _shortened(misfit.path, _WIDEST_LINE),
        "edit": misfit.edit,
        "candidates": list(misfit.candidates[:_MOST_CANDIDATES]),
        "nearest": _nearest(misfit.nearest) if misfit.nearest else None,
        "others": [_other(other) for other in others[:_MOST_OTHERS]],
        "example": example,
    }
    always = ("kind", "code", "message", "candidates", "nearest", "example")
    record = {key: value for key, value in record.items() if value or key in always}
    # Too long even so: drop the least useful first.
    for key in ("others", "nearest", "candidates", "example", "advice"):
        if len(json.dumps(record)) <= _LARGEST:
            break
        if record.get(key):
            record[key] = type(record[key])()
    return record


def _nearest(nearest: Nearest) -> dict[str, Any]:
    """The file's lines beside the call's, from just above the first that differs."""
    first = max(0, min(nearest.differing, default=0) - 2)
    shown = slice(first, first + _MOST_LINES)
    return {
        "line": nearest.line + first,
        "found": [_shortened(line, _WIDEST_LINE) for line in nearest.found[shown]],
        "wanted": [_shortened(line, _WIDEST_LINE) for line in nearest.wanted[shown]],
    }


def _other(misfit: Misfit) -> dict[str, Any]:
    fields = {"code": misfit.code, "path": misfit.path, "edit": misfit.edit}
    record = {key: value for key, value in fields.items() if value}
    return {**record, "message": _shortened(misfit.message, _WIDEST_LINE)}


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def misfit_place(misfit: Misfit) -> str:
    """Which edit of which file; empty where the whole reply is meant."""
    return " of ".join(part for part in (f"edit {misfit.edit}" if misfit.edit else "", misfit.path) if part)
