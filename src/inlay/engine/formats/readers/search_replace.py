"""SEARCH/REPLACE blocks between conflict-like markers, below the name of their file.

    reply    = (path? fence? block fence?)+
    block    = open NL hints? search* divider NL replace* close
    open     = "<<<<<<< SEARCH" | "------- SEARCH"          three or more marks, ">" may follow
    hints    = (":start_line:" n NL)? (":end_line:" n NL)? ("-------" NL)?
    divider  = "======="
    close    = ">>>>>>> REPLACE" | "+++++++ REPLACE"

A line of content that looks like a marker is written with a backslash before it. Where several lines could be the
divider, each gives a variant. An empty search makes a new file. A block without a name belongs to the previous file.
Markers in another spelling, and elements in their place, are read as `loose_blocks` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from inlay.engine.formats.envelope import closing_of, fence_on
from inlay.engine.formats.format import Claim, CutOff, Format, Opening, Unreadable
from inlay.engine.formats.loose_blocks import element_block, escaped_block, loose_block, worded_block
from inlay.engine.formats.names import path_above, path_on
from inlay.model.edit import Block, Edit, Update

PROMPT = """\
Answer with SEARCH/REPLACE blocks, each below the path of its file:

src/prices.py
<<<<<<< SEARCH
    for item in items:
        total += item.price
    return total
=======
    for item in items:
        total += item.price * item.count
    return total
>>>>>>> REPLACE

