"""Slips in the layout of a reply: no-break spaces, escaped tabs, list items, tabs inside lines."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.rendering import PARTS
from bench.slips.registry import indent_of, slip


@slip("layout", "apply")
def no_break_indentation(draft: Draft) -> bool:
    """No-break spaces where the file has plain ones; where only new lines are indented, that is for the reader."""
    if any("\u00a0" in text for text in (*draft.lines, *draft.change.after)):
        return False
    hit = draft.reword(lambda text: indent_of(text).replace(" ", "\u00a0") + text[len(indent_of(text)) :])
    if not hit:
        draft.outcome = "either"
    return any("\u00a0" in text for p in draft.said for _, text in p.ops)


@slip("layout", "either")
def tabs_spelt_out(draft: Draft) -> bool:
    r"""`\t` where the file has a tab."""
    if any("\\" in text for p in draft.said for _, text in p.ops):
        return False
    return draft.reword(lambda text: text.replace("\t", "\\t"))


@slip("layout", "apply", PARTS)
def inside_a_list_item(draft: Draft) -> bool:
    """The whole edit is indented as the body of a list item."""
    lead, indent = draft.rng.choice((("1. Adjust the part:", "   "), ("- Adjust the part:", "  ")))
    bare = draft.format in ("apply_patch", "json_edits")

    def wrap(reply: str) -> str:
        body = f"```\n{reply}```\n" if bare else reply
        rows = [indent + row if row.strip() else row for row in body.split("\n")]
        return f"{lead}\n\n" + "\n".join(rows) + "\n\nThat is all.\n"

    draft.wraps.append(wrap)
    return True


@slip("layout", "either")
def tabs_inside_lines(draft: Draft) -> bool:
    """A tab for a space inside a line that stays."""
    return draft.reword(lambda text: indent_of(text) + text.lstrip(" \t").replace(" ", "\t", 1), " ", 0.7)


@slip("layout", "either")
def aligned_otherwise(draft: Draft) -> bool:
    """Runs of blanks inside a line that stays became one."""
    return draft.reword(lambda text: indent_of(text) + re.sub(r"(?<=\S) {2,}", " ", text[len(indent_of(text)) :]), " ")


@slip("reply bytes", "either")
def carriage_returns_doubled(draft: Draft) -> bool:
    """Every line of the reply ends with CR CR LF."""
    draft.wraps.append(lambda reply: reply.replace("\n", "\r\r\n"))
    return True


@slip("reply bytes", "apply", joins=True)
def reply_with_crlf(draft: Draft) -> bool:
    """The reply has CR LF, the file has LF."""
    draft.wraps.append(lambda reply: reply.replace("\n", "\r\n"))
    return True


@slip("reply bytes", "apply", joins=True)
def reply_with_byte_order_mark(draft: Draft) -> bool:
    draft.wraps.append(lambda reply: "\ufeff" + reply)
    return True
