"""How a model writes the same passages in each format, and the ways its wording may vary."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.passages import Passage

FORMATS = ("find_replace", "search_replace", "unified_diff", "apply_patch", "json_edits", "whole_file")
BLOCKS = ("find_replace", "search_replace", "json_edits")  #: an old and a new text
HUNKS = ("unified_diff", "apply_patch")  #: every line marked as kept, removed or added
PARTS = BLOCKS + HUNKS
CONTEXT = {
    "find_replace": 2,
    "search_replace": 2,
    "json_edits": 2,
    "unified_diff": 3,
    "apply_patch": 3,
    "whole_file": 0,
}

_MARKUP = {
    "find_replace": re.compile(r"\s*(```|~~~|FIND\b|REPLACE WITH|### CHANGE)"),
    "search_replace": re.compile(r"\s*([<>]{3,}|={3,}\s*$|-{5,}\s*$|```|~~~)"),
    "unified_diff": re.compile(r"(--|\+\+|@@|\s*```)"),
    "apply_patch": re.compile(r"(\*\*\* |@@|\s*```)"),
    "json_edits": re.compile(r"\s*```"),
    "whole_file": re.compile(r"\s*(```|~~~)"),
}


@dataclass(slots=True)
class Wording:
    """What the model chooses freely about the way it writes."""

    fence: str = "```"
    tag: str | None = None  #: None: the natural one for the format
    path: str | None = None  #: the path as written; None: as it is
    prefixes: tuple[str, str] = ("a/", "b/")
    header: str | None = None  #: instead of `@@ -1,2 +3,4 @@`
    shift: list[int] = field(default_factory=list)  #: per passage, error of its line number
    miscount: list[int] = field(default_factory=list)  #: per passage, error of its line counts
    bare_blanks: bool = False  #: blank context lines without their leading space
    sections: list[str] = field(default_factory=list)  #: per passage, what follows `@@` in a patch or a diff
    sentinels: tuple[str, str] = ("*** Begin Patch\n", "*** End Patch\n")
    markers: int = 7  #: characters in a search_replace marker
    divider: str = "=======\n"
    fenced_sides: bool = False  #: search_replace: a fence around each side
    ranges: bool = True  #: json_edits: whether the ranges say anything
    shape: str = "ranges"
    whole: Sequence[str] = ()  #: whole_file: the lines to write


@dataclass(frozen=True, slots=True)
class Rendered:
    """The reply, and where in it the last passage's new text lies, so that it can be cut off there."""

    text: str
    start: int
    stop: int


def collides(format: str, passages: Sequence[Passage]) -> bool:
    """Whether a line of the passages could be taken for the format's own markup."""
    return any(_MARKUP[format].match(text) for passage in passages for _, text in passage.ops)


def render(format: str, passages: Sequence[Passage], path: str, tag: str, wording: Wording) -> Rendered:
    """The reply as a model would write it."""
    shown = path if wording.path is None else wording.path
    return _RENDERERS[format](passages, shown, tag if wording.tag is None else wording.tag, wording)


def _fenced(wording: Wording, tag: str, lines: Sequence[str]) -> str:
    body = "".join(f"{text}\n" for text in lines)
    return f"{wording.fence}{tag}\n{body}{wording.fence}\n" if wording.fence else body


def _find_replace(passages: Sequence[Passage], shown: str, tag: str, wording: Wording) -> Rendered:
    text, start = "", 0
    for number, passage in enumerate(passages, 1):
        text += (
            f"### CHANGE {number}: adjust part {number}\nFIND:\n{_fenced(wording, tag, passage.old())}\nREPLACE WITH:\n"
        )
        start = len(text)
        text += _fenced(wording, tag, passage.new()) + "\n"
    return Rendered(text, start, len(text.rstrip()) - len(wording.fence) - 1)


def _search_replace(passages: Sequence[Passage], shown: str, tag: str, wording: Wording) -> Rendered:
    text, start, stop, n = "", 0, 0, wording.markers
    for passage in passages:
        old, new = (_side(side, tag, wording) for side in (passage.old(), passage.new()))
        text += f"{shown}\n" + (f"{wording.fence}{tag}\n" if wording.fence else "")
        divider = wording.divider if wording.divider != "=======\n" else "=" * n + "\n"
        text += f"{'<' * n} SEARCH\n{old}{divider}"
        start, stop = len(text), len(text) + len(new)
        text += f"{new}{'>' * n} REPLACE\n" + (f"{wording.fence}\n" if wording.fence else "") + "\n"
    return Rendered(text, start, stop)


def _side(lines: Sequence[str], tag: str, wording: Wording) -> str:
    body = "".join(f"{text}\n" for text in lines)
    return f"```{tag}\n{body}```\n" if wording.fenced_sides else body


