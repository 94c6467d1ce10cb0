"""Slips in the markup of an edit: wrong numbers, odd markers, missing sentinels, loose JSON."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.passages import Passage, cut
from bench.rendering import HUNKS, collides
from bench.slips.registry import indent_of, slip


@slip("numbers", "apply", ("unified_diff", "json_edits"), joins=True)
def numbers_wrong(draft: Draft) -> bool:
    reach = 40 if draft.format == "unified_diff" else 6
    draft.wording.shift = [draft.rng.choice((-1, 1)) * draft.rng.randint(1, reach) for _ in draft.said]
    return True


@slip("numbers", "apply", ("unified_diff",), joins=True)
def counts_wrong(draft: Draft) -> bool:
    draft.wording.miscount = [draft.rng.choice((-3, -1, 1, 2)) for _ in draft.said]
    return True


@slip("numbers", "apply", ("unified_diff",), joins=True)
def numbers_missing(draft: Draft) -> bool:
    draft.wording.header = draft.rng.choice(("@@ @@", "@@ ... @@", "@@"))
    return True


@slip("numbers", "apply", ("apply_patch",), joins=True)
def numbers_in_patch(draft: Draft) -> bool:
    """The header of a unified diff inside apply_patch; its numbers are made up."""
    draft.wording.header = f"@@ -{draft.rng.randint(1, 99)},7 +{draft.rng.randint(1, 99)},8 @@"
    return True


@slip("markup", "apply", HUNKS, joins=True)
def blank_context_bare(draft: Draft) -> bool:
    """Blank context lines without the space that marks them."""
    draft.wording.bare_blanks = True
    return any(op == (" ", "") for p in draft.said for op in p.ops)


@slip("markup", "apply", ("apply_patch",), joins=True)
def section_named(draft: Draft) -> bool:
    """Each hunk names the line it stands under."""
    free = 0
    for passage in draft.said:
        draft.wording.sections.append(_enclosing(draft.lines, free, passage))
        free = passage.start + passage.reach
    return any(draft.wording.sections)


def _enclosing(lines: list[str], free: int, passage: Passage) -> str:
    """The last opening above the passage that everything down to its end is indented under."""
    opening = re.compile(r"\s*(def|class|func|fn|pub|impl|function|export|struct|module|interface)\b")
    for at in range(passage.start - 1, free - 1, -1):
        depth = len(indent_of(lines[at]))
        below = [text for text in lines[at + 1 : passage.stop] if text.strip()]
        if opening.match(lines[at]) and all(len(indent_of(text)) > depth for text in below):
            return lines[at].strip()
    return ""


@slip("markup", "apply", ("search_replace",), joins=True)
def markers_of_other_length(draft: Draft) -> bool:
    draft.wording.markers = draft.rng.choice((5, 6, 8, 9))
    return True


@slip("markup", "apply", ("search_replace",), joins=True)
def sides_fenced(draft: Draft) -> bool:
    """A fence around each side, inside the markers."""
    draft.wording.fenced_sides = True
    return all(p.old() and p.new() for p in draft.said)


@slip("markup", "refuse", ("search_replace",))
def divider_missing(draft: Draft) -> bool:
    draft.wording.divider = ""
    return True


@slip("markup", "refuse", ("search_replace",))
def divider_twice(draft: Draft) -> bool:
    """Which of the two divides cannot be known."""
    draft.wording.divider = "=======\n// or\n=======\n"
    return True


@slip("markup", "apply", ("apply_patch",), joins=True)
def sentinels_missing(draft: Draft) -> bool:
    """Neither Begin Patch nor End Patch: the body is whole."""
    draft.wording.sentinels = ("", "")
    return True


@slip("markup", "refuse", ("apply_patch",))
def end_sentinel_missing(draft: Draft) -> bool:
    """It began but did not end: cut off."""
    draft.wording.sentinels = ("*** Begin Patch\n", "")
    return True


@slip("markup", "either", HUNKS)
def context_unmarked(draft: Draft) -> bool:
    """A context line without its leading space."""
    hit = draft.said_line(" ", lambda text: re.match(r"[A-Za-z]", text))
    if not hit:
        return False
    line = hit[0].ops[hit[1]][1]
    draft.wraps.append(lambda reply: reply.replace(f"\n {line}\n", f"\n{line}\n", 1))
    return True


@slip("markup", "apply", ("json_edits",), joins=True)
def json_shapes(draft: Draft) -> bool:
    """Other tools' names for the same fields, a list without its object, a list inside a string."""
    shapes = ("strings", "list", "quoted", "command") if len(draft.said) == 1 else ("strings", "list", "quoted")
    draft.wording.shape = draft.rng.choice(shapes)
    return True


@slip("markup", "apply", ("json_edits",))
def json_loose(draft: Draft) -> bool:
    """A comma too many, or strings with line breaks in them."""
    raw = draft.rng.random() < 0.5

    def loosen(reply: str) -> str:
        reply = re.sub(r"\}\n \]", "},\n ]", reply)
        return reply.replace("\\n", "\n") if raw and "\\\\n" not in reply else reply

    draft.wraps.append(loosen)
    return True


@slip("markup", "either", ("find_replace", "search_replace", "unified_diff"), natural=True)
def markers_in_content(draft: Draft) -> bool:
    """As the history has it: the passage contains the format's own markup."""
    return collides(draft.format, cut(draft.change, 2)) and collides(draft.format, draft.said)
