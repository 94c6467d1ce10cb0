"""Slips in the markers of search_replace: other words, other shapes, turned round, one missing."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.slips.registry import slip

_BLOCKS = ("search_replace",)
_OPEN, _DIVIDE, _CLOSE = "<<<<<<< SEARCH\n", "\n=======\n", ">>>>>>> REPLACE\n"


def _marked(draft: Draft, opening: str, divider: str, closing: str) -> bool:
    """Write other markers; in half of the trials nobody tells the engine the format."""

    def wrap(reply: str) -> str:
        return (
            reply.replace(_OPEN, f"{opening}\n")
            .replace(_DIVIDE, f"\n{divider}\n")
            .replace(_CLOSE, f"{closing}\n" if closing else "")
        )

    draft.wraps.append(wrap)
    draft.named = draft.rng.random() < 0.5
    return True


@slip("markers", "either", _BLOCKS)
def markers_worded_otherwise(draft: Draft) -> bool:
    words = (("ORIGINAL", "UPDATED"), ("OLD", "NEW"), ("BEFORE", "AFTER"), ("FIND", "REPLACE"), ("CURRENT", "PROPOSED"))
    old, new = draft.rng.choice(words)
    return _marked(draft, f"<<<<<<< {old}", "=======", f">>>>>>> {new}")


@slip("markers", "either", _BLOCKS)
def markers_of_a_conflict(draft: Draft) -> bool:
    names = (("HEAD", "feature/change"), ("HEAD", "main"), ("Updated upstream", "Stashed changes"))
    ours, theirs = draft.rng.choice(names)
    return _marked(draft, f"<<<<<<< {ours}", "=======", f">>>>>>> {theirs}")


@slip("markers", "either", _BLOCKS)
def markers_in_lower_case(draft: Draft) -> bool:
    return _marked(draft, "<<<<<<< search", "=======", ">>>>>>> replace")


@slip("markers", "either", _BLOCKS)
def markers_spaced(draft: Draft) -> bool:
    return _marked(draft, " ".join("<" * 7) + " SEARCH", " ".join("=" * 7), " ".join(">" * 7) + " REPLACE")


@slip("markers", "either", _BLOCKS)
def markers_turned_round(draft: Draft) -> bool:
    return _marked(draft, ">>>>>>> SEARCH", "=======", "<<<<<<< REPLACE")


@slip("markers", "either", _BLOCKS)
def markers_unknown(draft: Draft) -> bool:
    shapes = (
        ("[[[[[[[ SEARCH", "-------", "]]]]]]] REPLACE"),
        ("#### SEARCH", "#### REPLACE", "#### END"),
        ("--- SEARCH ---", "--- REPLACE ---", "--- END ---"),
        ("SEARCH:", "REPLACE:", ""),
        ("<<<<<<<", "=======", ">>>>>>>"),
    )
    return _marked(draft, *draft.rng.choice(shapes))


@slip("markers", "either", _BLOCKS)
def markers_as_elements(draft: Draft) -> bool:
    old, new = draft.rng.choice((("search", "replace"), ("old", "new"), ("old_text", "new_text")))
    return _marked(draft, f"<{old}>", f"</{old}>\n<{new}>", f"</{new}>")


@slip("markers", "either", _BLOCKS)
def base_section(draft: Draft) -> bool:
    """A third section, as in a conflict of three sides."""
    base = "\n".join(draft.said[0].old())
    draft.wraps.append(lambda reply: reply.replace(_DIVIDE, f"\n||||||| BASE\n{base}\n=======\n", 1))
    draft.named = draft.rng.random() < 0.5
    return True


@slip("markers", "either", _BLOCKS)
def closing_marker_missing(draft: Draft) -> bool:
    """The first of several blocks does not end before the next begins."""
    if len(draft.said) < 2:
        return False
    draft.wraps.append(lambda reply: reply.replace(_CLOSE, "", 1))
    draft.named = draft.rng.random() < 0.5
    return True


@slip("markers", "either", _BLOCKS)
def markers_escaped(draft: Draft) -> bool:
    """A backslash before each marker, as a model writes them that fears to be misunderstood."""
    draft.wraps.append(lambda reply: re.sub(r"(?m)^(<<<<<<<|=======|>>>>>>>)", r"\\\1", reply))
    draft.named = draft.rng.random() < 0.5
    return True