def _hunk(passage: Passage, wording: Wording) -> str:
    rows = ("" if wording.bare_blanks and kind == " " and not text else kind + text for kind, text in passage.ops)
    return "".join(f"{row}\n" for row in rows)


def _range(at: int, count: int, error: int) -> str:
    """Line and count as git writes them: an empty side names the line before it."""
    if error or count:
        return f"{max(1, at)},{max(1, count + error)}"
    return f"{max(0, at - 1)},0"


def _unified_diff(passages: Sequence[Passage], shown: str, tag: str, wording: Wording) -> Rendered:
    body, start, grown = f"--- {wording.prefixes[0]}{shown}\n+++ {wording.prefixes[1]}{shown}\n", 0, 0
    for k, passage in enumerate(passages):
        at = max(1, passage.start + 1 + (wording.shift[k] if wording.shift else 0))
        error = wording.miscount[k] if wording.miscount else 0
        old, new = len(passage.old()), len(passage.new())
        header = f"@@ -{_range(at, old, error)} +{_range(at + grown, new, error)} @@"
        section = f" {wording.sections[k]}" if wording.sections and wording.sections[k] else ""
        grown += new - old
        body += (header if wording.header is None else wording.header) + section + "\n"
        start = len(body)
        body += _hunk(passage, wording)
    lead = f"{wording.fence}{'diff' if wording.tag is None else wording.tag}\n" if wording.fence else ""
    tail = f"{wording.fence}\n" if wording.fence else ""
    return Rendered(lead + body + tail, len(lead) + start, len(lead) + len(body) - 1)


def _apply_patch(passages: Sequence[Passage], shown: str, tag: str, wording: Wording) -> Rendered:
    lead = f"{wording.fence}{wording.tag}\n" if wording.tag is not None else ""  # bare unless a fence is asked for
    text, start = f"{lead}{wording.sentinels[0]}*** Update File: {shown}\n", 0
    for k, passage in enumerate(passages):
        section = wording.sections[k] if wording.sections else ""
        text += (f"@@ {section}".rstrip() if wording.header is None else wording.header) + "\n"
        start = len(text)
        text += _hunk(passage, wording)
    stop = len(text) - 1
    return Rendered(text + wording.sentinels[1] + (f"{wording.fence}\n" if lead else ""), start, stop)


def _json_edits(passages: Sequence[Passage], shown: str, tag: str, wording: Wording) -> Rendered:
    pairs = [("\n".join(p.old()), "\n".join(p.new())) for p in passages]
    shape: object
    if wording.shape == "ranges":
        shape = {"path": shown, "edits": [_ranged(k, p, wording) for k, p in enumerate(passages)]}
    elif wording.shape == "strings":
        shape = {"file_path": shown, "edits": [{"old_string": old, "new_string": new} for old, new in pairs]}
    elif wording.shape == "list":
        shape = [{"path": shown, "old_str": old, "new_str": new} for old, new in pairs]
    elif wording.shape == "quoted":
        shape = {"path": shown, "edits": json.dumps([{"oldText": old, "newText": new} for old, new in pairs])}
    else:
        shape = {"command": "str_replace", "path": shown, "old_str": pairs[0][0], "new_str": pairs[0][1]}
    text = json.dumps(shape, indent=1, ensure_ascii=False) + "\n"
    if wording.tag is not None:
        text = f"{wording.fence}{wording.tag}\n{text}{wording.fence}\n"
    return Rendered(text, text.rfind('"newText"') + 12, len(text.rstrip("`\n")) - 6)


def _ranged(k: int, passage: Passage, wording: Wording) -> dict[str, object]:
    at = max(1, passage.start + 1 + (wording.shift[k] if wording.shift else 0))
    span = {"start": at, "end": at + passage.reach - 1} if wording.ranges else {"start": 0, "end": 0}
    return {"range": span, "oldText": "\n".join(passage.old()), "newText": "\n".join(passage.new())}


def _whole_file(passages: Sequence[Passage], shown: str, tag: str, wording: Wording) -> Rendered:
    lead = f"{shown}\n{wording.fence}{tag}\n"
    body = "".join(f"{text}\n" for text in wording.whole)
    return Rendered(f"{lead}{body}{wording.fence}\n", len(lead) + len(body) // 3, len(lead) + len(body) - 1)


_RENDERERS: dict[str, Callable[[Sequence[Passage], str, str, Wording], Rendered]] = {
    "find_replace": _find_replace,
    "search_replace": _search_replace,
    "unified_diff": _unified_diff,
    "apply_patch": _apply_patch,
    "json_edits": _json_edits,
    "whole_file": _whole_file,
}
