"""Asks a model, and asks again only where the request itself failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeAlias

from inlay.errors import LimitReached, ProviderFailure
from inlay.llm.limits import Spending
from inlay.llm.provider import Model, OnText
from inlay.llm.retry import Backoff, Retry
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Request

#: Called before each wait; text that arrived for the failed try is to be discarded.
OnRetry: TypeAlias = Callable[[Retry], None]
Sleep: TypeAlias = Callable[[float], Awaitable[None]]

# No tokenizer makes fewer tokens of ordinary text, so a request refused by this would have exceeded the limit.
_MOST_BYTES_PER_TOKEN = 10


async def ask(
    model: Model,
    request: Request,
    *,
    spending: Spending,
    backoff: Backoff | None = None,
    sleep: Sleep = asyncio.sleep,
    on_text: OnText | None = None,
    on_retry: OnRetry | None = None,
) -> Answer:
    """One answer to one request; raises ProviderFailure when there is none, LimitReached when there may be none."""
    waits = backoff if backoff is not None else Backoff()
    for tries in count(1):
        try:
            return await _once(model, request, spending, on_text)
        except ProviderFailure as failure:
            if waits.gives_up(failure, tries):
                raise
            retry = Retry(failure, tries, waits.pause(failure, tries))
        spending.require_time(retry.pause, retry.failure)
        if on_retry is not None:
            on_retry(retry)
        await sleep(retry.pause)
    raise AssertionError("counting ended")  # pragma: no cover


async def _once(model: Model, request: Request, spending: Spending, on_text: OnText | None) -> Answer:
    if spending.limits.cost is not None and model.info.price(Usage()) is None:
        # A limit that cannot be enforced must not be accepted.
        raise LimitReached(
            "cost",
            f"the limit of ${spending.limits.cost:g} cannot be enforced, because the price of {model.info.name} is not "
            f'known; set it in your settings under [models."{model.info.name}"], or remove the limit on cost',
        )
    least = least_usage(request)
    with spending.reserved(least.total, model.info.price(least) or 0.0):
        try:
            async with asyncio.timeout(spending.seconds_left):
                answer = await model.provider.ask(request, on_text)
        except TimeoutError:
            spending.check()  # says which limit it was
            raise ProviderFailure("the time for this job is up", "timeout") from None
    spending.charge(answer)
    return answer


def least_usage(request: Request) -> Usage:
    """The least that a request can use."""
    return Usage(input=len(request.prompt.text.encode("utf-8", "replace")) // _MOST_BYTES_PER_TOKEN, output=1)
