"""MCP resources: the receipts and the audit log of the project."""

from __future__ import annotations

import json

import mcp_types as types

from inlay.tools import Toolbox

_RECEIPTS = "inlay://receipts"
_LOG = "inlay://log"
_JSON = "application/json"


def listed() -> list[types.Resource]:
    return [
        types.Resource(uri=_RECEIPTS, name="receipts", description="The changes, newest first.", mime_type=_JSON),
        types.Resource(uri=_LOG, name="log", description="The end of the audit log.", mime_type=_JSON),
    ]


def templates() -> list[types.ResourceTemplate]:
    return [
        types.ResourceTemplate(
            uri_template=f"{_RECEIPTS}/{{id}}",
            name="receipt",
            description="One change with its diff.",
            mime_type=_JSON,
        )
    ]


def read(toolbox: Toolbox, uri: str) -> str | None:
    """The content of a resource; None if there is no such resource; raises UnknownReceipt."""
    from inlay.tools import resources

    if uri == _RECEIPTS:
        content = resources.receipts(toolbox.workspace)
    elif uri == _LOG:
        content = resources.log(toolbox.workspace)
    elif uri.startswith(f"{_RECEIPTS}/"):
        content = resources.receipt(toolbox.workspace, uri.removeprefix(f"{_RECEIPTS}/"))
    else:
        return None
    return json.dumps(content, ensure_ascii=False)
