"""File names as replies write them: under headings and bullets, in bold or backticks, behind labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inlay.engine.formats.envelope import fence_on, is_html_fence, is_tool_tag

_LONGEST_NAME = 300
_BULLETS = re.compile(r"(?:(?:[-*+•>]|\d{1,4}[.)]|#{1,6}|//)[ \t]+)+")
_LABEL = re.compile(
    r"(?:(?:new |updated )?file(?: ?name| ?path)?|path|filepath|in|update|create|modify|edit)[ \t]*:[ \t]*", re.I
)
_REMARK = re.compile(r"[ \t]+\((?:new|created?|modif|updat|chang|edit|exist|unchang|full|complete)[^()]{0,60}\)$", re.I)
_ELEMENT = re.compile(r"<(path|file|file_path|filename)>([^<>]+)</\1>")
_WRAPS = ("**", "__", "`", "*", '"', "'")
_PLAIN = re.compile(r"(?:[A-Za-z]:[\\/])?[^\s`*\"<>|?:]*[\w\])}][^\s`*\"<>|?:]*\Z")
_ENDING = re.compile(r"[\w)\]}-]\.[A-Za-z0-9_+-]{1,16}\Z|(?:\A|[/\\])\.[\w.-]+\Z")
_BARE_NAMES = re.compile(
    r"(?:Make|Docker|Container|Gem|Rake|Proc|Vagrant|Jenkins|Just|Brew|Pod|Pip|make|just|GNUmake)file\Z"
    r"|(?:LICENSE|README|CHANGELOG|NOTICE|AUTHORS|CODEOWNERS|BUILD|WORKSPACE)\Z"
)
_QUOTED = re.compile(r"`([^`\s]{1,200})`")


def path_on(line: str) -> str | None:
    """The file name that makes up a line, freed from headings, bullets, emphasis, labels and a final colon."""
    if len(line) > _LONGEST_NAME or not (name := line.strip()):
        return None
    name = _BULLETS.sub("", name, count=1) if _BULLETS.match(name) else name
    element = _ELEMENT.fullmatch(name)
    name, quoted = (element[2].strip(), True) if element else (name, False)
    for _ in range(4):  # decoration nests: a label, bold, backticks and a colon
        before = name
        name = _REMARK.sub("", name.removesuffix(":").rstrip())
        if label := _LABEL.match(name):
            name, quoted = name[label.end() :], True
        for wrap in _WRAPS:
            if len(name) > 2 * len(wrap) and name.startswith(wrap) and name.endswith(wrap):
                name, quoted = name[len(wrap) : -len(wrap)].strip(), quoted or wrap == "`"
        if name == before:
            break
    return name if _is_path(name, quoted) else None


def _is_path(name: str, quoted: bool) -> bool:
    if "://" in name or name.endswith((".", ",", ";", "!")):
        return False
    if quoted and " " in name:  # a name with blanks differs from prose only by its quotes and ending
        return bool(_ENDING.search(name)) and name.count(" ") <= 4 and bool(_PLAIN.match(name.replace(" ", "_")))
    if not _PLAIN.match(name):
        return False
    return quoted or bool(_BARE_NAMES.match(name)) or "/" in name or bool(_ENDING.search(name))


def path_mentioned(line: str) -> str | None:
    """The one file name that a line of prose introduces, as in "Then change `app.py`:"."""
    if len(line) > _LONGEST_NAME or not line.rstrip().endswith(":"):
        return None
    names = {name for name in _QUOTED.findall(line) if _is_path(name, False)}
    return names.pop() if len(names) == 1 else None


def path_above(lines: Sequence[str], line: int, floor: int) -> tuple[str | None, int]:
    """The file name just above a line, with nothing but fences and blank lines between, and where that begins."""
    start = line
    for number in range(line - 1, max(floor, line - 9) - 1, -1):
        text = lines[number]
        if not text.strip():
            continue
        if fence_on(text) or is_html_fence(text) or is_tool_tag(text):
            start = number
            continue
        if name := path_on(text):
            wrapped = number > floor and fence_on(lines[number - 1]) is not None
            return name, number - wrapped
        return path_mentioned(text), start
    return None, start
