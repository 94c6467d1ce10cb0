"""One tool call over MCP: in a thread, with progress, with a question to the user, cancellable until it writes."""

from __future__ import annotations

import contextlib
import threading
from functools import partial

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types

from inlay.errors import InlayError
from inlay.mcp_server import elicitation
from inlay.mcp_server.elicitation import Answer, Context
from inlay.tools import Outcome, Progress, Stopped, Toolbox

Result = types.CallToolResult | types.InputRequiredResult


async def call(toolbox: Toolbox, ctx: Context, params: types.CallToolRequestParams) -> Result:
    """The result of a call, or the question that must be answered first."""
    if repeated := elicitation.answer_in(params):
        pending = await anyio.to_thread.run_sync(toolbox.waiting, repeated[0], params.name)
        return _result(await _decided(toolbox, *repeated, pending) if pending.plan else pending)
    outcome = await _run(toolbox, ctx, params)
    if outcome.plan is None or not elicitation.can_ask(ctx):
        return _result(outcome)
    try:
        question = await anyio.to_thread.run_sync(toolbox.question, outcome.plan)
    except InlayError:
        return _result(outcome)
    if elicitation.asks_by_result(ctx):
        return elicitation.request(outcome.plan, question)
    return _result(await _decided(toolbox, outcome.plan, await elicitation.ask(ctx, question), outcome))


async def _decided(toolbox: Toolbox, plan: str, answer: Answer, pending: Outcome) -> Outcome:
    """The outcome after the answer; without one the change stays pending, for `inlay approve`."""
    if answer == "yes":
        return await anyio.to_thread.run_sync(toolbox.carry_out, plan)
    if answer == "no":
        return await anyio.to_thread.run_sync(toolbox.drop, plan)
    return pending


async def _run(toolbox: Toolbox, ctx: Context, params: types.CallToolRequestParams) -> Outcome:
    """Call the tool in a thread, which stops before it writes if the client cancels."""
    stop = threading.Event()
    sender, receiver = anyio.create_memory_object_stream[Progress](16)

    async def forward() -> None:
        async with receiver:
            async for progress in receiver:
                await ctx.session.report_progress(progress.step, progress.of, progress.message)

    def on_progress(progress: Progress) -> None:
        if stop.is_set():
            raise Stopped
        # The client may be gone, which does not matter here: whether to stop was decided above.
        with contextlib.suppress(anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError, RuntimeError):
            anyio.from_thread.run_sync(sender.send_nowait, progress)

    work = partial(toolbox.call, params.name, params.arguments or {}, on_progress=on_progress)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(forward)
            async with sender:
                outcome = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        stop.set()
        raise
    return outcome


def _result(outcome: Outcome) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=outcome.text)],
        structured_content=outcome.structured,
        is_error=outcome.is_error,
    )
