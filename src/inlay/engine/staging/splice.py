"""Writes changed regions into a text: everything else stays byte for byte, new lines take their neighbours' endings."""

from __future__ import annotations

from inlay.engine.staging.weave import Region
from inlay.text.lines import Source


def splice(source: Source, regions: list[Region], final_newline: bool | None = None) -> str:
    """The text with all regions replaced; `final_newline` overrides what the file had at its very end."""
    out: list[str] = []
    at = 0
    for region in regions:
        start, end = source.own_offset(region.first), source.own_offset(region.end)
        out.append(source.text[at:start])
        out.append(_ended(source, region, start, end))
        at = end
    text = "".join([*out, source.text[at:]])
    if final_newline is None:
        return _as_before(source, text) if regions and at == len(source.text) else text
    bare = text.removesuffix("\n").removesuffix("\r")
    return bare + _ending(source, source.count) if final_newline and bare else bare


def _ended(source: Source, region: Region, start: int, end: int) -> str:
    if not region.new:
        return ""
    if source.is_plain and (start == 0 or source.text[start - 1] == "\n"):
        return "\n".join(region.new) + "\n"
    ending = _ending(source, region.first)
    lead = ending if start and source.text[start - 1] not in "\r\n" else ""
    return lead + "".join(line + ending for line in region.new)


def _ending(source: Source, line: int) -> str:
    """The ending of the line above, else of the line itself, else a plain newline."""
    if source.is_plain:
        return "\n"
    for n in (line - 1, line, line - 2):
        if 0 <= n < source.count and (own := source.own_lines(n, n + 1)) and own[0][1]:
            return own[0][1]
    return "\n"


def _as_before(source: Source, text: str) -> str:
    """A final newline that was absent stays absent."""
    if not source.text or source.text[-1] in "\r\n" or not text:
        return text
    return text.removesuffix("\r\n") if text.endswith("\r\n") else text[:-1] if text[-1] in "\r\n" else text
