"""What is asked of a model: the words, and how much of an answer there may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    text: str
    keep: bool = False  #: whether everything up to here will be sent again, so that a provider's cache should hold it


@dataclass(frozen=True, slots=True)
class Prompt:
    """A whole conversation, what never changes first, so that providers' caches hit."""

    system: str
    messages: tuple[Message, ...]

    @property
    def text(self) -> str:
        """Every word of it, in order; for counting."""
        return "\n".join([self.system, *(message.text for message in self.messages)])


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model."""

    prompt: Prompt
    max_output: int  #: tokens
    label: str = ""  #: what it is about, stable from run to run; a recorded transcript is searched by it
    timeout: float = 600.0  #: seconds without an answer after which the call is given up
    temperature: float | None = None  #: None leaves it to the provider
    json: bool = False  #: whether the answer must be one JSON value, where the provider can be told so
