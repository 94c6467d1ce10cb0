"""What a merge strategy gives back: the merged text, or a refusal that says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inlay.codes import Code
from inlay.errors import MergeRefused, Misfit


@dataclass(frozen=True, slots=True)
class Merged:
    """A file's text after the merge, and what a person should know about how it came about."""

    text: str
    notes: tuple[str, ...] = ()


def refusal(code: Code, message: str, advice: str = "", lines: Sequence[int] = ()) -> MergeRefused:
    """One reason not to merge; `lines` are 0-based lines of the existing file that the reason is about."""
    return MergeRefused(Misfit(code, message, advice, candidates=tuple(line + 1 for line in lines)))
