"""How a path is protected, whatever is to be written there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["none", "approve", "deny"]


@dataclass(frozen=True, slots=True)
class Protection:
    """Whether a path may be written freely, only with approval, or not at all."""

    level: Level = "none"
    reason: str = ""  #: what the path is, to follow "because it is"


@dataclass(frozen=True, slots=True)
class Policy:
    """Patterns that come before the built-in rules; given by the user, never by the project that is edited.

    A pattern is matched like a line of .gitignore, without negation and in any case of letters.
    """

    allow: tuple[str, ...] = ()
    approve: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
