"""A request as it arrived."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Seen:
    """One request, with the words in it whichever wire they came over."""

    number: int  # from 1, in the order of arrival
    wire: Literal["anthropic", "openai"]
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def max_tokens(self) -> int:
        return int(self.body.get("max_tokens") or self.body["max_completion_tokens"])

    @property
    def system(self) -> str:
        if self.wire == "anthropic":
            return _text(self.body.get("system", ""))
        return "\n".join(_text(each["content"]) for each in self.body["messages"] if _is_system(each))

    @property
    def messages(self) -> list[tuple[str, str]]:
        """Role and text of every turn."""
        return [(each["role"], _text(each["content"])) for each in self.body["messages"] if not _is_system(each)]

    @property
    def last(self) -> str:
        """What the last turn says."""
        return self.messages[-1][1]

    @property
    def words(self) -> str:
        """Everything that was sent."""
        return "\n".join([self.system, *(text for _, text in self.messages)])


def _is_system(message: Mapping[str, Any]) -> bool:
    return message["role"] in ("system", "developer")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)
