"""Failures on the way are met with waits; limits end a job before they are passed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from inlay.errors import LimitReached, ProviderFailure
from inlay.llm import Model, open_model
from inlay.llm.call import ask, least_usage
from inlay.llm.limits import Spending
from inlay.llm.retry import AT_ONCE, Backoff, Retry
from inlay.model.answer import Answer, Limits, Usage
from inlay.model.prompt import Request
from inlay.model.settings import Settings
from loopback import Loopback, Reply, replies
from loopback.wired import opened, request


class Asked:
    """One question, with every wait noted instead of waited."""

    def __init__(self, limits: Limits | None = None, backoff: Backoff | None = None) -> None:
        self.waits: list[float] = []
        self.retries: list[Retry] = []
        self.spending = Spending(limits)
        self.backoff = backoff

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def __call__(self, model: Model, asked: Request, on_text: Callable[[str], None] | None = None) -> Answer:
        return asyncio.run(
            ask(
                model,
                asked,
                spending=self.spending,
                backoff=self.backoff,
                sleep=self._sleep,
                on_text=on_text,
                on_retry=self.retries.append,
            )
        )


@pytest.mark.parametrize(
    "fault",
    [
        replies.failed(500),
        replies.rate_limited("0"),
        replies.overloaded(),
        replies.overloaded_in_stream(),
        replies.cut(),
        replies.ended(),
        replies.invalid_json(),
        replies.page(),
    ],
    ids=["500", "429", "529", "overloaded", "cut", "ended", "invalid", "page"],
)
def test_a_passing_fault_is_asked_again(wire: str, fault: Reply) -> None:
    asked = Asked()
    with Loopback(fault, fault, "the answer") as server:
        assert asked(opened(server, wire), request()).text == "the answer"
    assert len(server.seen) == 3
    assert [retry.tries for retry in asked.retries] == [1, 2]
    assert asked.waits == [retry.pause for retry in asked.retries]
    assert asked.spending.usage == Usage(100, 2)


def test_a_lasting_fault_is_given_up(wire: str) -> None:
    asked = Asked(backoff=Backoff(tries=3))
    with Loopback(lambda seen: replies.failed(500)) as server, pytest.raises(ProviderFailure, match="500"):
        asked(opened(server, wire), request())
    assert len(server.seen) == 3
    assert len(asked.waits) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_cannot_get_better_is_asked_once(wire: str, status: int) -> None:
    asked = Asked()
    with Loopback(lambda seen: replies.failed(status)) as server, pytest.raises(ProviderFailure):
        asked(opened(server, wire), request())
    assert (len(server.seen), asked.waits) == (1, [])


def test_the_wait_asked_for_is_kept() -> None:
    asked = Asked()
    with Loopback(replies.rate_limited("9"), "ok") as server:
        asked(opened(server, "anthropic"), request())
    assert 9 <= asked.waits[0] <= 10


def test_a_wait_beyond_patience_is_not_begun() -> None:
    asked = Asked()
    with Loopback(replies.rate_limited("4000"), "ok") as server, pytest.raises(ProviderFailure) as caught:
        asked(opened(server, "anthropic"), request())
    assert (len(server.seen), asked.waits, caught.value.retry_after) == (1, [], 4000)


def test_no_second_try_at_all() -> None:
    asked = Asked(backoff=AT_ONCE)
    with Loopback(replies.failed(500), "ok") as server, pytest.raises(ProviderFailure):
        asked(opened(server, "openai"), request())
    assert len(server.seen) == 1


def test_waits_grow_within_bounds() -> None:
    failure = ProviderFailure("x", "transient")
    low, high = Backoff(chance=lambda: 0.0), Backoff(chance=lambda: 1.0)
    assert [low.pause(failure, n) for n in (1, 2, 3, 4, 10)] == [0.5, 1, 2, 4, 30]
    assert [high.pause(failure, n) for n in (1, 2, 3, 4, 10)] == [1, 2, 4, 8, 60]
    asked_for = ProviderFailure("x", "rate-limit", retry_after=5)
    assert [each.pause(asked_for, 3) for each in (low, high)] == [5, 5.4]


def test_tokens_end_a_job() -> None:
    asked = Asked(Limits(tokens=250))
    with Loopback(lambda seen: Reply("x" * 400)) as server:
        model = opened(server, "anthropic")
        asked(model, request())
        with pytest.raises(
            LimitReached, match=r"the limit of 250 tokens would be exceeded: 200 used, .* at least 51"
        ) as caught:
            asked(model, request(system="word " * 100))
        assert caught.value.limit == "tokens"
    assert len(server.seen) == 1


def test_money_ends_a_job_before_it_is_spent() -> None:
    with Loopback(lambda seen: Reply("x", input_tokens=400_000, output_tokens=10_000)) as server:
        model = opened(server, "anthropic")
        asked = Asked(Limits(cost=1.0))
        asked(model, request())
        assert asked.spending.cost == pytest.approx(0.9)
        long = request(system="word " * 200_000)
        assert (model.info.price(least_usage(long)) or 0.0) > 0.1
        with pytest.raises(LimitReached, match=r"\$1 would be exceeded: \$0.9000 used, .* at least \$0.20") as caught:
            asked(model, long)
        assert caught.value.limit == "cost"
        asked(model, request())
        with pytest.raises(LimitReached, match=r"\$1 would be exceeded: \$1.8000 used"):
            asked(model, request())
    assert len(server.seen) == 2


def test_time_ends_a_call_under_way() -> None:
    asked = Asked(Limits(seconds=0.5))
    with Loopback(replies.stalled()) as server:
        model = opened(server, "anthropic")
        with pytest.raises(LimitReached, match=r"the limit of 0.5 seconds is reached") as caught:
            asked(model, request(timeout=60))
    assert caught.value.limit == "seconds"


def test_time_ends_a_wait_before_it_is_begun() -> None:
    asked = Asked(Limits(seconds=5))
    with Loopback(replies.rate_limited("30"), "ok") as server, pytest.raises(LimitReached, match="30"):
        asked(opened(server, "anthropic"), request())
    assert (len(server.seen), asked.waits) == (1, [])


def test_requests_at_the_same_time_cannot_pass_a_limit_together() -> None:
    async def three() -> list[Answer | BaseException]:
        return await asyncio.gather(*(ask(model, long, spending=spending) for _ in range(3)), return_exceptions=True)

    long = request(system="word " * 1000)
    spending = Spending(Limits(tokens=2 * least_usage(long).total))
    with Loopback(lambda seen: Reply("ok", delay=0.2)) as server:
        model = opened(server, "openai")
        results = asyncio.run(three())
    assert [type(result) for result in results] == [Answer, Answer, LimitReached]
    assert len(server.seen) == 2


def test_attempts_are_counted() -> None:
    spending = Spending(Limits(attempts=2))
    assert [spending.attempt(), spending.attempt()] == [1, 2]
    with pytest.raises(LimitReached, match="all 2 attempts are used") as caught:
        spending.attempt()
    assert (caught.value.limit, spending.attempts) == ("attempts", 2)


def test_what_was_paid_for_earlier_costs_nothing() -> None:
    spending = Spending(Limits(tokens=10))
    spending.charge(Answer("x", "end", Usage(100, 100), 1.0, remembered=True))
    spending.check()
    assert (spending.usage, spending.cost) == (Usage(), 0.0)


def test_a_limit_used_up_by_answers_is_named() -> None:
    spending = Spending(Limits(tokens=100, cost=2.0), clock=lambda: 0.0)
    spending.charge(Answer("x", "end", Usage(60, 50), 0.5))
    with pytest.raises(LimitReached, match="the limit of 100 tokens is reached: 110 used"):
        spending.check()


def test_a_limit_on_cost_that_cannot_be_held_is_refused() -> None:
    with Loopback("x") as server:
        model = open_model("anthropic:unheard-of", Settings.of(), server.environ("anthropic"))
        with pytest.raises(LimitReached, match=r"\$1 cannot be enforced, .* of anthropic:unheard-of is not known"):
            Asked(Limits(cost=1.0))(model, request())
        assert server.seen == []
        assert Asked()(model, request()).cost is None


def test_a_price_that_is_not_known_is_not_made_up() -> None:
    spending = Spending()
    spending.charge(Answer("x", "end", Usage(1, 1), None))
    assert spending.cost is None
