"""What follows `@@` on its line: the section that a hunk is in, or its first line, glued to the header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inlay.model.edit import Edit, Hunk, OpKind, Variant

_NUMBERS = re.compile(r"[\s.…+,-]*(?:@@|\Z)[ \t]*")
_SIGNS: dict[str, OpKind] = {"+": "+", "-": "-"}


def title_in(rest: str) -> tuple[str, str]:
    """The section that the rest of a header names, and the changed line that the same text may be."""
    text = rest.lstrip(" \t")
    if text.strip() not in _SIGNS:
        text = _NUMBERS.sub("", text, count=1) if _NUMBERS.match(text) else text
    section = "" if text.strip() in _SIGNS else text.strip().removesuffix("@@").strip()
    return section, text if text[:1] in _SIGNS and section in ("", text.strip()) else ""


def with_first(hunk: Hunk, glued: str) -> Hunk:
    """The hunk with the changed line that is glued to its header."""
    bare = tuple(number + 1 for number in hunk.bare)
    return replace(hunk, ops=((_SIGNS[glued[0]], glued[1:]), *hunk.ops), bare=bare, endings=())


def readings(hunk: Hunk, section: str, glued: str) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """The ways to read a hunk, and the sections that go with them; a sign alone names none, nor does one of nothing."""
    if glued and (not section or not hunk.ops):
        return (with_first(hunk, glued),), ()
    return (hunk, with_first(hunk, glued)) if glued else (hunk,), (section,) if section else ()


def titled(edit: Edit, lines: Sequence[str]) -> Edit | None:
    """The edit with the text that follows its `@@` read as the file shows; None where it shows nothing.

    A text with a sign is a section where the file has such a line, and otherwise a removed line, which the file must
    have. Nothing shows that it is an added line, and where counts agree with neither, nothing shows what it is.
    """
    signed = [name for name in edit.sections if name[:1] in _SIGNS]
    if not signed or (len(edit.variants) == 1 and len(edit.sections) == 1):
        return edit
    if any(not _is_title(name, lines) for name in signed if name != edit.sections[-1]):
        return None
    last = edit.sections[-1]
    if last not in signed or len(edit.variants) == 1:
        return edit
    if _is_title(last, lines):
        return None if last[0] == "-" and _is_line(last[1:], lines) else replace(edit, variants=edit.variants[:1])
    is_proven = last[0] == "-" and edit.line is None
    return replace(edit, variants=edit.variants[1:], sections=edit.sections[:-1]) if is_proven else None


def _is_title(name: str, lines: Sequence[str]) -> bool:
    found = (text[len(name) :] for line in lines if (text := line.strip()).startswith(name))
    return any(not rest[:1].isalnum() for rest in found)


def _is_line(removed: str, lines: Sequence[str]) -> bool:
    return any(line.rstrip() == removed.rstrip() for line in lines)
