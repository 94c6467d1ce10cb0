"""Gives every new member the comments that stand apart above it, so that none is lost on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from inlay.engine.merging.extend.outline import Member, Outline, Scope
from inlay.text.lines import is_blank

# Only Python and Ruby begin comments with a hash; elsewhere it begins an instruction to the compiler.
_COMMENT = re.compile(r"\s*(?://|/\*|\*|#(?!\s*(?:if|el|end|region|pragma|define|include|undef|nullable|\[)))")


def with_comments(new: Outline) -> Outline:
    """The same outline, in which members begin at the first comment below the member before them."""
    # What stands on top of a module speaks for the module, so it does not move with its first member.
    scope = replace(new.scope, members=tuple(_reaching(new, new.scope.members, None)))
    return replace(new, scope=scope, bare=tuple(_reaching(new, new.bare, None)))


def _reaching(new: Outline, members: tuple[Member, ...], floor: int | None) -> Iterator[Member]:
    for member in members:
        first = member.first
        if floor is not None:
            first = _topmost(new.lines, floor, first)
        yield replace(member, first=first, body=_inside(new, member.body))
        floor = member.end


def _topmost(lines: list[str], floor: int, first: int) -> int:
    """The first of the comments above a member, whatever blank lines lie between."""
    for n in range(first - 1, floor - 1, -1):
        if not is_blank(lines[n]) and not _COMMENT.match(lines[n]):
            break
        first = first if is_blank(lines[n]) else n
    return first


def _inside(new: Outline, scope: Scope | None) -> Scope | None:
    if scope is None or scope.inline:
        return scope
    *members, last = _reaching(new, scope.members, scope.opening) if scope.members else (None,)
    if last is None:
        return scope
    # Nothing follows the last comments of a class, so they go with what stands above them.
    below = [n for n in range(last.end, scope.closing) if not is_blank(new.lines[n])]
    end = below[-1] + 1 if below and all(_COMMENT.match(new.lines[n]) for n in below) else last.end
    return replace(scope, members=(*members, replace(last, end=end)))
