"""The register of slips: what each is called, which formats it occurs in and the outcome it must have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.draft import Draft, Outcome
from bench.rendering import PARTS

Make = Callable[[Draft], bool]


@dataclass(frozen=True, slots=True)
class Slip:
    """One way in which models' edits go wrong, or in which files surprise models."""

    name: str
    family: str
    outcome: Outcome
    formats: tuple[str, ...]
    make: Make  #: changes the draft in place; False where the slip cannot happen to it
    #: whether it can be made on top of another slip, or others on top of it
    joins: bool = False
    #: whether it looks for passages of its own, unmistakable or not
    natural: bool = False


SLIPS: dict[str, Slip] = {}


def slip(
    family: str, outcome: Outcome, formats: tuple[str, ...] = PARTS, *, joins: bool = False, natural: bool = False
) -> Callable[[Make], Make]:
    """Register a function as the slip of its own name."""

    def register(make: Make) -> Make:
        SLIPS[make.__name__] = Slip(make.__name__, family, outcome, formats, make, joins, natural)
        return make

    return register


def indent_of(text: str) -> str:
    """The blanks a line begins with."""
    return text[: len(text) - len(text.lstrip(" \t"))]
