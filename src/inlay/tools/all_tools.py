"""All tools, in the order in which a model should consider them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inlay.tools.arguments import ToolArguments
from inlay.tools.calls import (
    apply_edits,
    apply_reply,
    check_commits,
    check_spec,
    history,
    plan_commits,
    preview,
    read_file,
    replace_text,
    undo,
    write_file,
    write_patch,
)
from inlay.tools.tool import Tool

_CALLS = (
    read_file,
    apply_edits,
    replace_text,
    write_patch,
    write_file,
    apply_reply,
    preview,
    undo,
    history,
    check_spec,
    plan_commits,
    check_commits,
)
TOOLS: Mapping[str, Tool] = MappingProxyType({call.TOOL.name: call.TOOL for call in _CALLS})
#: by name of the tool
ARGUMENTS: Mapping[str, type[ToolArguments]] = MappingProxyType({call.TOOL.name: call.Arguments for call in _CALLS})
