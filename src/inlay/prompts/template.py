"""A prompt's name, and an example of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from inlay.model.prompt import Prompt


@dataclass(frozen=True, slots=True)
class Template:
    name: str  #: as `inlay prompt` takes it
    title: str  #: one line
    example: Callable[[], Prompt]  #: the prompt with sample data in it
