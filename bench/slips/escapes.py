"""Slips in escaping and quoting: the payload went through one encoding too many, or came with line numbers."""

from __future__ import annotations

import html
import re

from bench.draft import Draft
from bench.passages import Passage
from bench.rendering import BLOCKS
from bench.slips.registry import slip


@slip("payload", "apply", joins=True)
def html_escaped(draft: Draft) -> bool:
    texts = "\n".join((*draft.change.before, *draft.change.after))
    return not re.search(r"&(\w+|#\d+);", texts) and draft.reword(lambda text: html.escape(text, quote=False))


@slip("payload", "apply", joins=True)
def quotes_escaped(draft: Draft) -> bool:
    r"""`\"` for `"` on both sides, where nothing else has a backslash."""
    for passage in draft.said:
        old, new = "\n".join(passage.old()), "\n".join(passage.new())
        if "\\" in old + new or ('"' in new and '"' not in old):
            return False
    return draft.reword(lambda text: text.replace('"', '\\"'))


@slip("payload", "apply", BLOCKS)
def newlines_escaped(draft: Draft) -> bool:
    r"""Each side on one line, with `\n` where a line should end."""
    if any("\\" in text for passage in draft.said for _, text in passage.ops):
        return False
    for passage in draft.said:
        if len(passage.old()) < 2 or not passage.new():
            return False
        passage.find, passage.replace = (["\\n".join(side)] for side in (passage.old(), passage.new()))
    return True


@slip("payload", "apply", ("find_replace", "search_replace"))
def line_numbers_pasted(draft: Draft) -> bool:
    """Each line behind its number, as file viewers show it; often on the old side only."""
    style = draft.rng.choice(("{} | {}", "{}: {}", "{:>6}\t{}", "{:>4}\u2192{}"))
    both = draft.rng.random() < 0.7
    for passage in draft.said:
        passage.find = _numbered(passage, passage.old(), style)
        passage.replace = _numbered(passage, passage.new(), style) if both else None
    return all(len(passage.old()) > 1 for passage in draft.said)


def _numbered(passage: Passage, side: list[str], style: str) -> list[str]:
    return [style.format(passage.start + 1 + n, text) for n, text in enumerate(side)]
