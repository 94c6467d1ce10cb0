"""The JSON Schemas of what the tools return."""

from __future__ import annotations

from inlay.tools.tool import Schema

TEXT: Schema = {"type": "string"}
_FILE: Schema = {
    "type": "object",
    "properties": {
        "path": TEXT,
        "action": {"enum": ["created", "updated", "deleted", "moved", "unchanged"]},
        "move_to": {"type": ["string", "null"]},
        "mode": {"type": ["string", "null"], "description": "The new mode as git writes it; null where it is kept."},
        "hash": {"type": ["string", "null"], "description": "Hash of the new content, for `expect`."},
        "adapted": {"type": "array", "items": TEXT, "description": "What was assumed about the file's name."},
        "edits": {
            "type": "array",
            "description": "For each edit, the lines of the old file and the rule that found them.",
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
    "candidates": {"type": "array", "items": {"type": "integer"}, "description": "Lines where the text could be."},
    "nearest": {"type": ["object", "null"], "description": "The place in the file that comes closest."},
    "others": {"type": "array", "items": {"type": "object"}, "description": "Further reasons, in short."},
    "example": {"type": "string", "description": "Valid arguments."},
}


def result(kinds: tuple[str, ...], **properties: Schema) -> Schema:
    """The schema of a result: one of the tool's own kinds, or a failure."""
    fields = {"kind": {"enum": [*kinds, "patch_error"]}, **_FAILURE, **properties}
    return {"type": "object", "properties": fields, "required": ["kind"]}


LANDED = result(
    ("applied", "unchanged", "preview", "needs_approval"),
    receipt={"type": ["string", "null"], "description": "Number of the change, for undo."},
    files={"type": "array", "items": _FILE},
    diff={"type": "string", "description": "What changed, as a unified diff."},
    warnings={"type": "array", "items": TEXT},
    plan={"type": "string", "description": "Name of the change that the user must approve."},
    reasons={"type": "array", "items": TEXT, "description": "Why the user must approve it."},
)
