"""Finds markup that is no content: merge conflict markers, edit block markers, tags and output of tool calls.

Owns the question which lines are such markup, for the new text of an edit and for the files that come of it. Elements
of any name are ordinary content. A tag counts as markup of the reply only on a line of its own, and only if the file
does not balance it; inside of new lines it may be in a string, where the language has a parser that says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from inlay.codes import Code
from inlay.engine import languages
from inlay.engine.checks.added_lines import Line
from inlay.engine.formats.block_markers import Marker, marker_on
from inlay.engine.formats.envelope import TOOL_TAGS
from inlay.errors import Misfit
from inlay.model.allowance import ALLOWANCES, Allowance
from inlay.model.change import Change
from inlay.model.edit import Block, Create, Delete, Hunk, Overwrite, Part, Splice, Update, Variant
from inlay.model.file import RepoPath
from inlay.model.finding import Finding

_PATCH = re.compile(r"\*\*\* (?:Begin|End) Patch\s*$")
_BEGIN_PATCH = re.compile(r"^\*\*\* Begin Patch\s*$", re.M)
_END_PATCH = re.compile(r"^\*\*\* End Patch\s*$", re.M)
_SUSPECT = re.compile(r"[<>|*\[]|[-+]{3}|[-+](?: [-+]){4}")

_ATTRIBUTES = r"(?:\s(?:\"[^\"]*+\"|'[^']*+'|[^<>\"'])*+)?"
_TAG = re.compile(rf"\s*<(/?)({TOOL_TAGS}){_ATTRIBUTES}(?<!/)>\s*$")
_GLUED = re.compile(rf".*\S</({TOOL_TAGS})>\s*$")
# These end a turn in chat templates; no pair could balance them.
_TOKEN = re.compile(r"\s*<\|(?:im_start|im_end|endoftext|eot_id|end_of_turn|tool_call|/tool_call)\|>\s*$")
# What a viewer of files says about the lines it leaves out.
_NOTICE = re.compile(
    r"\s*\[(?:Showing|Lines?|Output|Truncated|\.\.\.)[^\]]*(?:lines?|truncated|\d+ more)[^\]]*\]\s*$", re.IGNORECASE
)
_ADVICE = "Send the edit again with nothing but file content in its new lines; if it is content, a person can allow it"


class NewText(NamedTuple):
    """Lines one below the other that an edit, or a reply for a whole file, brings into the file."""

    lines: Sequence[str]
    edit: int = 0  #: number of the edit; 0 for a whole file


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every marker of a conflict or of an edit block that the change brings in."""
    found = [(line, marker) for line in added if (marker := marker_on(line.text))]
    before, after = change.before.text if change.before else "", change.after or ""
    strays = [line for line, marker in found if _is_block(marker)]
    if not strays or _explained(before, after):
        return
    # Between the first opening and the last closing marker; elsewhere equals signs underline headings.
    between = range(strays[0].number, strays[-1].number)
    for line, marker in found:
        if _is_block(marker) or (line.number in between and marker.sign == "=" and not marker.word):
            message = f"leaves the marker {line.text.strip()[:60]!r} in the file"
            yield Finding("conflict-marker", "error", change.target, line.number, message)


def _is_block(marker: Marker) -> bool:
    return marker.is_known or marker.is_conflict


def _explained(before: str, after: str) -> bool:
    """Whether a file that is about markers gets complete sets of them."""
    old, new = _sides(before), _sides(after)
    return min(old) > 0 and new[0] - old[0] == new[1] - old[1]


def _sides(text: str) -> tuple[int, int]:
    """How many markers open a block in a text, and how many close one."""
    opened = closed = 0
    for line in text.split("\n"):
        if line.lstrip(" \t")[:3] in _RUNS and (marker := marker_on(line.rstrip("\r"))) and _is_block(marker):
            opened += marker.sign in "<-"
            closed += marker.sign in ">+"
    return opened, closed


_RUNS = frozenset(("<<<", ">>>", "---", "+++", "< <", "> >", "- -", "+ +"))


def new_texts(part: Part, before: str) -> Iterator[NewText]:
    """Every stretch of lines that a part brings into its file, in each of its readings."""
    match part:
        case Update(edits=edits):
            for edit in edits:
                for variant in edit.variants:
                    yield from (NewText(stretch, edit.number) for stretch in _added(variant))
        case Create(content=content) | Overwrite(content=content):
            yield from new_content(content, before)
        case Delete():
            pass