Rules:
- The path stands alone on the line above the block, relative to the root of the project.
- SEARCH repeats whole lines of the file exactly, with their indentation, without line numbers.
- SEARCH holds enough lines to occur only once in the file: two unchanged lines above and below are a good measure.
- REPLACE holds every line that shall stand there afterwards, with no "..." for omitted code.
- An empty REPLACE deletes the lines; an empty SEARCH makes a new file.
- Several small blocks are better than one large one; they must not overlap.
"""

_MOST_VARIANTS = 32
_OPEN = re.compile(r"(<{3,}|-{3,}) ?SEARCH>?[ \t]*$")
_CLOSE = re.compile(r"(>{3,}|\+{3,}) ?REPLACE>?[ \t]*$")
_DIVIDER = re.compile(r"(={3,})[ \t]*$")
_HINT = re.compile(r":(start|end)_line:[ \t]*(\d{1,9})[ \t]*$")
_RULE = re.compile(r"-{3,}[ \t]*$")
_ESCAPED = re.compile(r"\\(?:[<>=+-]{3,}|:(?:start|end)_line:)")
_OPENING = re.compile(
    r"^(?:[ \t]{0,40}(?:(?:<{3,}|-{3,}) ?SEARCH>?[ \t]*$|<{5,9}[ \t]*\w|<(?: <){4,8}(?:[ \t]*\w|$)"
    r"|(?:>{5,9}|>(?: >){4,8}|(?:- ){4,8}-)[ \t]*(?i:SEARCH|ORIGINAL|OLD|FIND|BEFORE)\b"
    r"|<(?i:search|find|old|original)(?:_\w{3,6})?>|\\<{5,9} ?[A-Z]"
    r"|[^\w\s\\<>]{0,9} ?(?:SEARCH|FIND|ORIGINAL|OLD|BEFORE) ?[^\w\s]{0,9}[ \t]*$)|(?:>{3,}|\+{3,}) ?REPLACE>?[ \t]*$)",
    re.M,
)
_ADVICE = (
    "Write <<<<<<< SEARCH, the lines of the file, =======, the new lines and >>>>>>> REPLACE, "
    "each marker on a line of its own."
)


def read(at: Opening) -> Claim | int:
    """The block that opens at a line, with the name of its file above."""
    lines = at.reply.lines
    opening = _OPEN.match(lines[at.line])
    if opening is None:
        return _elements(at) or _loose(at) or _worded(at) or _misplaced(lines, at.line)
    width = len(opening.group(1))
    try:
        close = _close_of(lines, at.line, width)
    except Unreadable:
        # Only the marker at its end may be written in another way.
        with suppress(Unreadable):
            if (claim := _loose(at)) is not None:
                return claim
        raise
    start, hint = _hints(lines, at.line + 1, close)
    variants = _variants(lines, start, close, width)
    path, top = path_above(lines, at.line, at.floor)
    return Claim(top, close + 1, (Update(path, (Edit(0, variants, line=hint),)),))


def _loose(at: Opening) -> Claim | None:
    """The block between markers that are written in some other way."""
    lines = at.reply.lines
    if (found := loose_block(lines, at.line, is_whole=at.reply.text.endswith("\n"))) is None:
        return None
    blocks, end = found
    if at.fence is not None and _is_among_content(at):
        raise Unreadable(f"line {at.line + 1}: the markers of this block are not known", end, advice=_ADVICE)
    path, top = path_above(lines, at.line, at.floor)
    return Claim(top, end, (Update(path, (Edit(0, blocks),)),))


def _worded(at: Opening) -> Claim | None:
    """The block between lines that name its sides in yet another way, where a fence shows that it is one."""
    lines = at.reply.lines
    if at.fence is None or _is_among_content(at):
        return None
    stop = closing_of(at.fence, lines, at.line + 1, len(lines))
    if stop is None:
        return None
    found = escaped_block(lines, at.line, stop) or worded_block(lines, at.line, stop)
    if found is None:
        return None
    path, top = path_above(lines, at.line, at.floor)
    return Claim(top, found[1], (Update(path, (Edit(0, (found[0],)),)),))


def _is_among_content(at: Opening) -> bool:
    """Whether other text is above a marker in its fence, so that the fence may be a file with such lines."""
    for number in range(at.line - 1, at.floor - 1, -1):
        text = at.reply.lines[number]
        if fence_on(text):
            return False
        if text.strip() and path_on(text) is None:
            return True
    return False


def _elements(at: Opening) -> Claim | None:
    reply = at.reply
    if (found := element_block(reply.text, reply.starts[at.line])) is None:
        return None
    block, end = found
    path, top = path_above(reply.lines, at.line, at.floor)
    return Claim(top, reply.line_at(end) + 1, (Update(path, (Edit(0, (block,)),)),))


def _misplaced(lines: Sequence[str], line: int) -> int:
    """A marker that opens no block would be passed over as prose, and the edit it belongs to be lost."""
    if _CLOSE.match(lines[line]):
        raise Unreadable(f"line {line + 1}: a REPLACE marker closes no SEARCH block", line + 1, advice=_ADVICE)
    return line + 1


def _close_of(lines: Sequence[str], open_line: int, width: int) -> int:
    """The closing marker: the first as wide as the opening one, else the first of any width."""
    nearest = None
    divided = False
    for number in range(open_line + 1, len(lines)):
        line = lines[number]
        if not line or line[0] not in "<>-+=":
            continue
        if found := _CLOSE.match(line):
            nearest = number if nearest is None else nearest
            if len(found.group(1)) == width:
                return number
        elif (found := _OPEN.match(line)) and (len(found.group(1)) == width or nearest is not None):
            end = _divider_as_end(lines, open_line, number, width) if nearest is None else nearest
            if end is not None:
                return end
            message = f"line {number + 1}: a block opens before the one above has its"
            if divided:
                raise CutOff(f"{message} REPLACE marker", number)
            raise Unreadable(f"{message} divider", number, advice=_ADVICE)
        divided = divided or _DIVIDER.match(line) is not None
    end = _divider_as_end(lines, open_line, len(lines), width) if nearest is None else nearest
    if end is not None:
        return end
    raise CutOff("the reply ends inside a SEARCH/REPLACE block", len(lines))


def _divider_as_end(lines: Sequence[str], open_line: int, limit: int, width: int) -> int | None:
    """A second divider where REPLACE should be: models write it, and a fence or a blank line below shows it meant."""
    found = [n for n in range(open_line + 1, limit) if lines[n].rstrip() == "=" * width]
    if len(found) != 2 or found[1] + 1 >= len(lines):
        return None
    below = lines[found[1] + 1]
    return found[1] if not below.strip() or fence_on(below) else None


def _hints(lines: Sequence[str], start: int, close: int) -> tuple[int, int | None]:
    """Where the search text begins below its hints, and the line they name."""
    hint = None
    at = start
    while at < close and (found := _HINT.match(lines[at])):
        hint = int(found.group(2)) if found.group(1) == "start" else hint
        at += 1
    if at > start and at < close and _RULE.match(lines[at]):
        at += 1
    return at, hint or None


def _variants(lines: Sequence[str], start: int, close: int, width: int) -> tuple[Block, ...]:
    dividers = _dividers(lines, start, close, width)
    blocks: list[Block] = []
    for at in dividers:
        # Blank lines alone name no place, so they count as an empty search.
        find = tuple(lines[start:at]) if any(line.strip() for line in lines[start:at]) else ()
        blocks += [Block(find, side) for side in _replacements(lines, at + 1, close, width)]
    variants = [*blocks, *_changed(blocks, _inside_fence)]
    variants += _changed(variants, _unescaped)
    if len(variants) > _MOST_VARIANTS:
        message = f"line {start + 1}: {len(dividers)} lines could be the divider of this block"
        raise Unreadable(message, close + 1, advice=_ADVICE)
    return tuple(variants)


def _replacements(lines: Sequence[str], start: int, close: int, width: int) -> list[tuple[str, ...]]:
    """The new lines; models repeat the divider above REPLACE, where it is content only as a heading's underline."""
    whole = tuple(lines[start:close])
    if len(whole) == 1 and whole[0].rstrip() == "=" * width:
        return [()]
    if len(whole) < 2 or not (last := _DIVIDER.match(whole[-1])) or len(last.group(1)) != width:
        return [whole]
    return [whole[:-1]] if len(whole[-2]) > len(last.group(1)) or not whole[-2].strip() else [whole, whole[:-1]]


