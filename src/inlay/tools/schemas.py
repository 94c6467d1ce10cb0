"""The JSON Schemas of what the tools return."""

from __future__ import annotations

from typing import Any

from inlay.tools.tool import Schema

TEXT: Schema = {"type": "string"}


_FILE: Schema = {
    "type": "object",
    "properties": {
        "path": TEXT,
        "action": {"enum": ["created", "updated", "deleted", "moved", "unchanged"]},
        "move_to": {"type": ["string", "null"]},
        "hash": {"type": ["string", "null"], "description": "Of the new content, for `expect`."},
        "edits": {
            "type": "array",
            "description": "Which edit landed at which lines of the old file, and by which rule.",
            "items": {"type": "object"},
        },
    },
    "required": ["path", "action"],
}
_FAILURE: dict[str, Schema] = {
    "code": {"type": "string", "description": "Stable, for programs."},
    "message": TEXT,
    "advice": {"type": "string", "description": "What to do about it."},
    "path": TEXT,
    "edit": {"type": "integer", "description": "Number of the edit in the call, counted from 1."},
    "candidates": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "Lines where the text could stand.",
    },
    "nearest": {"type": ["object", "null"], "description": "The place in the file that comes closest."},
    "others": {"type": "array", "items": {"type": "object"}, "description": "Further reasons, shorter."},
    "example": {"type": "string", "description": "Arguments as they should look."},
}


def result(kinds: tuple[str, ...], **properties: Schema) -> Schema:
    """The schema of what a tool gives back: one of its own kinds, or a failure."""
    shown: dict[str, Any] = {"kind": {"enum": [*kinds, "patch_error"]}, **_FAILURE, **properties}
    return {"type": "object", "properties": shown, "required": ["kind"]}


LANDED = result(
    ("applied", "unchanged", "preview", "needs_approval"),
    receipt={"type": ["string", "null"], "description": "Number of the change, for undo."},
    files={"type": "array", "items": _FILE},
    diff={"type": "string", "description": "What changed, as a unified diff."},
    warnings={"type": "array", "items": TEXT},
    plan={"type": "string", "description": "Name of the plan that a person must answer."},
    reasons={"type": "array", "items": TEXT, "description": "Why a person must decide."},
)
