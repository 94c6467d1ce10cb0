"""Slips in characters: look-alikes, other compositions, invisible ones, and text that only looks like a slip."""

from __future__ import annotations

import unicodedata

from bench.draft import Draft
from bench.slips.registry import indent_of, slip
from bench.slips.whitespace import slides

_FANCY = {'"': "\u201d", "'": "\u2019", "-": "\u2013"}


@slip("payload", "apply", joins=True)
def look_alikes_in_edit(draft: Draft) -> bool:
    """Typographic quotes, dashes and no-break spaces in context lines."""
    return draft.reword(lambda text: _fancy(text) if text.isascii() else text, " ", 0.7)


@slip("payload", "apply")
def look_alikes_in_file(draft: Draft) -> bool:
    """The file has the typographic characters, the model types plain ones; the file's stay."""
    if any(slides(passage) for passage in draft.truth):
        return False
    hit = False
    for passage, k, at in draft.region(" "):
        text = passage.ops[k][1]
        if text.isascii() and draft.rng.random() < 0.7:
            draft.set_line(passage, k, at, _fancy(text))
            hit = hit or _fancy(text) != text
    return hit


def _fancy(text: str) -> str:
    body = text.strip()
    changed = "".join(_FANCY.get(char, char) for char in body)
    return indent_of(text) + (changed if changed != body else body.replace(" ", "\u00a0", 1))


@slip("payload", "apply")
def decomposed_letters(draft: Draft) -> bool:
    """The file composes its accented letters, the edit takes them apart, or the other way round."""
    spots = list(draft.region(" "))
    if not spots:
        return False
    passage, k, at = draft.rng.choice(spots)
    text = passage.ops[k][1] + " caf\u00e9 \u00fcber"
    sides = [unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)]
    draft.rng.shuffle(sides)
    in_file, in_edit = sides
    draft.said[draft.truth.index(passage)].ops[k] = (" ", in_edit)
    draft.set_line(passage, k, at, in_file)
    return True


@slip("payload", "apply", joins=True)
def zero_width_in_edit(draft: Draft) -> bool:
    """Characters without width that the file does not have, in a context line."""
    hit = draft.said_line(" ", lambda text: len(text.strip()) > 3)
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    at = draft.rng.randrange(len(indent_of(text)) + 1, len(text))
    passage.ops[k] = (" ", text[:at] + draft.rng.choice("\u200b\u2060\ufeff") + text[at:])
    return True


@slip("literal", "apply", joins=True)
def entities_in_file(draft: Draft) -> bool:
    """The file truly has `&lt;`; the edit quotes it and adds more, and all of it is literal."""
    for passage, said in zip(draft.truth, draft.said, strict=True):
        for k, (kind, text) in enumerate(passage.ops):
            if text.strip():
                said.ops[k] = passage.ops[k] = (kind, text + " &lt;b&gt; &amp;apos;")
        at = passage.start
        for kind, text in passage.ops:
            if kind != "+":
                draft.lines[at] = text
                at += 1
    return True


@slip("literal", "apply", joins=True)
def specials_in_new_text(draft: Draft) -> bool:
    r"""`\n`, `$&` and `\1` in added lines are characters like any other."""
    special = draft.rng.choice((r"\n\t", r"$& $' $1", r"\1 \g<0>", r"%s {0} \\", r"\"quoted\" \x00"))
    hit = False
    for passage, said in zip(draft.truth, draft.said, strict=True):
        for k, (kind, text) in enumerate(passage.ops):
            if kind == "+" and text.strip():
                said.ops[k] = passage.ops[k] = (kind, f"{text} {special}")
                hit = True
    return hit
