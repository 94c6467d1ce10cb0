"""FIND and REPLACE WITH blocks in fences, with a heading for each change.

    reply    = (file? change)+
    file     = "## " path | "File: " path | a line that is a path, decorated or not
    change   = ("### CHANGE " number ": " description)? "FIND:" fenced "REPLACE WITH:" fenced
    fenced   = fence info? NL content fence                 any length, backticks or tildes

FIND ends at the last fence above REPLACE WITH. REPLACE ends at its first closing fence, where a tagged fence opens a
nested block; if FIND shows that the file holds fences of its own, the end must be provable or the change is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inlay.engine.formats.envelope import Fence, closing_of, fence_on, is_settled, next_solid
from inlay.engine.formats.format import Claim, CutOff, Format, Opening, Unreadable
from inlay.engine.formats.names import path_on
from inlay.model.edit import Block, Edit, Update

PROMPT = """\
Answer with changes to the file, never with the whole file. Write every change like this:

### CHANGE 1: what it does, in a few words
FIND:
```
    total = 0
    for item in items:
        total += item.price
    return total
```

REPLACE WITH:
```
    total = 0
    for item in items:
        total += item.price * item.count
    return total
```

Rules:
- FIND repeats lines of the file exactly, with their indentation, without line numbers.
- FIND holds enough lines to occur only once in the file: two unchanged lines above and below are a good measure.
- REPLACE WITH repeats the unchanged lines of FIND and contains every line in full, with no "..." for omitted code.
- An empty REPLACE WITH block deletes the lines of FIND.
- Number the changes from the top of the file to its bottom; they must not overlap.
- For several files, put a line `## path/to/file` above the changes of each.
- If the text itself contains ``` lines, fence both blocks with ````.
"""

_DECORATED = r"[ \t]{0,9}(?:#{1,6}[ \t]+|[-*+][ \t]+)?[*_`]{0,3}%s[*_`]{0,3}:?[*_`]{0,3}[ \t]*$"
_REPLACE_WITH = r"REPLACE(?:[ \t]+WITH)?"
_HEADING = re.compile(r"[ \t]{0,9}(?:#{1,6}[ \t]*|\*\*)?CHANGE[ \t]+#?\d+[ \t]*[:.)\-–—]?[ \t]*(.*)$", re.I)
_FIND = re.compile(_DECORATED % "FIND", re.I)
_REPLACE = re.compile(_DECORATED % _REPLACE_WITH, re.I)
_OPENING = re.compile(
    r"^(?:[ \t]{0,9}(?:#{1,6}[ \t]{0,9}|\*\*)?CHANGE[ \t]+#?\d|" + _DECORATED % f"(?:FIND|{_REPLACE_WITH})" + ")",
    re.I | re.M,
)
_STRONG_NAME = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\*\*|`|(?:new )?file(?: ?name| ?path)?[ \t]*:|path[ \t]*:)", re.I)
_ADVICE = "Write FIND: and REPLACE WITH: each on a line of its own, each followed by a fenced block."
_MOST_ENDS = 50
_FARTHEST_HEADING = 200  # lines of prose between a file's heading and its first change


def read(at: Opening) -> Claim | int:
    """The change that opens at a line, with the file heading above it."""
    lines = at.reply.lines
    if _is(_REPLACE, lines[at.line]) and _fence_below(lines, at.line):
        raise Unreadable(f"line {at.line + 1}: REPLACE WITH without FIND above it", at.line + 1, advice=_ADVICE)
    find_line, description = _head(at)
    if find_line is None:
        return at.line + 1
    find, replace_line = _find_side(lines, find_line)
    replace = _replace_side(lines, replace_line, lines[find.start : find.stop])
    path, start = _file_above(at)
    block = Block(tuple(lines[find.start : find.stop]), tuple(lines[replace.start : replace.stop]))
    return Claim(start, replace.stop + 1, (Update(path, (Edit(0, (block,), description=description),)),))


def _head(opening: Opening) -> tuple[int | None, str]:
    lines, line = opening.reply.lines, opening.line
    heading = _HEADING.match(lines[line][:500])
    at = line
    if heading:
        at = next_solid(lines, line + 1)
        if at >= len(lines):
            raise CutOff("the reply ends at the heading of a change", at)
        while at < min(len(lines), line + 10) and not _is(_FIND, lines[at]) and not _is(_HEADING, lines[at]):
            at = next_solid(lines, at + 1)  # a model may explain the change below its heading
    if at >= len(lines) or not _is(_FIND, lines[at]):
        return None, ""
    meant = "FIND" in lines[at] and (heading or opening.floor)
    if not meant and next_solid(lines, at + 1) < len(lines) and not _fence_below(lines, at):
        return None, ""  # the word alone
    return at, heading.group(1).strip(" *") if heading else ""


def _is(pattern: re.Pattern[str], line: str) -> bool:
    return len(line) < 500 and pattern.match(line) is not None


def _opened(lines: Sequence[str], marker: int, name: str) -> tuple[Fence, int]:
    at = next_solid(lines, marker + 1)
    if at >= len(lines):
        raise CutOff(f"the reply ends at {name}", at)
    if (fence := fence_on(lines[at])) is None:
        raise Unreadable(f"line {at + 1}: {name} is not followed by a fenced block", at, advice=_ADVICE)
    return fence, at + 1


def _find_side(lines: Sequence[str], marker: int) -> tuple[range, int]:
    """The lines inside FIND's block and the REPLACE line below it."""
    fence, start = _opened(lines, marker, "FIND:")
    closed = 0  # the last line that could have closed the block
    for number in range(start, len(lines)):
        line = lines[number]
        if closed and (_is(_REPLACE, line) or _is(_HEADING, line) or _is(_FIND, line)):
            if not _is(_REPLACE, line):
                break
            return range(start, closed), number
        if (inner := fence_on(line)) and fence.governs(inner):
            closed = number if not inner.info else 0
        elif line.strip():
            closed = 0
    close = closing_of(fence, lines, start, len(lines))
    if close is None:
        raise CutOff("the reply ends inside a FIND block", len(lines))
    rest = "".join(lines[close + 1 : close + 4]).strip()
    if "REPLACE WITH:".startswith(rest.upper()):
        raise CutOff("the reply ends before REPLACE WITH", len(lines))
    raise Unreadable(f"line {close + 1}: FIND is not followed by REPLACE WITH", close + 1, advice=_ADVICE)


def _replace_side(lines: Sequence[str], marker: int, find: Sequence[str]) -> range:
    """The lines inside REPLACE WITH's block; the change ends with it."""
    fence, start = _opened(lines, marker, "REPLACE WITH:")
    first = closing_of(fence, lines, start, len(lines))
    limit = start if first is None else first + 1
    while limit < len(lines) and not _is(_HEADING, lines[limit]):
        if _is(_FIND, lines[limit]) and _fence_below(lines, limit):
            break
        limit += 1
    profile = _fences_in(fence, find)
    if not profile and first is not None and is_settled(fence, lines, first, limit):
        # Where a later fence ends the block as FIND ends, and the first does not, prose may be content.
        tail = _tail(find, 0, len(find))
        later = (n for n in range(first + 1, limit) if _closes(fence, lines[n]))
        if _tail(lines, start, first) != tail and any(_tail(lines, start, n) == tail for n in later):
            raise _undecided(start, limit)
        return range(start, first)
    ends = [n for n in range(start, limit) if _closes(fence, lines[n])]
    if len(ends) > _MOST_ENDS:
        raise _undecided(start, limit)
    viable = [end for end in ends if _plausible(_fences_in(fence, lines[start:end]), profile)]
    if first is None and not viable:
        raise CutOff("the reply ends inside a REPLACE WITH block", len(lines))
    return range(start, _proven(fence, lines, start, viable, find, limit))


def _fence_below(lines: Sequence[str], line: int) -> bool:
    at = next_solid(lines, line + 1)
    return at < len(lines) and fence_on(lines[at]) is not None


def _closes(fence: Fence, line: str) -> bool:
    inner = fence_on(line)
    return inner is not None and not inner.info and fence.governs(inner)


def _fences_in(fence: Fence, lines: Sequence[str]) -> list[str]:
    """The fence lines of a content that could be taken for its own closing or for a nested block."""
    return [line.strip() for line in lines if (inner := fence_on(line)) and fence.governs(inner)]


def _plausible(inner: Sequence[str], profile: Sequence[str]) -> bool:
    """Whether fences inside REPLACE are those of FIND or come in pairs; a tagged fence always opens."""
    if list(inner) == list(profile):
        return True
    depth = 0
    for mark in inner:
        depth = depth + 1 if mark.strip("`~") or not depth else depth - 1
    return depth == 0


