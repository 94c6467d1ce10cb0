"""Asks the person behind a client whether a plan may be carried out, in the way their client knows.

Clients up to the revision of 2025-11-25 are asked in the middle of the call. Later ones are given the question as the
call's result and call again with the answer; the state they bring back is the name of a plan, and a plan is bound to
its bytes, so a forged state can name nothing that was not proposed.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import is_version_at_least

from inlay.text.visible import without_hidden

_KEY = "approval"
_ASKED_BY_RESULT = "2026-07-28"
_SCHEMA: types.ElicitRequestedSchema = {
    "type": "object",
    "properties": {
        "approve": {
            "type": "boolean",
            "title": "Write these changes",
            "description": "No leaves every file as it is.",
        }
    },
    "required": ["approve"],
}
Answer: TypeAlias = Literal["yes", "no", "none"]
Context: TypeAlias = ServerRequestContext[Any, Any]


def can_ask(ctx: Context) -> bool:
    """Whether the client can put a question to its person."""
    capabilities = ctx.session.client_capabilities
    asking = capabilities.elicitation if capabilities else None
    return asking is not None and (asking.form is not None or asking.url is None)


def asks_by_result(ctx: Context) -> bool:
    """Whether the client takes questions as a result."""
    return is_version_at_least(ctx.protocol_version, _ASKED_BY_RESULT)


async def ask(ctx: Context, question: str) -> Answer:
    """The answer of the person, asked in the middle of the call."""
    try:
        return _meant(await ctx.session.elicit_form(_shown(question), _SCHEMA, ctx.request_id))
    except (MCPError, ValueError):
        return "none"  # a client that promised to ask and cannot; the plan still waits


def request(plan: str, question: str) -> types.InputRequiredResult:
    """The question as a result; the call comes again with the answer."""
    params = types.ElicitRequestFormParams(message=_shown(question), requested_schema=_SCHEMA)
    return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=params)}, request_state=plan)


def answered(params: types.CallToolRequestParams) -> tuple[str, Answer] | None:
    """The plan and the answer that a call brings back, if it brings any."""
    if params.request_state is None:
        return None
    answer = (params.input_responses or {}).get(_KEY)
    return params.request_state, _meant(answer) if isinstance(answer, types.ElicitResult) else "none"


def _meant(answer: types.ElicitResult) -> Answer:
    if answer.action == "accept":
        return "yes" if (answer.content or {}).get("approve") is True else "no"
    return "no" if answer.action == "decline" else "none"


def _shown(question: str) -> str:
    """The question without characters that could steer or hide what a person reads."""
    return "Write these changes?\n\n" + without_hidden(question, "\ufffd")
