"""The scripted server speaks both wires without streams as well, as the real libraries read them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anthropic
import openai
import pytest

from loopback import KEY, Loopback, Reply, replies

Asked = Callable[[Loopback], Awaitable[tuple[str, str]]]


async def over_anthropic(server: Loopback) -> tuple[str, str]:
    async with anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0, timeout=0.5) as client:
        said = await client.messages.create(
            model="claude-sonnet-5-5", max_tokens=50, system="Be brief.", messages=[{"role": "user", "content": "hi"}]
        )
        return "".join(block.text for block in said.content if block.type == "text"), str(said.stop_reason)


async def over_openai(server: Loopback) -> tuple[str, str]:
    async with openai.AsyncOpenAI(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0, timeout=0.5) as client:
        turns: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]
        said = await client.chat.completions.create(model="gpt-4o", max_completion_tokens=50, messages=turns)
        return said.choices[0].message.content or "", said.choices[0].finish_reason


ASKED: dict[str, Asked] = {"anthropic": over_anthropic, "openai": over_openai}
STOPS = {
    "anthropic": {"end": "end_turn", "max_tokens": "max_tokens", "refusal": "refusal"},
    "openai": {"end": "stop", "max_tokens": "length", "refusal": "content_filter"},
}


@pytest.mark.parametrize("reply", [Reply("hello"), replies.max_tokens("hel"), replies.refusal("no"), replies.empty()])
def test_plain_answers(wire: str, reply: Reply) -> None:
    with Loopback(reply) as server:
        assert asyncio.run(_asked(wire, server)) == (reply.text, STOPS[wire][reply.stop])
    seen = server.seen[0]
    assert (seen.streamed, seen.system, seen.last, seen.max_tokens) == (False, "Be brief.", "hi", 50)
    assert "hi" in seen.words


async def _asked(wire: str, server: Loopback) -> tuple[str, str]:
    return await ASKED[wire](server)


@pytest.mark.parametrize(
    "fault",
    [replies.cut(), replies.ended(), replies.stalled(), replies.invalid_json(), replies.overloaded_in_stream()],
    ids=["cut", "ended", "stalled", "invalid", "overloaded"],
)
def test_plain_faults(wire: str, fault: Reply) -> None:
    with Loopback(fault) as server, pytest.raises((anthropic.APIError, openai.APIError, ValueError)):
        asyncio.run(_asked(wire, server))
    assert len(server.seen) == 1


def test_a_script_that_is_used_up_says_so(wire: str) -> None:
    with Loopback("one") as server:
        asyncio.run(_asked(wire, server))
        with pytest.raises((anthropic.APIStatusError, openai.APIStatusError), match="used up") as caught:
            asyncio.run(_asked(wire, server))
    assert caught.value.status_code == 418
