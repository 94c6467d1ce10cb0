"""Finds text that no longer parses, judging only what the change made worse."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from inlay.engine import languages
from inlay.engine.checks.added_lines import Line
from inlay.engine.languages import Language, SyntaxProblem
from inlay.model.change import Change
from inlay.model.finding import Finding

_MOST_REPORTED = 3  # the first error is the one to fix; the others often follow from it

# Signs that a program will fill the text in before any parser sees it: template tags, or a front matter block.
_TEMPLATE = re.compile(r"\{%|<%|\{\{-?(?=[ .]*[\w.$]+[^{}\n:;]*\}\})|\A---[ \t]*\r?\n")


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """Problems of the new content that the old content did not have."""
    after = change.after or ""
    language = languages.of(change.target, after)
    problems = languages.syntax_errors(language, after) if language else ()
    if language is None or not problems:
        return
    # Parsing is the expensive part, so the old content is read only when there is something to compare.
    old = languages.syntax_errors(language, change.before.text) if change.before else ()
    numbers = [line.number for line in added]
    is_proven = _is_proven(language, change, old, problems)
    for problem in _new(old, problems)[:_MOST_REPORTED]:
        severity: Literal["error", "warning"] = "error" if problem.certain and is_proven else "warning"
        line = _line(problem, numbers, was_sound=change.before is not None and not old)
        where = f" (noticed at line {problem.line})" if line != problem.line else ""
        if problem.end_line > problem.line + 1:
            where = f" (in lines {problem.line} to {problem.end_line})"
        message = f"{language.name} syntax: {problem.message}{where}"
        yield Finding("syntax", severity, change.target, line, message)


def _new(old: tuple[SyntaxProblem, ...], new: tuple[SyntaxProblem, ...]) -> list[SyntaxProblem]:
    known = Counter(problem.identity for problem in old)
    found = []
    for problem in new:
        if known[problem.identity] > 0:
            known[problem.identity] -= 1
        else:
            found.append(problem)
    return found


def _is_proven(
    language: Language, change: Change, old: tuple[SyntaxProblem, ...], new: tuple[SyntaxProblem, ...]
) -> bool:
    """Whether the text is at fault and the change is to blame, rather than a parser that does not know the dialect."""
    after = change.after or ""
    if change.before is None:
        return not language.dialects and _TEMPLATE.search(after) is None
    # A reader that stops at its first error cannot tell an old fault from a new one behind it.
    if old and (language.reader != "tree-sitter" or len(new) <= len(old)):
        return False
    if old or language.dialects:
        return _surplus(change.before.text) != _surplus(after)
    return True


def _surplus(text: str) -> tuple[int, ...]:
    """How many brackets stay open: crude, but no dialect makes an edit change it."""
    return tuple(text.count(opened) - text.count(closed) for opened, closed in ("{}", "()", "[]"))


def _line(problem: SyntaxProblem, added: list[int], *, was_sound: bool) -> int:
    """The edit's own line where that is the better hint: a bracket too many is noticed only at the end of the file."""
    place = bisect_left(added, problem.line)
    if place < len(added) and added[place] <= max(problem.line, problem.end_line):
        return added[place]
    return added[place - 1] if was_sound and place else problem.line
