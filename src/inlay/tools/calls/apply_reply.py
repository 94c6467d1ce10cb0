"""`apply_reply`: the edits of a model's reply, in any format."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.tools.arguments import FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Apply the edits of a whole model reply, in any edit format: FIND/REPLACE changes, SEARCH/REPLACE blocks, unified diffs,
apply_patch, JSON edits, whole files in fences. Prose around the edits is ignored. Either all edits of all files are
applied, or none. Use this to apply what another model wrote; for your own edits prefer apply_edits, replace_text or
write_patch.
"""


class Arguments(ToolArguments, frozen=True):
    reply: Annotated[str, Meta(min_length=1, description="The reply, as the model wrote it.")]
    format: Annotated[str, Meta(description="The only format to look for; detected when omitted.")] | None = None
    path: Annotated[FilePath, Meta(description="The file of edits that name none.")] | None = None


@tool(
    "Apply the edits of a reply",
    DESCRIPTION,
    Arguments,
    example='{"reply": "src/prices.py\\n<<<<<<< SEARCH\\nold line\\n=======\\nnew line\\n>>>>>>> REPLACE\\n"}',
)
def apply_reply(call: Call) -> dict[str, Any]:
    from inlay.engine import formats
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.landing.reply_text import require_text
    from inlay.landing.target_file import fill_in
    from inlay.tools.results import land

    arguments: Arguments = call.arguments
    require_text(arguments.reply)
    call.report("reading the reply")
    try:
        reading = formats.read(arguments.reply, arguments.format)
    except ValueError as error:
        raise ReplyMalformed(Misfit("unknown-format", str(error), "Omit `format` to have it detected.")) from None
    return land(call, reading if arguments.path is None else fill_in(reading, arguments.path))
