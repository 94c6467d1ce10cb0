"""`preview`: what a call of another tool would do."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from inlay.tools.arguments import ARGUMENTS, InvalidArguments, ToolArguments, convert, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Show what a call would do, without writing anything: the places of its edits, the diff, and whether the user would have
to approve it. `tool` is one of the writing tools, `arguments` is what you would call it with.
"""


class Arguments(ToolArguments, frozen=True):
    tool: Annotated[
        Literal["apply_edits", "write_patch", "replace_text", "apply_reply", "write_file"],
        Meta(description="The tool to preview."),
    ]
    arguments: Annotated[dict[str, Any], Meta(description="What it would be called with.")]


@tool(
    "Show what a call would do",
    DESCRIPTION,
    Arguments,
    example='{"tool": "replace_text", "arguments": {"path": "a.py", "old_string": "x", "new_string": "y"}}',
    read_only=True,
)
def preview(call: Call) -> dict[str, Any]:
    from dataclasses import replace

    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.decision import Decision
    from inlay.tools.all_tools import TOOLS

    tool = TOOLS[call.arguments.tool]
    try:
        arguments = convert(call.arguments.arguments, ARGUMENTS[tool.name])
    except InvalidArguments as error:
        raise ReplyMalformed(Misfit("invalid-arguments", f"{tool.name}: {error}", f"As in {tool.example}")) from None
    dry_run = replace(
        call,
        tool=tool,
        arguments=arguments,
        options=replace(call.options, dry_run=True),
        approve=lambda needs, _: [Decision(need.path) for need in needs],
    )
    return tool.run(dry_run)
