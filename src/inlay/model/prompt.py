"""A request to a model: the prompt, and the limits of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    text: str
    keep: bool = False  #: whether everything up to here will be sent again, so that it should be cached


@dataclass(frozen=True, slots=True)
class Prompt:
    """A whole conversation; what never changes comes first, so that providers' caches hit."""

    system: str
    messages: tuple[Message, ...]

    @property
    def text(self) -> str:
        """All of its text, in order; for counting."""
        return "\n".join([self.system, *(message.text for message in self.messages)])


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model."""

    prompt: Prompt
    max_output: int  #: tokens
    label: str = ""  #: stable from run to run; a recording is searched by it
    timeout: float = 600.0  #: seconds of silence after which the call fails
    temperature: float | None = None  #: None leaves it to the provider
    json: bool = False  #: whether the answer must be one JSON value, where the provider supports it
