"""`replace_text`: replace a text in one file."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.tools.arguments import ContentHash, FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Replace a text with another in one file. `old_string` must occur exactly once, so give enough lines around the change,
with their indentation; with `replace_all` every occurrence is replaced. Small differences in whitespace are tolerated
if only one place matches; if several match, nothing is written and their lines are listed.
To create a file use write_file; for several changes at once use apply_edits or write_patch.
"""


class Arguments(ToolArguments, frozen=True):
    path: FilePath
    old_string: Annotated[str, Meta(min_length=1, description="The text as it is now, exactly.")]
    new_string: Annotated[str, Meta(description="The new text.")]
    replace_all: Annotated[bool, Meta(description="Replace every occurrence; false when omitted.")] = False
    expect: ContentHash | None = None


@tool(
    "Replace a text in a file",
    DESCRIPTION,
    Arguments,
    example='{"path": "src/prices.py", "old_string": "total += price", "new_string": "total += price * count"}',
)
def replace_text(call: Call) -> dict[str, Any]:
    from dataclasses import replace

    from msgspec.structs import asdict

    from inlay.engine.formats.json_objects import NotAnEdit, parts_of
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.edit import Reading, Update
    from inlay.tools.results import land

    edit = asdict(call.arguments)
    expect = edit.pop("expect")
    try:
        parts = parts_of(edit)
    except NotAnEdit as refused:
        raise ReplyMalformed(Misfit("malformed", str(refused))) from None
    numbered = (
        replace(part, edits=tuple(replace(edit, number=1) for edit in part.edits)) if isinstance(part, Update) else part
        for part in parts
    )
    return land(call, Reading("replace_text", tuple(numbered)), expect)
