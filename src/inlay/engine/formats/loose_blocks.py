"""Blocks of old and new lines between markers that no prompt asked for, and between elements.

    block    = open old* (base old*)? divider new* close
    open     = "<" markers with any word, in any case, with blanks between | ">" markers with a word for the old side
    close    = the other way round
    element  = "<search>" old "</search>" "<replace>" new "</replace>"          or <find>, <old_text>, …; <new_text>, …
    worded   = "#### SEARCH" old "#### REPLACE" new "#### END"          or "SEARCH:", "--- SEARCH ---", …; END may lack
    escaped  = "\\<<<<<<< SEARCH" old "\\=======" new "\\>>>>>>> REPLACE"

The words tell which side is the file's; where they do not, it is the first. Only the file proves that it is one: its
lines must be found there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from inlay.engine.formats.block_markers import NEW_WORDS, OLD_WORDS, Marker, marker_on
from inlay.engine.formats.format import CutOff, Unreadable
from inlay.model.edit import Block

_LONGEST = 1000  # lines looked at below a marker that may be one
_LONGEST_ELEMENT = 200_000  # characters
_LONGEST_SIDE = 40  # characters of a line that only names a side
_FEWEST_SIGNS = 5
_OTHER = {"<": ">", ">": "<", "-": "+", "+": "-"}
_OLD = re.compile(r"[ \t]*<((?:search|find|old|original)(?:_(?:text|str|string|code))?)>", re.I)
_NEW = re.compile(r"\s*<((?:replace|replacement|new|updated)(?:_(?:text|str|string|code))?)>", re.I)
_WORDED = re.compile(r"[ \t]*((?:\\?[^\w\s\\]{1,9})?) ?([A-Z]{3,11}) ?([^\w\s]{0,9})[ \t]*")
_ESCAPED_DIVIDER = re.compile(r"\\={5,9}[ \t]*")
_OLD_ELEMENT = re.compile(r"[ \t]*<(?:search|find|old|original|before)[\w-]*>", re.I)
_NEW_ELEMENT = re.compile(r"[ \t]*<(?:replace|new|updated|after)[\w-]*>", re.I)
_ADVICE = (
    "Write <<<<<<< SEARCH, the lines of the file, =======, the new lines and >>>>>>> REPLACE, "
    "each marker on a line of its own."
)


def loose_block(lines: Sequence[str], line: int, *, is_whole: bool) -> tuple[tuple[Block, ...], int] | None:
    """The readings of the block that a marker opens, and the line below it; None where none is closed there.

    `is_whole` says that the last line is complete: a marker that is cut off closes nothing.
    """
    opening = marker_on(lines[line])
    if opening is None or opening.sign not in _OTHER or opening.width < _FEWEST_SIGNS:
        return None
    bounds, close = [line], None
    for number in range(line + 1, min(len(lines), line + _LONGEST)):
        marker = marker_on(lines[number])
        if marker is None or marker.width < _FEWEST_SIGNS:
            continue
        if marker.sign == _OTHER[opening.sign] and (marker.word or marker.plain):
            close = marker
            bounds.append(number)
            break
        if marker.sign == opening.sign and marker.word and opening.sign in "<>":
            raise _unreadable(line, number, "a block opens before the one above is closed")
        if (marker.sign == "=" and not marker.word) or (marker.sign == "|" and marker.width == opening.width):
            bounds.append(number)
    is_known = close is not None and (close.word in NEW_WORDS or close.word in OLD_WORDS)
    is_cut = bounds[-1] == len(lines) - 1 and not is_whole
    if close is None or (not is_known and (is_cut or opening.word == "SEARCH")):
        return None
    return _readings(lines, bounds, opening, close), bounds[-1] + 1


def _readings(lines: Sequence[str], bounds: list[int], opening: Marker, close: Marker) -> tuple[Block, ...]:
    signs = [found.sign for n in bounds[1:-1] if (found := marker_on(lines[n]))]
    if signs not in (["="], ["|", "="]):
        raise _unreadable(bounds[0], bounds[-1] + 1, "the markers of this block are not known")
    sides = [tuple(lines[a + 1 : b]) for a, b in pairwise(bounds)]
    is_old_first = opening.word in OLD_WORDS or close.word in NEW_WORDS
    is_new_first = opening.word in NEW_WORDS or close.word in OLD_WORDS
    if is_old_first == is_new_first and (is_old_first or opening.sign != "<"):
        raise _unreadable(bounds[0], bounds[-1] + 1, "the markers do not say which side is the file's")
    if is_new_first:
        sides.reverse()
    blocks = [Block(old, sides[-1]) for old in dict.fromkeys(sides[:-1])]
    if not all(any(text.strip() for text in block.find) for block in blocks) and opening.word != "SEARCH":
        raise _unreadable(bounds[0], bounds[-1] + 1, "the block quotes nothing of the file")
    indent = lines[bounds[0]][: len(lines[bounds[0]]) - len(lines[bounds[0]].lstrip(" \t"))]
    return tuple(dict.fromkeys([*blocks, *(_dedented(block, indent) for block in blocks)]))


def _dedented(block: Block, indent: str) -> Block:
    """The block without the indentation of its markers, where all its lines have that."""
    solid = [line for side in (block.find, block.replace) for line in side if line.strip()]
    if not indent or not all(line.startswith(indent) for line in solid):
        return block
    find, new = (tuple(line.removeprefix(indent) for line in side) for side in (block.find, block.replace))
    return Block(find, new)


def element_block(text: str, offset: int) -> tuple[Block, int] | None:
    """The block whose first element opens at an offset, and the offset behind it; None where it is another element."""
    if (old := _OLD.match(text, offset)) is None:
        return None
    old_end = _closing(text, old)
    new = _NEW.match(text, old_end[1]) if old_end else None
    if old_end is None or new is None:
        return None
    if (new_end := _closing(text, new)) is None:
        raise CutOff("the reply ends inside a <replace> element", text.count("\n") + 1)
    find, replace = _content(text[old.end() : old_end[0]]), _content(text[new.end() : new_end[0]])
    if not any(line.strip() for line in find):
        line = text.count("\n", 0, offset)
        raise _unreadable(line, text.count("\n", 0, new_end[1]) + 1, "the element quotes nothing of the file")
    return Block(find, replace), new_end[1]


def worded_block(lines: Sequence[str], line: int, stop: int) -> tuple[Block, int] | None:
    """The block between lines that name its sides, and the line below it; None where they do not."""
    if (opening := _side_on(lines[line])) is None or opening[1] not in OLD_WORDS:
        return None
    sides = [(n, side[1]) for n in range(line + 1, stop) if (side := _side_on(lines[n])) and side[0] == opening[0]]
    names = [name for _, name in sides]
    if not names or names[0] not in NEW_WORDS:
        return None
    divider, end = sides[0][0], sides[1][0] if len(sides) > 1 else stop
    is_closed = len(names) > 1 and names[1] in ("END", "CLOSE")
    if len(names) > 1 and not is_closed and names[1] not in OLD_WORDS:
        return None
    find, new = tuple(lines[line + 1 : divider]), tuple(lines[divider + 1 : end])
    if not any(text.strip() for text in find) or (not is_closed and new and not new[-1].strip()):
        raise _unreadable(line, end, "the markers of this block are not known")
    return Block(find, new), end + is_closed


def escaped_block(lines: Sequence[str], line: int, stop: int) -> tuple[Block, int] | None:
    """The block between markers that have a backslash before them, and the line below it."""
    side = _side_on(lines[line])
    if side is None or not side[0][0].startswith("\\<") or side[1] not in OLD_WORDS:
        return None
    closes = (n for n in range(line + 1, stop) if lines[n].startswith("\\>") and _side_on(lines[n]))
    end = next(closes, stop)
    dividers = [n for n in range(line + 1, end) if _ESCAPED_DIVIDER.fullmatch(lines[n])]
    if end == stop or len(dividers) != 1 or not any(text.strip() for text in lines[line + 1 : dividers[0]]):
        raise _unreadable(line, min(end + 1, stop), "the markers of this block are not known")
    return Block(tuple(lines[line + 1 : dividers[0]]), tuple(lines[dividers[0] + 1 : end])), end + 1


def is_block_like(lines: Sequence[str]) -> bool:
    """Whether lines that should be a file begin with what names the old side of an edit, and name the new one below."""
    first = next((line for line in lines if line.strip()), "")
    if _OLD_ELEMENT.fullmatch(first):
        return any(map(_NEW_ELEMENT.fullmatch, lines))
    side = _side_on(first)
    return side is not None and side[1] in OLD_WORDS and any(_names_new(line) for line in lines)


def _names_new(line: str) -> bool:
    return (side := _side_on(line)) is not None and side[1] in NEW_WORDS


def _side_on(line: str) -> tuple[tuple[str, str], str] | None:
    """The signs around the word that is all of a line, and that word."""
    found = _WORDED.fullmatch(line) if len(line) <= _LONGEST_SIDE else None
    return ((found[1], found[3]), found[2]) if found and (found[1] or found[3]) else None


def _closing(text: str, opening: re.Match[str]) -> tuple[int, int] | None:
    tag = f"</{opening.group(1)}>"
    start = text.find(tag, opening.end(), opening.end() + _LONGEST_ELEMENT)
    return (start, start + len(tag)) if start >= 0 else None


def _content(text: str) -> tuple[str, ...]:
    lines = text.split("\n")
    lines = lines[1:] if len(lines) > 1 and not lines[0].strip() else lines
    lines = lines[:-1] if len(lines) > 1 and not lines[-1].strip() else lines
    return () if not text.strip() else tuple(lines)


def _unreadable(line: int, end: int, message: str) -> Unreadable:
    return Unreadable(f"line {line + 1}: {message}", end, advice=_ADVICE)
