"""Diffs of git for the very text that they name: applied to the letter, where what comes out is what git made."""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import replace

from inlay.engine.staging.update import Updated
from inlay.model.edit import Edit, Hunk, Update
from inlay.model.file import File, is_blob
from inlay.model.match import Match
from inlay.text.lines import Source


def apply_literally(before: File, part: Update) -> Updated | None:
    """The file that the diff makes, if both ids of its `index` line prove it; None where they do not."""
    if part.base_id is None or part.result_id is None or not is_blob(before, part.base_id, as_is=True):
        return None
    # A diff shows the byte order mark as the first character of the first line.
    mark = "\ufeff" if before.encoding.bom == BOM_UTF8 else ""
    source = Source(mark + before.text)
    for ending in dict.fromkeys(("\n", "\r\n" if "\r\n" in before.text else "\n")):
        text = _applied(source, part.edits, ending)
        if text is None or not text.startswith(mark):
            continue
        text = text.removeprefix(mark)
        if is_blob(replace(before, text=text), part.result_id, as_is=True):
            return Updated(text, tuple(_match(edit) for edit in part.edits))
    return None


def _applied(source: Source, edits: tuple[Edit, ...], ending: str) -> str | None:
    """The text with every hunk at the line it names; None where a line that it shows is not there."""
    out: list[str] = []
    at = 0
    for edit in edits:
        hunk = edit.variants[0]
        if not isinstance(hunk, Hunk) or edit.line is None or len(edit.variants) > 1:
            return None
        old = [text for kind, text in hunk.ops if kind != "+"]
        first = edit.line - bool(old)
        if first < at or source.lines[first : first + len(old)] != old:
            return None
        out.append(_own(source, at, first))
        at = first
        endings = hunk.endings or (ending,) * len(hunk.ops)
        for (kind, text), own in zip(hunk.ops, endings, strict=True):
            if kind == " ":
                out.append(_own(source, at, at + 1))
            elif kind == "+":
                out.append(text + own)
            at += kind != "+"
        if hunk.new_open:
            out[-1] = out[-1].removesuffix("\n").removesuffix("\r")
    return "".join([*out, _own(source, at, source.count)])


def _own(source: Source, first: int, end: int) -> str:
    return source.text[source.own_offset(first) : source.own_offset(end)]


def _match(edit: Edit) -> Match:
    hunk, line = edit.variants[0], edit.line or 0
    old = sum(kind != "+" for kind, _ in hunk.ops) if isinstance(hunk, Hunk) else 0
    return Match(edit.number, "exact", max(line, 1), max(line + old - 1, line, 1), (), edit.description)
