"""Judges what a change removes: definitions, most of a file, an end of it, or more lines than anybody should overlook.

Owns every rule about loss. What `check` finds a person may approve; what is merely large is up to the threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from inlay.engine.checks.added_lines import Line
from inlay.engine.languages.outlines.definitions import Definition, definitions
from inlay.model.change import Change
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.text.diff import lost_lines
from inlay.text.lines import Source, count_lines

_LONG_FILE = 100  # lines; a longer file that is replaced must keep the share below, or it is an error
_SHORT_FILE = 20  # lines; a shorter file shrinks by half for all kinds of good reasons
_SMALL_FILE = 8  # lines that say something; a smaller file may well be rewritten
_SMALLEST_SHARE = 0.5  # of its lines that a file should keep
_LARGEST_CUT = 0.2  # of its lines that a whole file may lack without anything in their place
_MANY_LINES = 100  # located edits that drop more are worth a look whatever the size of the file
_FEW_LINES = 5  # that are missing without anything in their place and may have been cut off
_MOST_LISTED = 5


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error where a whole file was sent again and a part of it is gone, a warning for lesser cases."""
    if change.before is None or change.after is None:
        return
    severity: Literal["error", "warning"] | None
    if change.woven:
        message = loss(change)
        severity = "error" if message else None
    else:
        before, after = count_lines(change.before.text), count_lines(change.after)
        severity = _severity(before, after, is_located=bool(change.matches))
        message = f"leaves {after} of {before} lines" if change.matches else f"replaces {before} lines with {after}"
    if severity:
        yield Finding("shrinkage", severity, change.target, 0, message)


def _severity(before: int, after: int, *, is_located: bool) -> Literal["error", "warning"] | None:
    is_halved = after < before * _SMALLEST_SHARE
    if is_located:
        return "warning" if before - after > _MANY_LINES or (is_halved and before > _SHORT_FILE) else None
    if is_halved and (before > _LONG_FILE or after == 0):
        return "error"
    return "warning" if is_halved and before > _SHORT_FILE else None


def loss(change: Change, given_up: frozenset[str] = frozenset()) -> str:
    """What the whole new content of a file lacks of the old one, in words; empty where nothing is missed.

    `given_up` are definitions whose loss is wanted.
    """
    before, after = change.before.text if change.before else "", change.after or ""
    old, new = _solid(before), _solid(after)
    if not new and old:
        return f"empties the file of its {len(old)} lines"
    if len(old) < _SMALL_FILE or not lost_lines(before, after):
        return ""
    lost = lost_definitions(change.path, before, after)
    if names := [name for name in lost if name not in given_up]:
        count = "a definition" if len(names) == 1 else f"{len(names)} definitions"
        listed = ", ".join(names[:_MOST_LISTED]) + (", …" if len(names) > _MOST_LISTED else "")
        return f"replaces {len(old)} lines with {len(new)}, and drops {count}: {listed}"
    if given_up.intersection(lost):
        return ""
    if len(new) < len(old) * (1 - _LARGEST_CUT) and len(old) - len(new) >= _FEW_LINES:
        return f"replaces {len(old)} lines with {len(new)}"
    return _missing_end(old, new)


def _missing_end(old: list[str], new: list[str]) -> str:
    """Whether the content ends or begins in the middle of the old one, and what follows or precedes there is gone."""
    if cut := _cut(old, new):
        return f"drops the last {cut} lines of the file"
    cut = _cut(old[::-1], new[::-1])
    return f"drops the first {cut} lines of the file" if cut else ""


def _cut(old: list[str], new: list[str]) -> int:
    """How many lines at the end of the old content are gone where the new one stops."""
    shown = new[-_FEW_LINES:]
    at = next((n for n in range(len(old), len(shown) - 1, -1) if old[n - len(shown) : n] == shown), len(old))
    tail, lost = Counter(old[at:]), Counter(old) - Counter(new)
    return tail.total() if tail.total() >= _FEW_LINES and (tail & lost).total() > 0.8 * tail.total() else 0


def lost_definitions(path: RepoPath, before: str, after: str) -> tuple[str, ...]:
    """The names of what a file defined and no longer does; what moved or got another name is not lost."""
    old, new = definitions(path, before), definitions(path, after)
    # By how often a name is defined: a setter or an overload can be lost while its namesake stays.
    missing = Counter(definition.short_name for definition in old)
    missing.subtract(definition.short_name for definition in new)
    gone = [definition for definition in old if missing[definition.short_name] > 0]
    if not gone:
        return ()
    lines = [line.strip() for line in Source(before).lines]
    lost = Counter(lines) - Counter(line.strip() for line in Source(after).lines)
    found = dict.fromkeys(definition.name for definition in gone if _is_lost(lines, definition, lost))
    return tuple(name for name in found if not any(name.startswith(f"{other}.") for other in found))


def _is_lost(lines: list[str], definition: Definition, lost: Counter[str]) -> bool:
    """Whether most of what a definition consists of is gone with its name."""
    body = Counter(line for line in lines[definition.first + 1 : definition.end] if line)
    return 2 * (body & lost).total() >= body.total()


def _solid(text: str) -> list[str]:
    return [line for line in map(str.strip, Source(text).lines) if line]


# --- what is merely large -----------------------------------------------------------------------------------------


def large_replacement(change: Change, threshold: int) -> str:
    """What a person must decide about, in words: a file is replaced, or more of its lines are than the threshold.

    What a reply gives as a whole file counts by the lines that it truly replaces; whoever names a file to be replaced
    replaces all of it.
    """
    if change.before is None or change.after is None or change.is_noop:
        return ""
    existing = count_lines(change.before.text)
    if not change.woven:
        return f"replaces a file of {existing} lines, and over {threshold} needs a decision" * (existing > threshold)
    lost = lost_lines(change.before.text, change.after) if existing > threshold else 0
    return f"replaces {lost} of {existing} lines, and over {threshold} needs a decision" * (lost > threshold)


def large_removal(before: str, after: str, threshold: int) -> str:
    """What a person must decide about, in words: more lines go than the threshold, or over half of the file."""
    existing = count_lines(before)
    if existing <= min(_SHORT_FILE, threshold):
        return ""
    lost = lost_lines(before, after)
    if lost > threshold:
        return f"removes {lost} of {existing} lines, and over {threshold} needs a decision"
    if existing > _SHORT_FILE and existing - lost < existing * _SMALLEST_SHARE:
        return f"removes {lost} of {existing} lines, which is more than half of the file"
    return ""
