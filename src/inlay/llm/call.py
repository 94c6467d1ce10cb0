"""Asks a model once, and again only where the request itself failed on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeAlias

from inlay.errors import LimitReached, ProviderFailure
from inlay.llm.limits import Spending
from inlay.llm.provider import Model, OnText
from inlay.llm.retry import Backoff, Retry
from inlay.model.answer import Answer, ModelInfo, Usage
from inlay.model.prompt import Request

#: Called before each wait; text that arrived for the failed try is void then.
OnRetry: TypeAlias = Callable[[Retry], None]
Sleep: TypeAlias = Callable[[float], Awaitable[None]]

# No tokenizer makes fewer tokens of ordinary text, so a request that this refuses would have passed the limit.
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
        _require_time(retry, spending)
        if on_retry is not None:
            on_retry(retry)
        await sleep(retry.pause)
    raise AssertionError("counting ended")  # pragma: no cover


async def _once(model: Model, request: Request, spending: Spending, on_text: OnText | None) -> Answer:
    _require_price(model, spending)
    least = least_usage(request)
    with spending.reserved(least.total, least_cost(request, model.info)):
        try:
            async with asyncio.timeout(spending.seconds_left):
                answer = await model.provider.ask(request, on_text)
        except TimeoutError:
            spending.check()  # says which limit it was
            raise ProviderFailure("the time for this job is up", "timeout") from None
    spending.charge(answer)
    return answer


def _require_price(model: Model, spending: Spending) -> None:
    """A limit that cannot be held must not be believed in."""
    if spending.limits.cost is not None and model.info.price(Usage()) is None:
        raise LimitReached(
            "cost",
            f"the limit of ${spending.limits.cost:g} cannot be held, for the price of {model.info.name} is not known; "
            f'say it in your settings under [models."{model.info.name}"], or set no limit on cost',
        )


def least_usage(request: Request) -> Usage:
    """What a request takes at the very least."""
    return Usage(input=len(request.prompt.text.encode("utf-8", "replace")) // _MOST_BYTES_PER_TOKEN, output=1)


def least_cost(request: Request, info: ModelInfo) -> float:
    """US dollars a request costs at the very least; 0 where the price is not known."""
    return info.price(least_usage(request)) or 0.0


def _require_time(retry: Retry, spending: Spending) -> None:
    left = spending.seconds_left
    if left is not None and retry.pause >= left:
        raise LimitReached(
            "seconds",
            f"the limit of {spending.limits.seconds:g} seconds ends before the model can be asked again "
            f"in {retry.pause:.1f} seconds: {retry.failure}",
        ) from retry.failure
