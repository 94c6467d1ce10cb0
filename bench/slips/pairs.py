"""Two slips at once: random pairs of those that must still apply and do not get in each other's way."""

from __future__ import annotations

from bench.draft import Draft
from bench.rendering import PARTS
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


#: Families whose slips are tried with a second one on top; what must apply alone need not apply then.
_LATER = (
    "state",
    "no context",
    "stale section",
    "near twins",
    "one side",
    "markers",
    "snippet",
    "signs",
    "headers",
    "layout",
    "reply bytes",
    "glyphs",
    "habit",
    "meant",
    "json",
)
#: What may come on top of a slip that changed the file or the number of edits.
_ON_TOP = ("line ends", "byte order mark", "indentation", "whitespace", "blank lines", "payload", "path", "envelope")


@slip("pairs", "either", (*PARTS, "whole_file"))
def one_on_top(draft: Draft) -> bool:
    """A slip that may be refused, and one that must apply on top of it."""
    first = draft.rng.choice([s for s in SLIPS.values() if s.family in _LATER and draft.format in s.formats])
    second = draft.rng.choice([s for s in _joinable(draft.format) if s.family in _ON_TOP])
    draft.note = f"{first.name}+{second.name}"
    if first.family == "json" and second.name == "other_fence":
        return False  # what the first does to JSON is done before it is fenced
    draft.outcome = first.outcome if first.outcome != "apply" else "either"
    if first.natural or not first.make(draft) or draft.also:
        return False  # a second right result was worked out for the file as it is
    frozen = any(p.find is not None or p.replace is not None for p in draft.said)
    if frozen and second.family not in ("line ends", "byte order mark", "path", "envelope"):
        return False  # it would change one side only, and so be a slip of another kind
    alone = draft.original() + "".join(str((p.old(), p.new())) for p in draft.said)
    wraps = len(draft.wraps)
    if not second.make(draft):
        return False
    return (
        len(draft.wraps) > wraps
        or alone != draft.original() + "".join(str((p.old(), p.new())) for p in draft.said)
        or second.family == "path"
        or second.name == "other_fence"
    )


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
        or names == {"counts_wrong", "mailed"}  # git counts
        or names == {"separators_inside_lines", "look_alikes_in_edit"}
    )
