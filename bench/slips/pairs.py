"""Two slips at once: random pairs of those that must still apply and do not get in each other's way."""

from __future__ import annotations

from bench.draft import Draft
from bench.slips.registry import SLIPS, Slip, slip

#: What concerns the file comes first, what concerns the reply as a whole comes last.
_ORDER = (
    "final newline",
    "line ends",
    "byte order mark",
    "odd bytes",
    "literal",
    "indentation",
    "whitespace",
    "blank lines",
    "payload",
    "order",
    "numbers",
    "markup",
    "path",
    "envelope",
)


@slip("pairs", "apply")
def two_at_once(draft: Draft) -> bool:
    first, second = sorted(draft.rng.sample(_joinable(draft.format), 2), key=lambda one: _ORDER.index(one.family))
    draft.note = f"{first.name}+{second.name}"
    return first.family != second.family and not _at_odds(first, second) and first.make(draft) and second.make(draft)


def _joinable(format: str) -> list[Slip]:
    return [one for one in SLIPS.values() if one.joins and format in one.formats and one.family in _ORDER]


def _at_odds(first: Slip, second: Slip) -> bool:
    """Pairs that undo one another or leave no evidence of either."""
    families = {first.family, second.family}
    names = {first.name, second.name}
    return (
        families == {"literal", "payload"}
        or names == {"first_line_outdented", "blank_lines_around"}
        or names == {"markers_of_other_length", "sides_fenced"}
        or names == {"json_shapes", "numbers_wrong"}
        or names == {"separators_inside_lines", "look_alikes_in_edit"}
    )
