"""Patches as git mails, shows and logs them: the diffs of each commit in the order in which they were made.

    stream   = commit+
    commit   = "From " id " " date NL mail header, message, "---" NL, diffstat, diff, "-- " NL version NL
             | "commit " id decoration? NL header, message, diff

The ids of the files on both sides tell the order of commits that change the same file. Where they do not, a series of
mails has the oldest first, unless its subjects are numbered, and a log the newest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from inlay.engine.formats.diff_header import header_at
from inlay.engine.formats.diff_hunks import is_signature
from inlay.engine.formats.format import Unreadable

_START = re.compile(r"^(?:From ([0-9a-f]{40}|[0-9a-f]{64}) \w{3} \w{3} |commit [0-9a-f]{7,64}(?: \(.*\))?$)", re.M)
_NUMBER = re.compile(r"Subject: \[[^\]\n]*?\b(\d{1,4})/\d{1,4}\]")
_DIFF = re.compile(r"^(?:diff --git |@@|--- \S)", re.M)
_MERGE = ("diff --cc ", "diff --combined ")
_ADVICE = "Send the patches one after the other, or as `git format-patch` writes them."


@dataclass(frozen=True, slots=True)
class SeriesCommit:
    """One commit of a stream: its lines from the first diff on, without what follows the last."""

    start: int
    first: int
    end: int
    number: int  #: in a numbered series of mails, else 0
    is_mail: bool
    ids: dict[str, tuple[str, str]]  #: file -> the beginning of its blob id before and after


def commits_in(text: str, lines: Sequence[str]) -> list[SeriesCommit]:
    """The commits of a stream, oldest first; none where the text is no such stream."""
    opening = _START.search(text) if "From " in text or "commit " in text else None
    if opening is None or _DIFF.search(text, 0, opening.start()):
        return []
    top = text.count("\n", 0, opening.start())
    starts = [n for n in range(top, len(lines)) if lines[n].startswith(("From ", "commit ")) and _START.match(lines[n])]
    bounds = zip(starts, [*starts[1:], len(lines)], strict=True)
    commits = [_commit(lines, start, end) for start, end in bounds]
    return _ordered([commit for commit in commits if commit.first < commit.end])


def _commit(lines: Sequence[str], start: int, end: int) -> SeriesCommit:
    diffs = [n for n in range(start, end) if lines[n].startswith("diff --git ")]
    if merge := next((n for n in range(start, end) if lines[n].startswith(_MERGE)), None):
        raise Unreadable(f"line {merge + 1}: this is the diff of a merge, which has two old sides", end, advice=_ADVICE)
    numbers = (_NUMBER.match(lines[n]) for n in range(start, diffs[0] if diffs else end))
    number = next((int(found.group(1)) for found in numbers if found), 0)
    first = diffs[0] if diffs else end
    stop = next((n for n in range(first, end) if lines[n].startswith("--") and is_signature(lines, n)), end)
    return SeriesCommit(start, first, stop, number, lines[start].startswith("From "), dict(_ids(lines, diffs)))


def _ids(lines: Sequence[str], diffs: Sequence[int]) -> Iterator[tuple[str, tuple[str, str]]]:
    for number in diffs:
        header = header_at(lines, number)
        old, dots, new = header.notes.get("index", "").split(" ")[0].partition("..")
        name = header.path or header.notes.get("rename to")
        if name and dots:
            yield name, (old, new)


def _ordered(commits: list[SeriesCommit]) -> list[SeriesCommit]:
    directions = set(_directions(commits))
    if len(directions) > 1:
        message = "the commits are neither in the order in which they were made nor in the reverse"
        raise Unreadable(message, commits[-1].end, advice=_ADVICE)
    numbers = [commit.number for commit in commits]
    if not directions and all(numbers) and len(set(numbers)) == len(numbers):
        return sorted(commits, key=lambda commit: commit.number)
    is_log = bool(commits) and not commits[0].is_mail
    return commits[::-1] if "back" in directions or (is_log and not directions) else commits


def _directions(commits: list[SeriesCommit]) -> Iterator[Literal["forth", "back"]]:
    """What every file says that a commit and the next one to change it have in common."""
    latest: dict[str, tuple[str, str]] = {}
    for commit in commits:
        for name, (old, new) in commit.ids.items():
            above = latest.get(name)
            latest[name] = old, new
            if above and _same(above[1], old) != _same(new, above[0]):
                yield "forth" if _same(above[1], old) else "back"


def _same(left: str, right: str) -> bool:
    return left.startswith(right) or right.startswith(left)
