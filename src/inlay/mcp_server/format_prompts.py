"""Prompts: how edits are written, for a model that is to answer in text or to write patches."""

from __future__ import annotations

import mcp_types as types

PATCH_RULES = "patch_rules"
_PREFIX = "format_"


def listed() -> list[types.Prompt]:
    """All prompts there are."""
    from inlay.engine.formats import FORMATS

    rules = types.Prompt(name=PATCH_RULES, title="Patch rules", description="How to write a patch for write_patch.")
    formats = [
        types.Prompt(
            name=f"{_PREFIX}{format.name}",
            title=format.title,
            description=f"Instructions that teach a model to answer with edits as {format.title}.",
        )
        for format in FORMATS.values()
    ]
    return [rules, *formats]


def text(name: str) -> str | None:
    """The text of a prompt, or None where there is none of that name."""
    from inlay.engine.formats import FORMATS
    from inlay.tools.calls.write_patch import DESCRIPTION

    if name == PATCH_RULES:
        return DESCRIPTION
    format = FORMATS.get(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None
    return format.prompt if format else None