def _dividers(lines: Sequence[str], start: int, close: int, width: int) -> list[int]:
    """Every line that can be the divider; those as wide as the opening marker rule out all others."""
    found = [n for n in range(start, close) if lines[n].startswith("===") and _DIVIDER.match(lines[n])]
    if not found:
        raise Unreadable(f"line {close + 1}: REPLACE follows SEARCH without a divider", close + 1, advice=_ADVICE)
    numbers = [n for n in found if len(lines[n].rstrip()) == width] or found
    # Of adjacent ones only the last can divide: above it, an underlined heading ends the search text.
    last = [n for n, below in zip(numbers, [*numbers[1:], -1], strict=True) if below != n + 1]
    if len(last) < len(numbers) and last[-1] + 1 == close:
        # Twice the divider right above REPLACE: nothing is put in, or the search text ends in an underline.
        last = [*last[:-1], last[-1] - 1, last[-1]]
    if last[0] == start:
        return [start]  # nothing is looked for, so whatever follows is the content of a new file
    for n in last:
        if n + 1 < close and _HINT.match(lines[n + 1]):
            raise Unreadable(f"line {n + 2}: a line hint is in the REPLACE part", close + 1, advice=_ADVICE)
    return last


def _changed(blocks: Sequence[Block], reading: Callable[[tuple[str, ...]], tuple[str, ...]]) -> list[Block]:
    """The blocks with both sides read another way, where that makes a difference."""
    read = [Block(reading(block.find), reading(block.replace)) for block in blocks]
    return [new for new, old in zip(read, blocks, strict=True) if new != old]


def _inside_fence(side: tuple[str, ...]) -> tuple[str, ...]:
    """A side without the fence that wraps it whole."""
    if len(side) < 2 or not (fence := fence_on(side[0])):
        return side
    last = fence_on(side[-1])
    return side[1:-1] if last and not last.info and fence.governs(last) else side


def _unescaped(side: tuple[str, ...]) -> tuple[str, ...]:
    if not any(line.startswith("\\") for line in side):
        return side
    return tuple(line[1:] if _ESCAPED.match(line) else line for line in side)


FORMAT = Format(
    name="search_replace",
    aliases=("searchreplace", "search", "editblock", "blocks", "search_replace_roo", "search_replace_dash"),
    title="SEARCH/REPLACE blocks",
    prompt=PROMPT,
    marks=(
        *("SEARCH", "REPLACE", "<<<<<", "< < < < <", ">>>>>", "> > > > >"),
        *(
            "<search>",
            "<find>",
            "<old>",
            "<original>",
            "<old_",
            "<find_",
            "<search_",
            "<original_",
            "<Search>",
            "<FIND>",
            "<OLD>",
            "<ORIGINAL>",
        ),
    ),
    opening=_OPENING,
    read=read,
    fenced=True,
)
