"""Undoes what a transport did to a whole reply: HTML escapes, backslashes too many, pasted line numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

from inlay.model.edit import Block, Edit, Hunk, Op, Variant

_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'", "&amp;": "&"}
_MOST_LETTERS = 1_000_000  # a block of that size was not mangled by a transport
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_QUOTE = re.compile(r"\\([\"'`])")
_MEANT = {"n": "\n", "t": "\t", "r": "", '"': '"', "'": "'", "`": "`", "\\": "\\", "/": "/"}
_NUMBERED = re.compile(r"[ ]*(\d{1,7})([ ]?\|[ ]?|:[ ]?|\t|[ ]?->[ ]?|\u2192)(.*)", re.DOTALL)


def _entities(text: str) -> str:
    for escaped, meant in _ENTITIES.items():
        text = text.replace(escaped, meant)
    return text


def _mapped(edit: Edit, undo: Callable[[str], str]) -> Edit:
    return replace(edit, variants=tuple(_variant(v, undo) for v in edit.variants))


def _variant(variant: Variant, undo: Callable[[str], str]) -> Variant:
    match variant:
        case Block(find, new):
            return Block(_lines(find, undo), _lines(new, undo))
        case Hunk(ops):
            undone: list[Op] = [(kind, line) for kind, text in ops for line in undo(text).split("\n")]
            return replace(variant, ops=tuple(undone))
    return variant


def _lines(lines: tuple[str, ...], undo: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(part for line in lines for part in undo(line).split("\n"))


def _numbers(edit: Edit) -> Edit:
    """Pasted line numbers go, and become the hint, where every wanted line has the next one."""
    starts = [_first_number(wanted_lines(variant)) for variant in edit.variants]
    variants = tuple(
        variant if start is None else _unnumbered(variant) for variant, start in zip(edit.variants, starts, strict=True)
    )
    return replace(edit, variants=variants, line=next((n for n in starts if n is not None), edit.line))


def wanted_lines(variant: Variant) -> tuple[str, ...]:
    match variant:
        case Block(find, _):
            return find
        case Hunk(ops):
            return tuple(text for kind, text in ops if kind != "+")
    return ()


def _unnumbered(variant: Variant) -> Variant:
    match variant:
        case Block(find, new):
            return Block(tuple(map(_bare, find)), _bare_new(new, find))
        case Hunk(ops):
            added = iter(_bare_new(tuple(text for kind, text in ops if kind == "+"), wanted_lines(variant)))
            return replace(variant, ops=tuple((k, next(added) if k == "+" else _bare(t)) for k, t in ops))
    return variant


def _first_number(lines: tuple[str, ...]) -> int | None:
    found = [_NUMBERED.fullmatch(line) for line in lines]
    numbers = [int(m.group(1)) for m in found if m]
    separators = {m.group(2).strip(" ") for m in found if m}
    rising = all(b == a + 1 for a, b in pairwise(numbers))
    if not lines or len(numbers) < len(lines) or len(separators) > 1 or not rising:
        return None
    return numbers[0]


def _bare(line: str) -> str:
    m = _NUMBERED.fullmatch(line)
    return m.group(3) if m else line


def _bare_new(new: tuple[str, ...], find: tuple[str, ...]) -> tuple[str, ...]:
    """New lines lose their numbers when all have one; else only those repeated from the wanted lines do."""
    if all(_NUMBERED.fullmatch(line) for line in new):
        return tuple(map(_bare, new))
    known = set(find)
    return tuple(_bare(line) if line in known else line for line in new)


def undone(edits: list[Edit]) -> Iterator[tuple[str, list[Edit]]]:
    """The edits with each slip undone that their wanted lines show signs of, and what was undone; likely ones first."""
    wanted = "\n".join(line for edit in edits for variant in edit.variants for line in wanted_lines(variant))
    if len(wanted) > _MOST_LETTERS:
        return
    if "&" in wanted:
        yield "HTML escapes undone", [_mapped(edit, _entities) for edit in edits]
    if "\\" in wanted:
        yield "escaped quotes undone", [_mapped(edit, partial(_ESCAPED_QUOTE.sub, r"\1")) for edit in edits]
        meant = partial(_ESCAPE.sub, lambda m: _MEANT.get(m.group(1), m.group()))
        yield "backslash escapes undone", [_mapped(edit, meant) for edit in edits]
    if (bare := [_numbers(edit) for edit in edits]) != edits:
        yield "line numbers removed", bare
        if "&" in wanted:
            yield "line numbers removed, HTML escapes undone", [_mapped(edit, _entities) for edit in bare]
