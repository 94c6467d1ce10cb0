"""`replace_text`: one text for another in one file."""

from __future__ import annotations

from typing import Any

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = """\
Replace a text by another in one file. `old_string` must occur exactly once, so give enough lines around the change,
with their indentation; with `replace_all` every occurrence is replaced. Small slips of whitespace are forgiven where
only one place can be meant; where several places fit, nothing is written and their lines are listed.
To create a file use write_file; for several changes at once use apply_edits or write_patch.
"""


def run(call: Call) -> dict[str, Any]:
    """One block set into one file."""
    from dataclasses import replace

    from inlay.engine.formats.json_objects import NotAnEdit, parts_of
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.edit import Reading, Update
    from inlay.tools.results import land

    told = {key: value for key, value in call.arguments.items() if key != "expect"}
    try:
        parts = parts_of(told)
    except NotAnEdit as refused:
        raise ReplyMalformed(Misfit("malformed", str(refused))) from None
    numbered = (
        replace(part, edits=tuple(replace(edit, number=1) for edit in part.edits)) if isinstance(part, Update) else part
        for part in parts
    )
    return land(call, Reading("replace_text", tuple(numbered)))


TOOL = Tool(
    name="replace_text",
    title="Replace a text in a file",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        ("path", "old_string", "new_string"),
        path=schemas.PATH,
        old_string={"type": "string", "minLength": 1, "description": "The text as it is now, exactly."},
        new_string={"type": "string", "description": "The text as it shall be."},
        replace_all={"type": "boolean", "description": "Replace every occurrence; false when left out."},
        expect=schemas.EXPECT,
    ),
    output_schema=schemas.LANDED,
    annotations=Annotations(destructive=True),
    run=run,
    example='{"path": "src/prices.py", "old_string": "total += price", "new_string": "total += price * count"}',
)
