"""Undoes what a transport did to a whole reply: HTML escapes, backslashes too many, pasted line numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

from inlay.model.edit import Block, Edit, Hunk, Op, Variant

_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'", "&apos;": "'", "&amp;": "&"}
_ENTITY = re.compile("|".join(_ENTITIES))
_RAW_MARKUP = re.compile(rf"[<>]|&(?!{'|'.join(entity[1:] for entity in _ENTITIES)})")
_RAW_QUOTE = re.compile(r'(?<!\\)"')
_TELLING = 3  # characters of a line that proves something
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


def one_sided(edits: list[Edit]) -> tuple[list[Edit], list[str]]:
    """The edits with an escape undone that only their new text went through, and what was undone.

    A line of FIND that is in REPLACE once the escape is undone, and not before, is the proof. It must also have
    reached everything it could: who escapes one sign on purpose leaves others as they are.
    """
    notes: dict[str, None] = {}
    out = []
    for edit in edits:
        match edit.variants:
            case (Block(find, new),) if (result := _one_sided(find, new)) is not None:
                notes[result[1]] = None
                out.append(replace(edit, variants=(Block(find, result[0]),)))
            case _:
                out.append(edit)
    return out, list(notes)


def _one_sided(find: tuple[str, ...], new: tuple[str, ...]) -> tuple[tuple[str, ...], str] | None:
    old_text, new_text = "\n".join(find), "\n".join(new)
    if "&" not in new_text and "\\" not in new_text:
        return None
    tries: list[tuple[str, Callable[[str], str]]] = []
    if _ENTITY.search(new_text) and not _ENTITY.search(old_text) and not _RAW_MARKUP.search(new_text):
        tries.append(("HTML escapes undone in the new text", _entities))
    if '\\"' in new_text and '\\"' not in old_text and not _RAW_QUOTE.search(new_text):
        tries.append(("escaped quotes undone in the new text", partial(_ESCAPED_QUOTE.sub, r"\1")))
    if "\\n" in new_text and sum(bool(line.strip()) for line in new) == 1 < len(find):
        tries.append(("backslash escapes undone in the new text", _unescaped))
    for note, undo in tries:
        lines = _lines(new, undo)
        shown = {line.strip() for line in lines} & {line.strip() for line in find} - {line.strip() for line in new}
        if lines != find and any(len(line) >= _TELLING for line in shown):
            return lines, note
    return None


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: _MEANT.get(m.group(1), m.group()), text)


def undone(edits: list[Edit]) -> Iterator[tuple[str, list[Edit]]]:
    """The edits with each slip undone that their wanted lines show signs of, and what was undone; likely ones first."""
    wanted = "\n".join(line for edit in edits for variant in edit.variants for line in wanted_lines(variant))
    if len(wanted) > _MOST_LETTERS:
        return
    if "&" in wanted:
        yield "HTML escapes undone", [_mapped(edit, _entities) for edit in edits]
    if "\\" in wanted:
        yield "escaped quotes undone", [_mapped(edit, partial(_ESCAPED_QUOTE.sub, r"\1")) for edit in edits]
        yield "backslash escapes undone", [_mapped(edit, _unescaped) for edit in edits]
    if (bare := [_numbers(edit) for edit in edits]) != edits:
        yield "line numbers removed", bare
        if "&" in wanted:
            yield "line numbers removed, HTML escapes undone", [_mapped(edit, _entities) for edit in bare]
