"""`preview`: what a call of another tool would do."""

from __future__ import annotations

from typing import Any

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = """\
See what a call would do without writing anything: the places where its edits would land, the difference, and whether a
person would have to approve it. `tool` is one of the writing tools, `arguments` what you would call it with.
"""
REHEARSED = ("apply_edits", "write_patch", "replace_text", "apply_reply", "write_file")


def run(call: Call) -> dict[str, Any]:
    """A rehearsal of another tool."""
    from dataclasses import replace

    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.decision import Decision
    from inlay.tools.all_tools import TOOLS
    from inlay.tools.argument_aliases import mended
    from inlay.tools.validation import problems

    tool = TOOLS[call.arguments["tool"]]
    arguments = mended(call.arguments["arguments"], tool.input_schema)
    if wrong := problems(arguments, tool.input_schema):
        raise ReplyMalformed(Misfit("invalid-arguments", f"{tool.name}: {'; '.join(wrong)}", f"As in {tool.example}"))
    rehearsal = replace(
        call,
        tool=tool,
        arguments=arguments,
        options=replace(call.options, dry_run=True),
        approve=lambda needs, _: [Decision(need.path) for need in needs],
    )
    return tool.run(rehearsal)


TOOL = Tool(
    name="preview",
    title="See what a call would do",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        ("tool", "arguments"),
        tool={"enum": list(REHEARSED), "description": "The tool to rehearse."},
        arguments={"type": "object", "description": "What it would be called with."},
    ),
    output_schema=schemas.LANDED,
    annotations=Annotations(read_only=True, idempotent=True),
    run=run,
    example='{"tool": "replace_text", "arguments": {"path": "a.py", "old_string": "x", "new_string": "y"}}',
)
