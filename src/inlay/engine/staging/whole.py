"""What must hold for files that a reply gives, makes or removes as a whole, and how a whole file joins the old one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inlay.engine.checks.rules import placeholders
from inlay.engine.staging.compose import splice
from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.quotation import fragment
from inlay.engine.staging.weave import Region
from inlay.errors import Misfit
from inlay.model.file import File, RepoPath
from inlay.text.edit_script import runs
from inlay.text.lines import BLANKS, Source, fold
from inlay.text.window import window

_DIFF = re.compile(r"\s*(?:diff --git |Index: \S|--- \S.*\n\+\+\+ \S|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)")
_DIFF_FILES = frozenset((".diff", ".patch", ".rej"))
_SIDE = re.compile(
    r"(?:#+|//+|--|/\*+|<!--|;+)\s*(before|after)\s*:?\s*(?:\*/|-->)?", re.I
)  # a comment that says no more
_MOST_LISTED = 5


@dataclass(frozen=True, slots=True)
class Woven:
    text: str
    warnings: tuple[str, ...] = ()


def check_new(path: RepoPath, content: str, before: File | None) -> None:
    """A new file must not stand in the place of another; the same content or an empty file is no harm."""
    if before is not None and before.text.strip() and before.text != content:
        advice = "Edit it instead of creating it, or choose another name."
        raise NotLocated(Misfit("exists", f"{path} exists already", advice))
    _check_content(path, content, "")


def check_whole(path: RepoPath, content: str, before: File | None, moved: frozenset[str] = frozenset()) -> None:
    """A whole file must be the file: no elision, no diff, no summary, no part of it.

    `moved` are lines that the reply adds to other files: what goes there is not lost.
    """
    _check_content(path, content, before.text if before else "")
    if _DIFF.match(content) and path.suffix not in _DIFF_FILES and not (before and _DIFF.match(before.text)):
        message = "the content is a diff, and a diff is never written as a file"
        raise NotLocated(Misfit("malformed", message, "Send the diff alone, with its headers, or the whole file."))
    if before is not None and (misfit := fragment(path, before.text, content, moved)):
        raise NotLocated(misfit)


def check_deletable(path: RepoPath, lines: tuple[str, ...] | None, before: File | None) -> File:
    """A file may only go if it is there and is what the reply takes it for."""
    if before is None:
        message = f"{path} does not exist, so it cannot be deleted"
        raise NotLocated(Misfit("missing", message, "Name an existing file."))
    # A diff shows the byte order mark as the first character of the first line.
    shown = None if lines is None else [line.rstrip() for line in "\n".join(lines).removeprefix("\ufeff").split("\n")]
    if shown is not None and (shown if lines else []) != [line.rstrip() for line in Source(before.text).lines]:
        message = f"{path} is to be deleted, but does not have the lines that the reply quotes"
        raise NotLocated(Misfit("not-found", message, "Look at the file as it is now before deleting it."))
    return before


def weave_whole(path: RepoPath, before: str, content: str) -> Woven:
    """New content merged with the file: lines that differ by look-alikes or trailing blanks only keep their bytes.

    New lines take the line ending of their neighbours, and the file keeps its final newline or the lack of one.
    """
    content = content.removeprefix("\ufeff")
    if not before:
        return Woven(content)
    source, new = Source(before), Source(content)
    core = window(source.norm, new.norm)
    first = source.norm.count("\n", 0, core.old_start)
    own = source.norm[core.old_start : core.old_end].removesuffix("\n").split("\n")
    sent = new.norm[core.new_start : core.new_end].removesuffix("\n").split("\n")
    regions, alike = _regions(
        [] if core.old_start == core.old_end else own, [] if core.new_start == core.new_end else sent
    )
    placed = [Region(first + region.first, first + region.end, region.new) for region in regions]
    return Woven(splice(source, placed), _kept_as_they_are(path, [first + line for line in alike]))


def _regions(own: list[str], sent: list[str]) -> tuple[list[Region], list[int]]:
    """What to replace of a file's lines, and the 1-based lines that stay although they look alike only."""
    changed = runs(_keys(own), _keys(sent))
    removed = {own[n] for first, end, _, _ in changed for n in range(first, end)}
    regions, alike, at, other = list[Region](), list[int](), 0, 0
    for first, end, start, stop in [*changed, (len(own), len(own), len(sent), len(sent))]:
        for n, line in zip(range(at, first), sent[other:start], strict=True):
            if own[n] == line:
                continue
            if line in removed:
                # Of two lines that look alike, the reply keeps the one that was not paired with it.
                regions.append(Region(n, n + 1, (line,)))
            elif own[n].rstrip(BLANKS) != line.rstrip(BLANKS):
                alike.append(n + 1)
        if first < end or start < stop:
            regions.append(Region(first, end, tuple(sent[start:stop])))
        at, other = end, stop
    return regions, alike


def _keys(lines: list[str]) -> list[str]:
    """What must be equal for two lines to be the same line."""
    # Folding never touches a line break, so all lines go through it at once.
    return [line.rstrip(BLANKS) for line in fold("\n".join(lines)).split("\n")] if lines else []


def _kept_as_they_are(path: RepoPath, lines: list[int]) -> tuple[str, ...]:
    if not lines:
        return ()
    listed = ", ".join(map(str, lines[:_MOST_LISTED])) + (", …" if len(lines) > _MOST_LISTED else "")
    which = f"line {listed} differs" if len(lines) == 1 else f"lines {listed} differ"
    return (f"{path}: {which} from the reply in look-alike characters only, and stayed unchanged",)


def _shows_both(sides: list[re.Match[str]]) -> bool:
    words = [side.group(1).lower() for side in sides]
    return "before" in words and "after" in words[words.index("before") :]


def _check_content(path: RepoPath, content: str, before: str) -> None:
    known = set(Source(before).lines)
    added = [line for line in Source(content).lines if line not in known]
    if (sides := [side for line in added if (side := _SIDE.fullmatch(line.strip()))]) and _shows_both(sides):
        message = "the fence shows the text before and after the change, and not the whole file"
        raise NotLocated(Misfit("partial-file", message, "Send the whole file as it should be, or edits."))
    if (placeholder := placeholders.in_file(added, before, content, path)) is not None:
        message = f"the file has {placeholder!r} instead of its lines"
        raise NotLocated(Misfit("elided", message, "Write out the whole file, or send edits."))
