"""Keeps count of the edits that are still to come, so that none is forgotten between two answers.

A model that is asked for some of its edits again may send fewer than it was asked for, and everything would fit
without the rest. That is doubted, and what is missing is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from inlay.errors import Misfit
from inlay.generation.partial_edits import Sorted, size
from inlay.model.edit import Part

#: How many edits of each file are to be sent; "" stands for any file.
Owed: TypeAlias = Mapping[str, int]
ANY = ""


def still_owed(owed: Owed, held: Iterable[Part], found: Sorted, *, cut: bool = False) -> Owed:
    """What is to be sent after an answer: what it did not bring, what of it does not fit, and what is held no longer.

    Held and owed together are all edits there are; where a file loses what was held of it, all of them are owed.
    """
    left = {path: count - _arrived(path, found.arrived) for path, count in owed.items()}
    left |= {path: max(count, left.get(path, 0)) for path, count in found.missing.items()}
    before = all_of(held)
    left |= {path: before[path] + owed.get(path, 0) for path in found.redo if path in before}
    left |= {ANY: 1} if cut else {}
    return {path: count for path, count in left.items() if count > 0}


def all_of(parts: Iterable[Part]) -> Owed:
    """All edits there were, where none of them is held."""
    owed: dict[str, int] = {}
    for part in parts:
        owed[str(part.path)] = owed.get(str(part.path), 0) + size((part,))
    return owed


def shortfall(owed: Owed, arrived: Mapping[str, int]) -> tuple[Misfit, ...]:
    """A misfit for every file of which fewer edits came than were asked for."""
    return tuple(_fewer(path, count, came) for path, count in owed.items() if (came := _arrived(path, arrived)) < count)


def _arrived(path: str, arrived: Mapping[str, int]) -> int:
    return sum(arrived.values()) if path == ANY else arrived.get(path, 0)


def _fewer(path: str, asked: int, came: int) -> Misfit:
    edits = "1 edit was" if asked == 1 else f"{asked} edits were"
    message = f"{edits} to be sent again, and {came or 'none'} came that was not held already"
    return Misfit("fewer-edits", message, "Send those that are missing as well.", path=path)
