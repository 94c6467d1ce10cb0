"""Asks the user through the client whether to write a pending change.

Clients up to the revision of 2025-11-25 are asked during the call. Later ones receive the question as the result of the
call and call again with the answer. The state that they send back is the name of a pending change, which is bound to
its bytes, so a forged state cannot name anything that was not proposed.
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
        "approve": {"type": "boolean", "title": "Write these changes", "description": "No leaves every file unchanged."}
    },
    "required": ["approve"],
}
Answer: TypeAlias = Literal["yes", "no", "none"]
Context: TypeAlias = ServerRequestContext[Any, Any]


def can_ask(ctx: Context) -> bool:
    capabilities = ctx.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def asks_by_result(ctx: Context) -> bool:
    """Whether the client takes the question as a result."""
    return is_version_at_least(ctx.protocol_version, _ASKED_BY_RESULT)


async def ask(ctx: Context, question: str) -> Answer:
    try:
        return _decision(await ctx.session.elicit_form(_shown(question), _SCHEMA, ctx.request_id))
    except (MCPError, ValueError):
        return "none"  # the client cannot ask after all; the change stays pending


def request(plan: str, question: str) -> types.InputRequiredResult:
    """The question as a result; the client repeats the call with the answer."""
    params = types.ElicitRequestFormParams(message=_shown(question), requested_schema=_SCHEMA)
    return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=params)}, request_state=plan)


def answer_in(params: types.CallToolRequestParams) -> tuple[str, Answer] | None:
    """The pending change and the answer that a repeated call carries, if it is one."""
    if params.request_state is None:
        return None
    answer = (params.input_responses or {}).get(_KEY)
    return params.request_state, _decision(answer) if isinstance(answer, types.ElicitResult) else "none"


def _decision(answer: types.ElicitResult) -> Answer:
    if answer.action == "accept":
        return "yes" if (answer.content or {}).get("approve") is True else "no"
    return "no" if answer.action == "decline" else "none"


def _shown(question: str) -> str:
    """The question without characters that could steer or hide what a person reads."""
    return "Write these changes?\n\n" + without_hidden(question, "\ufffd")
