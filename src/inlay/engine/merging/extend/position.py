"""Decides at which line of the existing text a new member goes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from inlay.engine.languages.outlines.outline import BLOCKS, Member, Outline, Scope
from inlay.engine.merging.extend.additions import Addition
from inlay.engine.merging.merged import refusal
from inlay.text.lines import is_blank


def place(old: Outline, addition: Addition, all_additions: Sequence[Addition]) -> int:
    """The 0-based line that the addition goes before; what stands above it is the last content before that place."""
    scope, member = addition.scope, addition.member
    wanted = _end(old, scope, member) if needs_new(addition, all_additions) else _wanted(old, addition)
    low, high = _bounds(old, scope, member)
    # The members of the scope that get new content which needs this new member to be defined before.
    needing = [other.scope.opening for other in all_additions if other.member.uses.intersection(member.names)]
    for top in scope.members:
        if any(top.body and top.start < line <= top.end for line in needing):
            high = min(high, before(old, scope, top))
    if low > high:
        message = f"there is no place for {member.shown} that comes after all it needs and before all that need it"
        raise refusal("order", message)
    return min(max(wanted, low), high)


def needs_new(addition: Addition, all_additions: Sequence[Addition]) -> bool:
    """Whether a field cannot join the other fields, because it needs a routine that comes with it."""
    beside = (each.member for each in all_additions if each.scope is addition.scope and each.member.kind in BLOCKS)
    return any(addition.member.uses.intersection(each.names) for each in beside)


def _wanted(old: Outline, addition: Addition) -> int:
    scope, member = addition.scope, addition.member
    if member.kind == "import":
        leading = _leading(scope)
        imports = [other for other in leading if other.kind == "import" and (other.early or not member.early)]
        tops = imports or [other for other in leading if other.kind == "preamble"]
        return tops[-1].end if tops else _below_header(old, scope)
    if member.kind == "preamble":
        return scope.opening
    if member.kind == "field":
        return _after_fields(old, scope, member)
    namesakes = [each for name in member.names for each in scope.bound(name) if each.section == member.section]
    if namesakes:
        # Signatures stand before their implementation, everything else after what shares its name.
        implemented = [other for other in namesakes if not other.overload]
        return before(old, scope, implemented[0]) if member.overload and implemented else namesakes[-1].end
    if member.group and (mates := [each for each in scope.members if each.group == member.group]):
        return mates[-1].end
    if addition.before and addition.before.section == member.section:
        return before(old, scope, addition.before)
    return _end(old, scope, member)


def before(old: Outline, scope: Scope, member: Member) -> int:
    """Behind the last content above a member; comments on top of a file speak for all of it."""
    return _behind(old.lines, scope.opening, member.first or member.start)


def _behind(lines: Sequence[str], opening: int, line: int) -> int:
    while line > opening and is_blank(lines[line - 1]):
        line -= 1
    return line


def _leading(scope: Scope) -> list[Member]:
    """The members before the first that has a body."""
    return list(takewhile(lambda member: member.kind not in ("routine", "type", "space"), scope.members))


def _below_header(old: Outline, scope: Scope) -> int:
    """Behind the comments on top of a file that stand apart from its first member: licence, interpreter, encoding."""
    end = scope.members[0].first or scope.members[0].start if scope.members else scope.closing
    return _behind(old.lines, scope.opening, end)


def _after_fields(old: Outline, scope: Scope, member: Member) -> int:
    same = [each for each in scope.members if each.kind == "field" and each.section == member.section]
    leading = [each for each in _leading(scope) if each in same]
    if any(each.kind == "section" for each in scope.members):
        return same[-1].end if same else _end(old, scope, member)
    if leading or scope.default_section != member.section:
        return leading[-1].end if leading else same[-1].end if same else _end(old, scope, member)
    tops = [each for each in _leading(scope) if each.kind in ("preamble", "import", "stub")]
    return tops[-1].end if tops else _below_header(old, scope) if scope.module else scope.opening


def _end(old: Outline, scope: Scope, member: Member) -> int:
    if scope.module and member.kind in BLOCKS and (trailing := _trailing(scope)):
        return before(old, scope, trailing)
    if member.section == (scope.members[-1].section if scope.members else scope.default_section):
        return _behind(old.lines, scope.opening, scope.closing)
    # Before the marker that ends the last stretch of the section; at the very end where there is none.
    current, end = scope.default_section, None
    for other in scope.members:
        if other.kind == "section":
            end = before(old, scope, other) if current == member.section else end
            current = other.section
    return end if end is not None else _behind(old.lines, scope.opening, scope.closing)


def _trailing(scope: Scope) -> Member | None:
    """The first of the statements at a module's end that run instead of defining something."""
    found = None
    for member in reversed(scope.members):
        runs = member.kind == "other" or (member.kind == "conditional" and not member.names)
        if not runs and member.names != ("module.exports",):
            break
        found = member
    return found


def _bounds(old: Outline, scope: Scope, member: Member) -> tuple[int, int]:
    """The lines between which a member means what it should and leaves every other meaning alone."""
    low, high = scope.opening, scope.closing
    bound: set[str] = set()
    for each in scope.members:
        fresh = set(each.names) - bound
        bound.update(each.names)
        if (fresh & member.uses and each.kind != "import") or each.avoids.intersection(member.names):
            low = max(low, each.end)
        if each.uses.intersection(member.names) or member.avoids.intersection(each.names):
            high = min(high, before(old, scope, each))
    return low, high