def new_content(content: str, before: str) -> Iterator[NewText]:
    """Every stretch of lines of a whole content that the file does not have."""
    known = set(before.split("\n"))
    return map(NewText, _stretches((line not in known, line) for line in content.split("\n")))


def _added(variant: Variant) -> Iterator[list[str]]:
    match variant:
        case Block(find, new):
            known = set(find)
            return _stretches((line not in known, line) for line in new)
        case Splice(new=new):
            return iter([list(new)])
        case Hunk(ops):
            return _stretches((kind == "+", text) for kind, text in ops if kind != "-")


def _stretches(lines: Iterable[tuple[bool, str]]) -> Iterator[list[str]]:
    """Runs of new lines; blank lines between them divide nothing."""
    stretch: list[str] = []
    for is_new, line in lines:
        if is_new or (stretch and not line.strip()):
            stretch.append(line)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def misfits(
    texts: Iterable[NewText], path: RepoPath, before: str, after: str, allow: frozenset[Allowance] = frozenset()
) -> list[Misfit]:
    """What in the new texts is markup of the reply rather than content; lines that the file has may come again."""
    allowed = {ALLOWANCES[name] for name in allow}
    is_stray, is_sound = cache(partial(_is_stray, before, after)), cache(partial(_is_sound, path, after))
    found: dict[tuple[Code, int], Misfit] = {}
    for text in texts:
        for suspect in _suspects(text.lines):
            code, line = suspect.code, suspect.line
            known = code in allowed or (code, text.edit) in found
            if not known and line in after and is_stray(suspect.kind, line) and not (suspect.is_inside and is_sound()):
                found[code, text.edit] = _misfit(code, line, text.edit)
    return list(found.values())


class _Suspect(NamedTuple):
    """A line that may be markup."""

    code: Code
    kind: str  #: the name of a tag, or what else it is
    line: str
    is_inside: bool = False  #: a tag with other new lines above and below it, where no wrapper would be


def _suspects(lines: Sequence[str]) -> Iterator[_Suspect]:
    # Most lines have none of these characters; the test is cheaper than the patterns.
    if not any(map(_SUSPECT.search, lines)):
        return
    for line in lines:
        if (marker := marker_on(line)) and _is_block(marker):
            yield _Suspect("conflict-marker", "marker", line.strip())
        elif _PATCH.match(line):
            yield _Suspect("conflict-marker", "patch", line.strip())
        elif _NOTICE.match(line):
            yield _Suspect("tool-tag", "notice", line.strip())
    yield from _tags([line for line in lines if line.strip()])


def _tags(solid: Sequence[str]) -> Iterator[_Suspect]:
    """The tags of tool calls that have a line of their own, or close the last one."""
    kinds = [tag[2] if (tag := _TAG.match(line)) else "token" if _TOKEN.match(line) else "" for line in solid]
    content = [n for n, kind in enumerate(kinds) if not kind]
    inside = range(content[0], content[-1]) if content else range(0)
    for n, kind in enumerate(kinds):
        if kind:
            yield _Suspect("tool-tag", kind, solid[n].strip(), n in inside)
    if solid and (glued := _GLUED.match(solid[-1])):
        yield _Suspect("tool-tag", glued[1], solid[-1].strip())


def _is_sound(path: RepoPath, after: str) -> bool:
    """Whether a parser that takes no tag for code reads the file, so that tags in it are in strings or comments."""
    language = languages.of(path, after)
    return language is not None and language.reader != "tree-sitter" and not languages.syntax_errors(language, after)


def _is_stray(before: str, after: str, kind: str, line: str) -> bool:
    """Whether the file does not explain a line: it has none like it, or a change takes its balance away."""
    match kind:
        case "notice" | "token":
            return line not in before
        case "marker":
            return line not in before and not _explained(before, after)
        case "patch":
            old, new = _patches(before), _patches(after)
        case name:
            old, new = _surplus(name, before), _surplus(name, after)
    return abs(new) > abs(old) and (old == 0 or line not in before)


def _surplus(name: str, text: str) -> int:
    opened = re.findall(rf"<{re.escape(name)}{_ATTRIBUTES}(?<!/)>", text)
    return len(opened) - text.count(f"</{name}>")


def _patches(text: str) -> int:
    return len(_BEGIN_PATCH.findall(text)) - len(_END_PATCH.findall(text))


def _misfit(code: Code, text: str, edit: int) -> Misfit:
    option = next(name for name, allowed in ALLOWANCES.items() if allowed == code)
    message = f"the new text contains {text[:100]!r}, which is markup of the reply and not content"
    return Misfit(code, message, f"{_ADVICE} (`--allow {option}`).", edit=edit)
