"""`apply_edits`: edits by lines, as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from inlay.tools.arguments import ContentHash, FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Edit one file by lines. Preferred whenever you know the line numbers, as read_file shows them.

`range` is in lines, counted from 1, both ends included: {"start": 4, "end": 6} is lines 4, 5 and 6. To insert before
line n, give start n and end n - 1. `newText` is all the new lines; "" deletes the lines.
`oldText`, if given, repeats the lines exactly as they are. It decides: found once, the edit is applied there and the
range is only a hint; found several times, the range must be exactly one of the places; not found, nothing is written.
All ranges refer to the file as it is now; they must not overlap. Either all edits are applied, or none.
Returns the change as a unified diff, and for each edit the lines where it was applied and the rule that found them.
"""
EXAMPLE = (
    '{"path": "src/prices.py", "edits": [{"range": {"start": 12, "end": 12}, '
    '"oldText": "    total += price", "newText": "    total += price * count"}]}'
)
_LAST_LINE = 100_000_000


class Range(ToolArguments, frozen=True):
    """Lines of the file as it is now, counted from 1, both ends included; end = start - 1 inserts."""

    start: Annotated[int, Meta(ge=1, le=_LAST_LINE)]
    end: Annotated[int, Meta(ge=0, le=_LAST_LINE)]


# Models write arguments in the order of the schema: first the old lines, then the new.
class LineEdit(ToolArguments, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    range: Range
    old_text: Annotated[str, Meta(description="The lines as they are now, exactly.")] | None = None
    new_text: Annotated[str, Meta(description="The new lines.")]


class Arguments(ToolArguments, frozen=True):
    path: FilePath
    edits: Annotated[list[LineEdit], Meta(min_length=1, max_length=1000)]
    expect: ContentHash | None = None


@tool("Edit lines of a file", DESCRIPTION, Arguments, example=EXAMPLE)
def apply_edits(call: Call) -> dict[str, Any]:
    from inlay.engine.formats.json_objects import NotAnEdit, parts_of
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.edit import Block, Edit, Reading, Update
    from inlay.tools.results import land

    arguments: Arguments = call.arguments
    try:
        parts = parts_of({"path": arguments.path, "edits": msgspec.to_builtins(arguments.edits)})
    except NotAnEdit as refused:
        raise ReplyMalformed(Misfit("malformed", str(refused), "Give each edit a range and a newText.")) from None
    edits = [edit for part in parts if isinstance(part, Update) for edit in part.edits]
    numbered: list[Edit] = []
    for edit, given in zip(edits, arguments.edits, strict=True):
        count = given.range.end - given.range.start + 1
        blocks = [variant for variant in edit.variants if isinstance(variant, Block)]
        # A range that does not cover as many lines as the old text says nothing about the place.
        is_contradictory = blocks and all(len(block.find) != count for block in blocks)
        numbered.append(replace(edit, number=len(numbered) + 1, line=None if is_contradictory else edit.line))
    return land(call, Reading("apply_edits", (Update(arguments.path, tuple(numbered)),)), arguments.expect)
