"""What the server can say, and every way in which it can fail to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Reply:
    """One answer of the server."""

    text: str = ""
    stop: Literal["end", "max_tokens", "refusal"] = "end"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None  # sent as it is, instead of anything else
    pieces: int = 6  # into which a streamed text is cut
    cut_after: int | None = None  # pieces, then the connection is gone
    ends_after: int | None = None  # pieces, then the body just ends, as if that were all
    stall_after: int | None = None  # pieces, then nothing more arrives
    pings_after: int | None = None  # pieces, then signs of life without end
    garbage_after: int | None = None  # pieces, then what is no JSON
    error_after: int | None = None  # pieces, then an error within the stream
    error: str = "overloaded_error"
    pace: float = 0.0  # seconds before each piece
    delay: float = 0.0  # seconds before anything
    input_tokens: int = 100
    output_tokens: int | None = None  # None: one for every four characters
    cache_read: int = 0
    cache_write: int = 0

    @property
    def outputs(self) -> int:
        return max(1, len(self.text) // 4) if self.output_tokens is None else self.output_tokens

    def cut(self) -> list[str]:
        """The text in pieces."""
        size = max(1, -(-len(self.text) // self.pieces))
        return [self.text[at : at + size] for at in range(0, len(self.text), size)]


def say(text: str) -> Reply:
    return Reply(text)


def max_tokens(text: str) -> Reply:
    return Reply(text, stop="max_tokens")


def refusal(text: str = "I cannot help with that.") -> Reply:
    return Reply(text, stop="refusal")


def empty() -> Reply:
    return Reply("")


def prose() -> Reply:
    return Reply("Sure! You would change the third line, and then it should work. Shall I show you?")


def wrong_fence(text: str) -> Reply:
    return Reply(f"```text\n{text}")


def failed(status: int, message: str = "something went wrong", **headers: str) -> Reply:
    return Reply(message, status=status, headers={name.replace("_", "-"): value for name, value in headers.items()})


def rate_limited(after: str | None = "1") -> Reply:
    return Reply("slow down", status=429, headers={} if after is None else {"Retry-After": after})


def overloaded() -> Reply:
    return Reply("overloaded", status=529)


def overloaded_in_stream(text: str = "half of an answer") -> Reply:
    return Reply(text, error_after=2)


def stalled(text: str = "half of an answer", after: int = 2) -> Reply:
    return Reply(text, stall_after=after)


def pinging(text: str = "half of an answer", after: int = 2) -> Reply:
    return Reply(text, pings_after=after)


def cut(text: str = "half of an answer", after: int = 2) -> Reply:
    return Reply(text, cut_after=after)


def ended(text: str = "half of an answer", after: int = 2) -> Reply:
    return Reply(text, ends_after=after)


def invalid_json(text: str = "half of an answer", after: int = 2) -> Reply:
    return Reply(text, garbage_after=after)


def page() -> Reply:
    """What a proxy says instead of the server: a page, and that all is well."""
    return Reply(body=b"<html><h1>Welcome to the hotel</h1></html>", headers={"Content-Type": "text/html"})
