"""The two wire formats: what a reply looks like on each, whole and in pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from loopback.replies import Reply

_ANTHROPIC_STOPS = {"end": "end_turn", "max_tokens": "max_tokens", "refusal": "refusal"}
_OPENAI_STOPS = {"end": "stop", "max_tokens": "length", "refusal": "content_filter"}
_ERROR_TYPES = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}


def error(wire: str, status: int, message: str) -> dict[str, Any]:
    kind = _ERROR_TYPES.get(status, "overloaded_error" if status == 529 else "api_error")
    if wire == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "code": None, "param": None}}


def whole(wire: str, model: str, reply: Reply) -> dict[str, Any]:
    if wire == "anthropic":
        content = [{"type": "text", "text": reply.text}] if reply.text else []
        return _anthropic_message(model, reply) | {"content": content, "stop_reason": _ANTHROPIC_STOPS[reply.stop]}
    message = {"role": "assistant", "content": reply.text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": _OPENAI_STOPS[reply.stop], "logprobs": None}
    return _openai_head("chat.completion", model) | {"choices": [choice], "usage": _openai_usage(reply)}


def before(wire: str, model: str, reply: Reply) -> list[str]:
    """The events ahead of the first piece."""
    if wire == "openai":
        return [_openai_delta(model, {"role": "assistant", "content": ""})]
    events = [_named("message_start", message=_anthropic_message(model, reply)), _named("ping")]
    if reply.text:
        events.append(_named("content_block_start", index=0, content_block={"type": "text", "text": ""}))
    return events


def piece(wire: str, model: str, text: str) -> str:
    if wire == "openai":
        return _openai_delta(model, {"content": text})
    return _named("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


def after(wire: str, model: str, reply: Reply) -> Iterator[str]:
    """The events that follow the last piece."""
    if wire == "openai":
        yield _openai_delta(model, {}, _OPENAI_STOPS[reply.stop])
        yield _data(_openai_head("chat.completion.chunk", model) | {"choices": [], "usage": _openai_usage(reply)})
        yield "data: [DONE]\n\n"
        return
    if reply.text:
        yield _named("content_block_stop", index=0)
    delta = {"stop_reason": _ANTHROPIC_STOPS[reply.stop], "stop_sequence": None}
    yield _named("message_delta", delta=delta, usage={"output_tokens": reply.outputs})
    yield _named("message_stop")


def in_stream_error(wire: str, kind: str) -> str:
    if wire == "anthropic":
        return _named("error", error={"type": kind, "message": "Overloaded"})
    return _data({"error": {"message": "Overloaded", "type": kind, "code": None}})


def ping(wire: str) -> str:
    return _named("ping") if wire == "anthropic" else ": still here\n\n"


def garbage(wire: str) -> str:
    return 'event: content_block_delta\ndata: {"type": "content_bl\n\n' if wire == "anthropic" else 'data: {"id": \n\n'


def _anthropic_message(model: str, reply: Reply) -> dict[str, Any]:
    usage = {
        # Anthropic counts what the cache read and wrote apart from the rest.
        "input_tokens": reply.input_tokens - reply.cache_read - reply.cache_write,
        "cache_read_input_tokens": reply.cache_read,
        "cache_creation_input_tokens": reply.cache_write,
        "output_tokens": reply.outputs,
    }
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": model}
    return head | {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}


def _openai_usage(reply: Reply) -> dict[str, Any]:
    return {
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.outputs,
        "total_tokens": reply.input_tokens + reply.outputs,
        "prompt_tokens_details": {"cached_tokens": reply.cache_read},
    }


def _openai_head(kind: str, model: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000, "model": model}


def _openai_delta(model: str, delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _data(_openai_head("chat.completion.chunk", model) | {"choices": [choice]})


def _named(kind: str, **fields: Any) -> str:
    return f"event: {kind}\n" + _data({"type": kind, **fields})


def _data(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"
