"""MCP prompts: how to write edits in each format, and patches."""

from __future__ import annotations

import mcp_types as types

PATCH_RULES = "patch_rules"
_PREFIX = "format_"


def listed() -> list[types.Prompt]:
    from inlay.engine.formats import FORMATS

    rules = types.Prompt(name=PATCH_RULES, title="Patch rules", description="How to write a patch for write_patch.")
    formats = [
        types.Prompt(
            name=f"{_PREFIX}{format.name}",
            title=format.title,
            description=f"Instructions for a model to reply with edits as {format.title}.",
        )
        for format in FORMATS.values()
    ]
    return [rules, *formats]


def text(name: str) -> str | None:
    """The text of a prompt; None if there is no such prompt."""
    from inlay.engine.formats import FORMATS
    from inlay.tools.calls.write_patch import DESCRIPTION

    if name == PATCH_RULES:
        return DESCRIPTION
    format = FORMATS.get(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None
    return format.prompt if format else None