def _proven(fence: Fence, lines: Sequence[str], start: int, viable: list[int], find: Sequence[str], limit: int) -> int:
    """The only end that can be meant; the last line of FIND proves one where FIND shows fences of the file's own."""
    profile = _fences_in(fence, find)
    alike = [end for end in viable if end > start and lines[end - 1] == find[-1]] if profile else []
    if not alike and len(viable) == 1 and _fences_in(fence, lines[start : viable[0]]) == profile:
        alike = viable
    # Fences below the end, or text before the next change, show that the block goes on.
    rest = lines[alike[0] + 1 : limit] if len(alike) == 1 else ()
    goes_on = _fences_in(fence, rest) or (limit < len(lines) and any(line.strip() for line in rest))
    if len(alike) != 1 or goes_on:
        raise _undecided(start, limit)
    return alike[0]


def _tail(lines: Sequence[str], start: int, end: int) -> str:
    return next((lines[n] for n in range(end - 1, start - 1, -1) if lines[n].strip()), "")


def _undecided(start: int, end: int) -> Unreadable:
    message = f"line {start}: it is not clear which fence closes the REPLACE WITH block"
    advice = "Fence both blocks with more backticks than any line inside them has."
    return Unreadable(message, end, code="ambiguous", advice=advice)


def _file_above(at: Opening) -> tuple[str | None, int]:
    """The file heading between the previous change and this one; the nearest counts."""
    lines = at.reply.lines
    direct = True
    for number in range(at.line - 1, max(at.floor, at.line - _FARTHEST_HEADING) - 1, -1):
        if not lines[number].strip() or fence_on(lines[number]):
            continue
        if (direct or _STRONG_NAME.match(lines[number][:100])) and (name := path_on(lines[number])):
            return name, number
        direct = False
    return None, at.line


FORMAT = Format(
    name="find_replace",
    aliases=("findreplace", "find", "changes"),
    title="FIND / REPLACE WITH blocks",
    prompt=PROMPT,
    marks=("FIND", "CHANGE", "REPLACE", "Find", "find", "Change", "Replace"),
    opening=_OPENING,
    read=read,
    fenced=True,
)
