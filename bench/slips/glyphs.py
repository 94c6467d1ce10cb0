"""Slips in single characters that a renderer or a tokenizer makes: invisible, full-width, escaped, linked."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.passages import Passage
from bench.rendering import BLOCKS
from bench.slips.registry import indent_of, slip

_FULL = str.maketrans("(),;:!?", "\uff08\uff09\uff0c\uff1b\uff1a\uff01\uff1f")


@slip("glyphs", "either")
def zero_width_everywhere(draft: Draft) -> bool:
    """An invisible character after every word, in every line."""
    odd = draft.rng.choice("\u200b\u200c\u2060\ufeff")
    if any(odd in text for text in draft.change.before + draft.change.after):
        return False
    return draft.reword(lambda text: re.sub(r"(\w+)\b", rf"\1{odd}", text))


@slip("glyphs", "either")
def full_width_punctuation(draft: Draft) -> bool:
    if not all(text.isascii() for p in draft.said for _, text in p.ops):
        return False
    return draft.reword(lambda text: text.translate(_FULL), draft.rng.choice((" ", " -+")))


@slip("glyphs", "either")
def letters_escaped(draft: Draft) -> bool:
    r"""`\u00e9` for a letter of a line that stays."""
    return _in_context(draft, " caf\u00e9", r" caf\u00e9")


@slip("glyphs", "either")
def emoji_without_selector(draft: Draft) -> bool:
    return _in_context(draft, " \u26a0\ufe0f careful", " \u26a0 careful")


@slip("glyphs", "either")
def link_in_brackets(draft: Draft) -> bool:
    """A renderer made a link of an address."""
    address = f"https://example.org/a_{draft.rng.randrange(100)}"
    said = draft.rng.choice((f"<{address}>", f"[{address}]({address})"))
    return _in_context(draft, f" {address}", f" {said}")


def _in_context(draft: Draft, in_file: str, in_edit: str) -> bool:
    """Lengthen a line that stays, in the file and in the edit each in its own way."""
    spots = list(draft.region(" "))
    if not spots:
        return False
    passage, k, at = draft.rng.choice(spots)
    said: Passage = draft.said[draft.truth.index(passage)]
    said.ops[k] = (" ", said.ops[k][1] + in_edit)
    draft.set_line(passage, k, at, passage.ops[k][1] + in_file)
    return True


@slip("glyphs", "either")
def markdown_escaped(draft: Draft) -> bool:
    r"""`\_` and `\*` for `_` and `*`."""
    if any("\\" in text for p in draft.said for _, text in p.ops):
        return False
    return draft.reword(lambda text: re.sub(r"([_*#])", r"\\\1", text))


@slip("glyphs", "either", BLOCKS)
def some_lines_numbered(draft: Draft) -> bool:
    """Numbers before some lines and not before others."""
    style = draft.rng.choice(("{} | {}", "{}: {}", "{:>4}\u2192{}"))
    hit = False
    for passage in draft.said:
        old = passage.old()
        picked = {n for n in range(len(old)) if draft.rng.random() < 0.5}
        passage.find = [style.format(passage.start + 1 + n, t) if n in picked else t for n, t in enumerate(old)]
        hit = hit or 0 < len(picked) < len(old)
    return hit


@slip("glyphs", "either")
def quotes_turned(draft: Draft) -> bool:
    """Backquotes for quotes, in a line that stays."""
    return draft.reword(lambda text: indent_of(text) + text.lstrip(" \t").replace("'", "`"), " ")
