"""The protocol of all providers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from inlay.model.answer import Answer, ModelInfo
from inlay.model.prompt import Request

#: Called with each piece of the answer as it arrives.
OnText: TypeAlias = Callable[[str], None]


class Provider(Protocol):
    """Answers one request at a time, and may be asked for several at once."""

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """One call, never repeated here; raises ProviderFailure, which says whether trying again may help."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be asked, with what is known about it."""

    info: ModelInfo
    provider: Provider
    notes: tuple[str, ...] = ()  #: for the user: where it was found, which values are guesses
