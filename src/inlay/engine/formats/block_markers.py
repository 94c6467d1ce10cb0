"""Lines that mark the sides of an edit or of a merge conflict: which sign, how often, which word.

marker   = blanks? run (blanks? word+)? ">"?
run      = the sign three times or more | the sign five times or more with single blanks between
sign     = "<" | ">" | "=" | "|" | "-" | "+"
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SIGNS = frozenset("<>=|+-")
_MARKER = re.compile(r"([ \t]{0,40})(([<>=|+-])(?:\3{2,}+|(?: \3){4,}+(?!\3)))(?:([ \t]+)(.*?)|(\w.*?))?[ \t]*$", re.S)
_LONGEST = 200  # characters; no marker has more
#: Words that name the side of the file and the side of the edit, as models and prompts write them.
OLD_WORDS = frozenset(("SEARCH", "ORIGINAL", "HEAD", "OLD", "BEFORE", "FIND", "CURRENT"))
NEW_WORDS = frozenset(("REPLACE", "REPLACEMENT", "UPDATED", "NEW", "AFTER", "MODIFIED", "INCOMING"))


class Marker(NamedTuple):
    sign: str
    width: int  #: how often the sign is written
    word: str  #: upper case, without a final ">"
    plain: bool  #: at the margin, with no blanks between the signs and one before the word, as git writes it

    @property
    def is_known(self) -> bool:
        """Whether it is an edit's by its word and width, whichever way round its signs are."""
        if not 5 <= self.width <= 9:
            return False
        words = OLD_WORDS | NEW_WORDS if self.sign in "<>" else ("SEARCH", "REPLACE")
        return self.sign in "<>+-" and self.word in words

    @property
    def is_conflict(self) -> bool:
        """Whether git writes such a line around the sides of a conflict."""
        return self.sign in "<>|" and self.width == 7 and self.plain


def marker_on(line: str) -> Marker | None:
    """The marker that a line is; a line of content may be one as well."""
    if len(line) > _LONGEST or line.lstrip(" \t")[:1] not in _SIGNS or (found := _MARKER.match(line)) is None:
        return None
    indent, run, sign, gap, apart, joined = found.groups()
    word = (apart or joined or "").upper().removesuffix(">").rstrip()
    return Marker(sign, run.count(sign), word, not indent and " " not in run and not joined and gap in (None, " "))
