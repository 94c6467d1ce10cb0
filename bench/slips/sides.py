"""Slips in one side only: REPLACE went through an escape that FIND did not, or the other way round."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from bench.draft import Draft
from bench.rendering import BLOCKS
from bench.slips.registry import indent_of, slip


@slip("one side", "either", BLOCKS)
def entities_in_replace(draft: Draft) -> bool:
    """A line that stays shows that the entities are not meant."""
    return _without_entities(draft) and _escape_new(draft, lambda text: html.escape(text, quote=False))


@slip("one side", "either", BLOCKS)
def entities_in_find(draft: Draft) -> bool:
    return _without_entities(draft) and _escape_old(draft, lambda text: html.escape(text, quote=False))


@slip("one side", "either", BLOCKS)
def quotes_escaped_in_replace(draft: Draft) -> bool:
    return not _has_backslash(draft) and _escape_new(draft, lambda text: text.replace('"', '\\"'))


@slip("one side", "either", BLOCKS)
def quotes_escaped_in_find(draft: Draft) -> bool:
    return not _has_backslash(draft) and _escape_old(draft, lambda text: text.replace('"', '\\"'))


@slip("one side", "either", BLOCKS)
def newlines_escaped_in_replace(draft: Draft) -> bool:
    r"""REPLACE on one line, with `\n` where a line should end; a line that stays shows it."""
    if _has_backslash(draft) or any(len(p.new()) < 2 or len(p.old()) < 2 for p in draft.said):
        return False
    if not all(any(kind == " " and text.strip() for kind, text in p.ops) for p in draft.said):
        return False
    for passage in draft.said:
        passage.replace = ["\\n".join(passage.new())]
    return True


@slip("one side", "either", BLOCKS)
def newlines_escaped_in_find(draft: Draft) -> bool:
    r"""FIND on one line, with `\n` where a line should end."""
    if _has_backslash(draft) or any(len(p.new()) < 2 or len(p.old()) < 2 for p in draft.said):
        return False
    for passage in draft.said:
        passage.find = ["\\n".join(passage.old())]
    return True


@slip("one side", "either", BLOCKS)
def find_outdented(draft: Draft) -> bool:
    """FIND lost its indentation, REPLACE has the file's."""
    hit = False
    for passage in draft.said:
        passage.find = [text.lstrip() for text in passage.old()]
        hit = hit or passage.find != [text for kind, text in passage.ops if kind != "+"]
    return hit


@slip("one side", "either", BLOCKS)
def find_moved_to_the_margin(draft: Draft) -> bool:
    """FIND was moved to the margin as a whole, REPLACE has the file's indentation."""
    hit = False
    for passage in draft.said:
        width = min((len(indent_of(text)) for text in passage.old() if text.strip()), default=0)
        passage.find = [text[width:] if text.strip() else text for text in passage.old()]
        hit = hit or width > 0
    return hit


def _escape_new(draft: Draft, escape: Callable[[str], str]) -> bool:
    """Escape every REPLACE; False where no line that stays proves it."""
    for passage in draft.said:
        if not any(escape(text) != text for kind, text in passage.ops if kind == " "):
            return False
        passage.replace = [escape(text) for text in passage.new()]
    return True


def _escape_old(draft: Draft, escape: Callable[[str], str]) -> bool:
    hit = False
    for passage in draft.said:
        passage.find = [escape(text) for text in passage.old()]
        hit = hit or passage.find != [text for kind, text in passage.ops if kind != "+"]
    return hit


def _without_entities(draft: Draft) -> bool:
    return not re.search(r"&(\w+|#\d+);", "\n".join((*draft.change.before, *draft.change.after)))


def _has_backslash(draft: Draft) -> bool:
    return any("\\" in text for passage in draft.said for _, text in passage.ops)
