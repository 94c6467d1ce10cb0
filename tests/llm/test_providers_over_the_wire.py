"""Both providers with their real libraries against a server that fails as it is told to."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback

import pytest

from inlay.errors import ProviderFailure
from inlay.llm import open_model
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Message, Prompt, Request
from inlay.model.settings import Settings
from loopback import KEY, Loopback, Reply, replies
from loopback.wired import answered, opened, request

_TEXT = "def greet():\n\treturn 'grüß dich'  \n\n<think>not a thought</think>\n"


def failure(server: Loopback, wire: str, timeout: float = 5.0) -> ProviderFailure:
    pieces: list[str] = []
    with pytest.raises(ProviderFailure) as caught:
        answered(opened(server, wire), request(timeout=timeout), pieces.append)
    assert len(server.seen) == 1, "the library tried again by itself"
    assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))
    return caught.value


def test_an_answer_arrives_whole_and_in_pieces(wire: str) -> None:
    pieces: list[str] = []
    with Loopback(Reply(_TEXT, cache_read=40, output_tokens=7)) as server:
        answer = answered(opened(server, wire), request(), pieces.append)
    assert answer.text == _TEXT
    assert "".join(pieces) == _TEXT
    assert len(pieces) > 1
    assert (answer.stop, answer.usage) == ("end", Usage(100, 7, cache_read=40))
    assert answer.seconds > 0
    seen = server.seen[0]
    assert (seen.system, seen.messages, seen.max_tokens) == ("Be brief.", [("user", "Say it.")], 100)
    assert seen.streamed


def test_what_an_answer_cost_is_told(wire: str) -> None:
    usage = Usage(1_000_000, 100_000, cache_read=400_000)
    with Loopback(
        Reply("x", input_tokens=usage.input, output_tokens=usage.output, cache_read=usage.cache_read)
    ) as server:
        model = opened(server, wire)
        answer = answered(model, request())
    assert answer.cost == model.info.price(usage)
    assert answer.cost == pytest.approx(0.6 * 2 + 0.4 * 0.1 + 0.1 * 10)


@pytest.mark.parametrize(
    ("reply", "stop", "text"),
    [
        (replies.max_tokens("the first half"), "truncated", "the first half"),
        (replies.refusal("No."), "refused", "No."),
        (replies.refusal(""), "refused", ""),
        (replies.empty(), "end", ""),
        (replies.prose(), "end", replies.prose().text),
        (replies.wrong_fence("x = 1\n"), "end", "```text\nx = 1\n"),
    ],
    ids=["max_tokens", "refusal", "refusal without words", "empty", "prose", "wrong fence"],
)
def test_why_an_answer_stopped_is_told(wire: str, reply: Reply, stop: str, text: str) -> None:
    with Loopback(reply) as server:
        answer = answered(opened(server, wire), request())
    assert (answer.stop, answer.text) == (stop, text)


@pytest.mark.parametrize(
    ("reply", "kind", "status"),
    [
        (replies.failed(500), "transient", 500),
        (replies.failed(502), "transient", 502),
        (replies.failed(503), "transient", 503),
        (replies.failed(504), "transient", 504),
        (replies.rate_limited(), "rate-limit", 429),
        (replies.overloaded(), "overloaded", 529),
        (replies.cut(after=0), "transient", None),
        (replies.cut(after=2), "transient", None),
        (replies.ended(after=0), "transient", None),
        (replies.ended(after=2), "transient", None),
        (replies.invalid_json(), "transient", None),
        (replies.page(), "transient", None),
        (Reply(body=b"", headers={"Content-Type": "text/event-stream"}), "transient", None),
        (replies.failed(400), "permanent", 400),
        (replies.failed(401), "permanent", 401),
        (replies.failed(402), "permanent", 402),
        (replies.failed(403), "permanent", 403),
        (replies.failed(404), "permanent", 404),
        (replies.failed(413), "permanent", 413),
        (replies.failed(422), "permanent", 422),
    ],
    ids=lambda value: value.text[:20] if isinstance(value, Reply) else str(value),
)
def test_every_failure_is_classified_and_asked_once(wire: str, reply: Reply, kind: str, status: int | None) -> None:
    with Loopback(reply) as server:
        failed = failure(server, wire)
    assert (failed.kind, failed.status) == (kind, status)
    assert len(str(failed)) < 400
    assert "\n" not in str(failed)


def test_an_overload_within_a_stream_is_one(wire: str) -> None:
    with Loopback(replies.overloaded_in_stream()) as server:
        assert failure(server, wire).kind == "overloaded"


@pytest.mark.parametrize(
    "reply", [replies.stalled(after=0), replies.stalled(), replies.pinging(after=0), replies.pinging()]
)
def test_a_stream_that_stalls_is_given_up_in_time(wire: str, reply: Reply) -> None:
    with Loopback(reply) as server:
        began = time.monotonic()
        failed = failure(server, wire, timeout=0.4)
    assert failed.kind == "timeout"
    assert time.monotonic() - began < 3


def test_a_slow_stream_is_no_stall(wire: str) -> None:
    with Loopback(Reply("a slow but steady answer", pieces=8, pace=0.15)) as server:
        assert answered(opened(server, wire), request(timeout=0.6)).stop == "end"


def test_nobody_at_home(wire: str) -> None:
    with Loopback() as server:
        model = opened(server, wire)
    with pytest.raises(ProviderFailure, match="the connection failed") as caught:
        answered(model, request())
    assert caught.value.kind == "transient"


@pytest.mark.parametrize(
    ("asked", "seconds"), [("7", 7.0), ("0.5", 0.5), (None, None), ("soon", None)], ids=["7", "half", "none", "words"]
)
def test_the_wait_a_provider_asks_for(wire: str, asked: str | None, seconds: float | None) -> None:
    with Loopback(replies.rate_limited(asked)) as server:
        assert failure(server, wire).retry_after == seconds


def test_the_wait_may_be_a_date(wire: str) -> None:
    moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))
    with Loopback(replies.rate_limited(moment)) as server:
        assert failure(server, wire).retry_after == pytest.approx(60, abs=5)


def test_money_that_has_run_out_is_not_waited_for() -> None:
    body = (
        b'{"error": {"message": "You exceeded your quota", "type": "insufficient_quota", "code": "insufficient_quota"}}'
    )
    with Loopback(Reply(status=429, body=body)) as server:
        assert failure(server, "openai").kind == "permanent"


def test_an_address_with_a_password_is_not_told() -> None:
    with Loopback(replies.failed(500)) as server:
        address = server.url.replace("://", "://me:opensesame@") + "/v1"
        model = open_model("openai:x", Settings.of(base_url=address), {})
        with pytest.raises(ProviderFailure, match="500") as caught:
            answered(model, request())
    assert "opensesame" not in str(caught.value) + repr(model)


@pytest.mark.parametrize("status", [400, 401, 500])
def test_no_key_in_what_is_said(wire: str, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with Loopback(replies.failed(status, f"the key {KEY} with secret=hunter2hunter2 is wrong")) as server:
        model = opened(server, wire)
        with pytest.raises(ProviderFailure) as caught:
            answered(model, request())
    failed = caught.value
    assert failed.__cause__ is None
    assert failed.__context__ is None
    told = "".join(traceback.format_exception(failed)) + repr(failed) + repr(failed.args) + repr(model) + caplog.text
    assert KEY not in told
    assert "hunter2" not in told
    assert "[secret]" in told


def test_what_stays_is_marked_for_the_cache() -> None:
    turns = (Message("user", "the file", keep=True), Message("assistant", "first", keep=True), Message("user", "again"))
    with Loopback("ok", "ok") as server:
        model = opened(server, "anthropic")
        answered(model, Request(Prompt("rules", turns), 100))
        answered(model, Request(Prompt("", (Message("user", "hi"),)), 100))
    body = server.seen[0].body
    marked = [bool(turn["content"][-1].get("cache_control")) for turn in body["messages"]]
    assert marked == [True, True, False]
    assert body["system"][-1]["cache_control"]["type"] == "ephemeral"
    assert server.seen[0].messages == [("user", "the file"), ("assistant", "first"), ("user", "again")]
    assert "cache_control" not in str(server.seen[1].body)


def test_what_anthropic_put_into_its_cache_is_counted() -> None:
    with Loopback(Reply("x", input_tokens=1000, cache_read=300, cache_write=200, output_tokens=5)) as server:
        answer = answered(opened(server, "anthropic"), request())
    assert answer.usage == Usage(1000, 5, cache_read=300, cache_write=200)


def test_json_and_temperature_are_asked_for() -> None:
    asked = Request(Prompt("", (Message("user", "hi"),)), 50, temperature=0.0, json=True)
    with Loopback("{}") as server:
        answered(open_model("openai:gpt-4.1", Settings.of(), server.environ("openai")), asked)
    body = server.seen[0].body
    assert (body["temperature"], body["response_format"]) == (0.0, {"type": "json_object"})
    assert body["max_tokens"] == 50
    assert [turn["role"] for turn in body["messages"]] == ["user"]


def test_a_model_that_takes_no_temperature_is_given_none(wire: str) -> None:
    with Loopback("ok") as server:
        answered(opened(server, wire), Request(Prompt("", (Message("user", "hi"),)), 50, temperature=0.0))
    assert "temperature" not in server.seen[0].body


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("<think>hm</think>\n\nthe answer", "the answer"),
        ("<think>cut in mid-thought", ""),
        ("see <think>this</think>", "see <think>this</think>"),
    ],
)
def test_thoughts_at_the_beginning_are_no_part_of_an_answer(said: str, text: str) -> None:
    with Loopback(Reply(said, pieces=3)) as server:
        assert answered(opened(server, "openai"), request()).text == text


def test_many_at_once_over_one_provider(wire: str) -> None:
    async def all_of_them() -> list[Answer]:
        turns = [Request(Prompt("", (Message("user", f"number {n}"),)), 50) for n in range(20)]
        return list(await asyncio.gather(*(model.provider.ask(turn) for turn in turns)))

    with Loopback(lambda seen: Reply(f"you said {seen.last}", pace=0.01)) as server:
        model = opened(server, wire)
        answers = asyncio.run(all_of_them())
    assert [answer.text for answer in answers] == [f"you said number {n}" for n in range(20)]
    assert server.most_at_once > 1


def test_one_model_in_one_loop_after_another(wire: str) -> None:
    with Loopback("one", "two") as server:
        model = opened(server, wire)
        assert [answered(model, request()).text for _ in range(2)] == ["one", "two"]


def test_a_listener_that_fails_is_not_the_providers_failure(wire: str) -> None:
    def upset(piece: str) -> None:
        raise BrokenPipeError("the reader is gone")

    with Loopback("an answer") as server, pytest.raises(BrokenPipeError):
        answered(opened(server, wire), request(), upset)


def test_a_request_that_is_cancelled_ends(wire: str) -> None:
    async def impatient() -> None:
        async with asyncio.timeout(0.3):
            await model.provider.ask(request(timeout=60))

    with Loopback(replies.stalled()) as server:
        model = opened(server, wire)
        with pytest.raises(TimeoutError):
            asyncio.run(impatient())


def test_a_provider_that_is_dropped_closes_its_connections(wire: str) -> None:
    async def one_after_another() -> list[str]:
        texts = []
        for _ in range(3):
            model = opened(server, wire)
            texts.append((await model.provider.ask(request())).text)
            del model
            await asyncio.sleep(0)
        return texts

    with Loopback("a", "b", "c") as server:
        assert asyncio.run(one_after_another()) == ["a", "b", "c"]


def test_openrouter_and_ollama_speak_the_same_wire() -> None:
    with Loopback("one", "two") as server:
        router = open_model(
            "openrouter:qwen/qwen3-coder",
            Settings.of(),
            {"OPENROUTER_API_KEY": KEY, "OPENROUTER_BASE_URL": f"{server.url}/v1"},
        )
        ollama = open_model("ollama:qwen2.5-coder:7b", Settings.of(), {"OLLAMA_HOST": server.url})
        assert [answered(model, request()).text for model in (router, ollama)] == ["one", "two"]
    assert [seen.model for seen in server.seen] == ["qwen/qwen3-coder", "qwen2.5-coder:7b"]
    assert ollama.info.input_price == 0
    assert router.info.context == 262_144
