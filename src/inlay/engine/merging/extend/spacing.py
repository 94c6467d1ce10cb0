"""How many blank lines a scope keeps between its members."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from inlay.engine.merging.extend.outline import BLOCKS, Member, Outline, Scope
from inlay.text.lines import is_blank


def gap(old: Outline, scope: Scope, above: Member | None, below: Member) -> int:
    """The blank lines between two members: the scope's habit, or the custom where it has none."""
    if above is not None and above.kind == "section":
        return 1 if old.marker == "{}" else 0
    if above is None and below.kind not in BLOCKS:
        return 1
    pair = (_sort(above), _sort(below))
    seen = Counter(_gaps(old, scope, pair))
    # Equally frequent: the wider gap, so that nothing is crammed.
    return max(sorted(seen, reverse=True), key=lambda width: seen[width]) if seen else _custom(old, scope, *pair)


def _sort(member: Member | None) -> str:
    if member is None:
        return "block"
    return "block" if member.kind in BLOCKS else member.kind


def _gaps(old: Outline, scope: Scope, pair: tuple[str, str]) -> Iterator[int]:
    for above, below in zip(scope.members, scope.members[1:], strict=False):
        between = old.lines[above.end : below.first]
        if (_sort(above), _sort(below)) == pair and below.first >= above.end and all(map(is_blank, between)):
            yield len(between)


def _custom(old: Outline, scope: Scope, above: str, below: str) -> int:
    if "block" in (above, below):
        return old.blank_lines if scope.module else 1
    return 0 if above == below else 1
