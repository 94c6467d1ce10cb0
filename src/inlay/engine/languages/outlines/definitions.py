"""What a text defines: its functions, types and longer values by name.

An outline says so where the language has one here; else lines that begin with a keyword of the trade do, roughly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from inlay.engine.languages.catalog import Language, is_prose, of
from inlay.engine.languages.outlines.outline import Outline, Scope
from inlay.engine.languages.problem import LONGEST_READ
from inlay.errors import MergeRefused
from inlay.model.file import RepoPath

_LONG_VALUE = 3  # lines; a function that is assigned to a name takes as many, a setting does not
_PARAMETERS = re.compile(r"(?<=\w)\s*\(.*\)$", re.DOTALL)
_KEYWORD = (
    r"(?:def|defp|defmodule|func|function|fn|fun|sub|proc|class|struct|interface"
    r"|trait|enum|module|object|protocol|extension|record|impl|type)"
)
_BY_KEYWORD = re.compile(
    rf"^[ \t]*+(?:(?:[a-z]+|@\w+)[ \t]+){{0,5}}?{_KEYWORD}[ \t]+(?!{_KEYWORD}\b)"
    r"([A-Za-z_$][\w$.:]*+)(?=[ \t]*(?:$|[(<{:=\[]|\w))"
    # a function of C or of a shell has no keyword, but begins at the margin and opens a block
    r"|^(?:[A-Za-z_][\w \t*&]*[ \t*&])?([A-Za-z_]\w*)[ \t]*\([^;{}\n]*\)[ \t]*\n?\{",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A named function, type or value in lines `first` up to `end` (0-based)."""

    name: str  #: with the names of the types around it
    first: int
    end: int

    @property
    def short_name(self) -> str:
        return self.name.rpartition(".")[2]


def definitions(path: RepoPath, text: str) -> tuple[Definition, ...]:
    """Every definition outside functions, in order; a file for people to read, or too large for a parser, has none."""
    if is_prose(path) or len(text) > LONGEST_READ:
        return ()
    language = of(path, text)
    try:
        outline = _outline(language, text) if language is not None else None
    except (MergeRefused, RecursionError):
        outline = None
    return tuple(_within(outline.scope, "") if outline else _by_keyword(text))


def _outline(language: Language, text: str) -> Outline | None:
    if language.reader == "python":
        from inlay.engine.languages.outlines import python_outline

        return python_outline.read(text, "the file")
    if language.reader != "tree-sitter":
        return None
    from inlay.engine.languages.outlines import grammar_outline

    return grammar_outline.parsed(language, text) if grammar_outline.can_read(language) else None


def _within(scope: Scope, prefix: str) -> Iterator[Definition]:
    for member in scope.members:
        is_definition = member.kind in ("routine", "type", "space")
        if member.names and (is_definition or (member.kind == "field" and member.end - member.start >= _LONG_VALUE)):
            # A function whose parameters change is still there.
            yield Definition(prefix + _PARAMETERS.sub("", member.names[0]), member.start, member.end)
        if member.body:
            yield from _within(member.body, f"{prefix}{member.names[0]}." if member.names else prefix)


def _by_keyword(text: str) -> Iterator[Definition]:
    found: list[tuple[int, str]] = []
    line = at = 0
    for match in _BY_KEYWORD.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        found.append((line, (match[1] or match[2]).rstrip(":")))
    for (first, name), (end, _) in pairwise([*found, (line + text.count("\n", at) + 1, "")]):
        yield Definition(name, first, end)
