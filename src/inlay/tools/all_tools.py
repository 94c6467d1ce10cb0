"""All tools, in the order in which a model should consider them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inlay.tools.calls.apply_edits import apply_edits
from inlay.tools.calls.apply_reply import apply_reply
from inlay.tools.calls.check_commits import check_commits
from inlay.tools.calls.check_spec import check_spec
from inlay.tools.calls.history import history
from inlay.tools.calls.plan_commits import plan_commits
from inlay.tools.calls.preview import preview
from inlay.tools.calls.read_file import read_file
from inlay.tools.calls.replace_text import replace_text
from inlay.tools.calls.undo import undo
from inlay.tools.calls.write_file import write_file
from inlay.tools.calls.write_patch import write_patch
from inlay.tools.tool import Tool

_TOOLS = (
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
TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _TOOLS})
