"""`apply_edits`: edits by lines, as JSON; the difference is computed here and not by the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Schema, Tool

if TYPE_CHECKING:
    from inlay.model.edit import Edit

DESCRIPTION = """\
Edit one file by lines. Preferred whenever you know the line numbers, as read_file shows them.

`range` is in lines, counted from 1, both ends included: {"start": 4, "end": 6} is lines 4, 5 and 6. To insert before
line n, give start n and end n - 1. `newText` is every line that shall stand there afterwards; "" deletes the lines.
`oldText`, if given, repeats the lines exactly as they are. It decides: found once, the edit lands there and the range
is only a hint; found several times, the range must be exactly one of the places; not found, nothing is written.
All ranges refer to the file as it is now; they must not overlap. All edits land, or none.
Returns the difference as a unified diff, and for each edit the lines and the rule by which it landed.
"""
EXAMPLE = (
    '{"path": "src/prices.py", "edits": [{"range": {"start": 12, "end": 12}, '
    '"oldText": "    total += price", "newText": "    total += price * count"}]}'
)
_LINE: Schema = {"type": "integer", "maximum": 100_000_000}
_RANGE: Schema = {
    "type": "object",
    "description": "Lines of the file as it is now, counted from 1, both ends included; end = start - 1 inserts.",
    "properties": {"start": {**_LINE, "minimum": 1}, "end": {**_LINE, "minimum": 0}},
    "required": ["start", "end"],
    "additionalProperties": False,
}
_EDIT: Schema = {
    "type": "object",
    "properties": {
        "range": _RANGE,
        "oldText": {"type": "string", "description": "The lines as they are now, exactly."},
        "newText": {"type": "string", "description": "The lines as they shall be."},
    },
    "required": ["range", "newText"],
    "additionalProperties": False,
}


def run(call: Call) -> dict[str, Any]:
    """Edits as the schema has them, set into one file."""
    from inlay.engine.formats.json_objects import NotAnEdit, parts_of
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.edit import Reading, Update
    from inlay.tools.results import land

    path, edits = call.arguments["path"], call.arguments["edits"]
    try:
        parts = parts_of({"path": path, "edits": edits})
    except NotAnEdit as refused:
        raise ReplyMalformed(Misfit("malformed", str(refused), "Give each edit a range and a newText.")) from None
    found = [edit for part in parts if isinstance(part, Update) for edit in part.edits]
    pairs = zip(found, edits, strict=True)
    exact = tuple(_exact(edit, number, told["range"]) for number, (edit, told) in enumerate(pairs, 1))
    return land(call, Reading("apply_edits", (Update(path, exact),)))


def _exact(edit: Edit, number: int, told: dict[str, int]) -> Edit:
    """The edit numbered; a range that does not cover as many lines as the old text has names no place."""
    from dataclasses import replace

    from inlay.model.edit import Block

    count = told["end"] - told["start"] + 1
    blocks = [variant for variant in edit.variants if isinstance(variant, Block)]
    if blocks and all(len(block.find) != count for block in blocks):
        return replace(edit, number=number, line=None)
    return replace(edit, number=number)


TOOL = Tool(
    name="apply_edits",
    title="Edit lines of a file",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        ("path", "edits"),
        path=schemas.PATH,
        edits={"type": "array", "minItems": 1, "maxItems": 1000, "items": _EDIT},
        expect=schemas.EXPECT,
    ),
    output_schema=schemas.LANDED,
    annotations=Annotations(destructive=True),
    run=run,
    example=EXAMPLE,
)
