"""Resources: the receipts and the audit log of the project."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types

from inlay.tools import Toolbox

_RECEIPTS = "inlay://receipts"
_LOG = "inlay://log"
_JSON = "application/json"


def listed() -> list[types.Resource]:
    """The resources that are always there."""
    return [
        types.Resource(uri=_RECEIPTS, name="receipts", description="What was written, newest first.", mime_type=_JSON),
        types.Resource(uri=_LOG, name="log", description="The end of the audit log.", mime_type=_JSON),
    ]


def templates() -> list[types.ResourceTemplate]:
    """One receipt by its number."""
    return [
        types.ResourceTemplate(
            uri_template=f"{_RECEIPTS}/{{id}}",
            name="receipt",
            description="One change with its difference.",
            mime_type=_JSON,
        )
    ]


def read(toolbox: Toolbox, uri: str) -> str | None:
    """The content of a resource, or None where there is none of that name; raises UnknownReceipt."""
    from inlay.tools import resources

    found: dict[str, Any] | None = None
    if uri == _RECEIPTS:
        found = resources.receipts(toolbox.workspace)
    elif uri == _LOG:
        found = resources.log(toolbox.workspace)
    elif uri.startswith(f"{_RECEIPTS}/"):
        found = resources.receipt(toolbox.workspace, uri.removeprefix(f"{_RECEIPTS}/"))
    return None if found is None else json.dumps(found, ensure_ascii=False)
