"""Finds the tags of a model's tool calls that slipped into a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.engine.checks.added_lines import Line
from inlay.model.change import Change
from inlay.model.finding import Finding

_NAMES = (
    "tool_calls?|tool_use|tool_results?|tool_responses?|function_calls?|function_results?|invoke|parameters?"
    "|thinking|file_content|arg_key|arg_value"
)
_TAG = re.compile(rf"\s*<(/?)((?:antml:)?(?:{_NAMES}))(?:\s+[\w:-]+\s*=\s*\"[^\"]*\")*\s*>\s*$")
# These end a turn in chat templates; no pair could balance them.
_TOKEN = re.compile(r"\s*<\|(?:im_start|im_end|endoftext|eot_id|end_of_turn|tool_call|/tool_call)\|>\s*$")


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every added line that is nothing but a tag without its partner."""
    before = change.before.text if change.before else ""
    suspects = [line for line in added if "<" in line.text and (_TAG.match(line.text) or _TOKEN.match(line.text))]
    names = {tag[2] for line in suspects if (tag := _TAG.match(line.text))}
    unbalanced = {name for name in names if _upsets_balance(name, before, change.after or "")}
    for line in suspects:
        tag = _TAG.match(line.text)
        if tag is None or tag[2] in unbalanced:
            message = f"leaves {line.text.strip()[:60]!r}, part of a tool call, in the file"
            yield Finding("tool-tag", "error", change.target, line.number, message)


def _upsets_balance(name: str, before: str, after: str) -> bool:
    """Files may well use elements of these names, but then they close them."""
    surplus = _surplus(name, after)
    return surplus != 0 and surplus != _surplus(name, before)


def _surplus(name: str, text: str) -> int:
    opened = re.findall(rf"<{re.escape(name)}(?:\s[^<>]*[^<>/])?\s*>", text)
    return len(opened) - text.count(f"</{name}>")
