"""Tools, prompts and resources as the protocol lists them."""

from __future__ import annotations

import mcp_types as types

from inlay.tools.tool import Tool

INSTRUCTIONS = """\
These tools edit the files of one project, exactly where an edit belongs or not at all. Read a file with read_file, then
edit with apply_edits (by lines), replace_text (one text for another) or write_patch (a raw unified diff). A refusal has
kind "patch_error" and says what to mend; nothing was written then. kind "needs_approval" means that a person must agree
first. undo takes a change back. Paths are relative to the project's root.
"""


def tool(described: Tool) -> types.Tool:
    """One tool with its schemas and what it may do."""
    may = described.annotations
    return types.Tool(
        name=described.name,
        title=described.title,
        description=described.description,
        input_schema=dict(described.input_schema),
        output_schema=dict(described.output_schema),
        annotations=types.ToolAnnotations(
            title=described.title,
            read_only_hint=may.read_only,
            destructive_hint=may.destructive,
            idempotent_hint=may.idempotent,
            open_world_hint=False,
        ),
    )
