"""What a format is: where its edits may open in a reply, and how one of them is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from inlay.codes import Code
from inlay.engine.formats.envelope import Fence, Reply
from inlay.model.edit import Part

MOST_PARTS = 20_000


@dataclass(frozen=True, slots=True)
class Opening:
    """A line where an edit may begin, with what is known about its surroundings."""

    reply: Reply
    line: int  #: 0-based
    floor: int  #: first line that no earlier edit owns
    fence: Fence | None  #: the code fence that is open at this line
    asked: bool  #: whether the caller named this format, so that less evidence will do


@dataclass(frozen=True, slots=True)
class Claim:
    """Lines `start` to `end` (exclusive) of the reply, read as edits of one format."""

    start: int
    end: int
    parts: tuple[Part, ...]
    warnings: tuple[str, ...] = ()


class Unreadable(Exception):
    """An edit opens here but cannot be read; `end` is the line where reading may go on."""

    def __init__(
        self, message: str, end: int, *, code: Code = "malformed", advice: str = "", parts: tuple[Part, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message, self.end, self.code, self.advice, self.parts = message, end, code, advice, parts


class CutOff(Unreadable):
    """The reply ends, or goes on with something else, before this edit is complete; `parts` were."""

    def __init__(self, message: str, end: int, *, parts: tuple[Part, ...] = ()) -> None:
        super().__init__(message, end, code="truncated", parts=parts)


class TooMany(Unreadable):
    """More edits than any model writes, so that nonsense is not read to its end."""

    def __init__(self, end: int) -> None:
        super().__init__("the reply has more edits than can be read", end, code="too-many")


@dataclass(frozen=True, slots=True)
class Format:
    """One way of writing edits: its names, the text that teaches it to a model, and its reader."""

    name: str
    title: str
    prompt: str
    marks: tuple[str, ...]  #: every edit in this format contains one of these, which is cheap to rule out
    opening: re.Pattern[str]  #: matches at the beginning of lines where an edit may open
    #: the edit that opens there, or the line from which to go on looking where there is none
    read: Callable[[Opening], Claim | int]
    aliases: tuple[str, ...] = ()
    fenced: bool = False  #: code fences belong to the format and are no wrapping
    whole: bool = False  #: holds plain file content, in which edits of other formats may be quoted
