"""`apply_reply`: the edits of a model's answer, in whichever format it is written."""

from __future__ import annotations

from typing import Any

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = """\
Set the edits of a whole model reply into the project, whatever edit format it uses: FIND/REPLACE changes,
SEARCH/REPLACE blocks, unified diffs, apply_patch, JSON edits, whole files in fences. Prose around the edits is passed
over. All edits of all files land, or none. Use this to apply what another model wrote; for your own edits prefer
apply_edits, replace_text or write_patch.
"""


def run(call: Call) -> dict[str, Any]:
    """A reply read and set into its files."""
    from inlay.engine import formats
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.landing.reply_text import require_text
    from inlay.landing.target_file import fill_in
    from inlay.tools.results import land

    reply, format, path = (call.arguments.get(name) for name in ("reply", "format", "path"))
    assert isinstance(reply, str)
    require_text(reply)
    call.report("reading the reply")
    try:
        reading = formats.read(reply, format)
    except ValueError as error:
        raise ReplyMalformed(Misfit("unknown-format", str(error), "Leave `format` out to have it found.")) from None
    return land(call, reading if path is None else fill_in(reading, path))


TOOL = Tool(
    name="apply_reply",
    title="Apply the edits of a reply",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        ("reply",),
        reply={"type": "string", "minLength": 1, "description": "The reply, as the model wrote it."},
        format={"type": "string", "description": "The only format to look for; found when left out."},
        path={**schemas.PATH, "description": "The file meant by edits that name none."},
    ),
    output_schema=schemas.LANDED,
    annotations=Annotations(destructive=True),
    run=run,
    example='{"reply": "src/prices.py\\n<<<<<<< SEARCH\\nold line\\n=======\\nnew line\\n>>>>>>> REPLACE\\n"}',
)
