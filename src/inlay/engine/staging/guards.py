"""Refuses new text that cannot be meant: tool tags, edit markers and "rest unchanged" in place of code."""

from __future__ import annotations

import re

from inlay.codes import Code
from inlay.engine.matching.elision import is_mark
from inlay.errors import Misfit
from inlay.model.edit import Op

_TAG = re.compile(
    r"\s*<(/?)(tool_call|tool_use|function_calls?|function|invoke|parameter|antml:\w+|tool_response|patch|apply_patch|edit)\b[^<>]*>\s*"
)
_MARKER = re.compile(r"(<{5,9} SEARCH>?|>{5,9} REPLACE|-{5,9} SEARCH>?|\+{5,9} REPLACE>?|\*\*\* (Begin|End) Patch)\s*")
_PATCH = "*** Begin Patch"
_SENTINEL = re.compile(r"\*\*\* (?:Begin|(End)) Patch\s*")
_ARTEFACT = re.compile(
    r"\s*\[(Showing|Lines?|Output|Truncated|\.\.\.)[^\]]*(lines?|truncated|\d+ more)[^\]]*\]\s*", re.IGNORECASE
)


def contamination(added: list[str], before: str, is_diff: bool = False) -> Misfit | None:
    """What in the added lines is markup of the reply rather than content; a file that has such lines may get more.

    Every line that a diff adds has its sign, so a whole patch among them is one that is written about.
    """
    depth: dict[str, int] = {}
    for line in added:
        if (
            "<" not in line
            and ">" not in line
            and "*" not in line
            and "[" not in line
            and "-" not in line
            and "+" not in line
        ):
            continue
        if (tag := _TAG.fullmatch(line)) and line.strip() not in before:
            depth[tag.group(2)] = depth.get(tag.group(2), 0) + (-1 if tag.group(1) else 1)
        elif is_diff and (end := _SENTINEL.fullmatch(line)):
            depth[_PATCH] = depth.get(_PATCH, 0) + (-1 if end.group(1) else 1)
        elif _MARKER.fullmatch(line) and line.strip() not in before:
            return _markup("conflict-marker", line)
        elif _ARTEFACT.fullmatch(line) and line.strip() not in before:
            return _markup("tool-tag", line)
    stray = next((name for name, n in depth.items() if n), None)
    if stray is None:
        return None
    return _markup("conflict-marker", stray) if stray == _PATCH else _markup("tool-tag", f"<{stray}>")


def _markup(code: Code, what: str) -> Misfit:
    return Misfit(
        code,
        f"the new text contains {what.strip()!r}, which is markup of the reply and not content",
        "Send the edit again with nothing but file content in its new lines.",
    )


def lazy(ops: tuple[Op, ...], is_diff: bool) -> Misfit | None:
    """A mark such as `...` among the added lines that stands for code instead of being code.

    A diff names every line it removes, so a bare `...` that it adds is meant; REPLACE may have left lines out.
    """
    for n, (kind, text) in enumerate(ops):
        if kind == "+" and is_mark(text) and not (text.strip() == "..." and (is_diff or _is_stub(ops, n))):
            return Misfit(
                "elided",
                f"the replacement says {text.strip()!r} instead of the lines themselves",
                "Write out every line of the replacement, or elide the same lines in both FIND and REPLACE.",
            )
    return None


def _is_stub(ops: tuple[Op, ...], n: int) -> bool:
    """`...` as a Python body: it follows a line that opens one, and replaces no more lines than come with it."""
    if n == 0 or not ops[n - 1][1].rstrip().endswith(":"):
        return False
    start = end = n
    while start and ops[start - 1][0] != " ":
        start -= 1
    while end < len(ops) and ops[end][0] != " ":
        end += 1
    removed = sum(kind == "-" for kind, _ in ops[start:end])
    return removed <= sum(kind == "+" and not is_mark(text) for kind, text in ops[start:end])
