"""Adds new members to the classes and the module that are there, and leaves everything else byte-identical."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from inlay.engine import languages
from inlay.engine.languages import Language
from inlay.engine.languages.outlines import python_outline
from inlay.engine.languages.outlines.outline import Member, Outline, Scope
from inlay.engine.languages.problem import LONGEST_READ
from inlay.engine.merging.extend.additions import plan
from inlay.engine.merging.extend.arrange import changes
from inlay.engine.merging.extend.verify import verify
from inlay.engine.merging.line_changes import written
from inlay.engine.merging.merged import Merged, refusal
from inlay.model.file import RepoPath
from inlay.text.lines import is_blank

# Only Python and Ruby begin comments with a hash; elsewhere it begins an instruction to the compiler.
_COMMENT = re.compile(r"\s*(?://|/\*|\*|#(?!\s*(?:if|el|end|region|pragma|define|include|undef|nullable|\[)))")


def extend(existing: str, new: str, *, path: RepoPath, replacing: bool) -> Merged:
    """The existing text with the new members joined to it; existing ones give way only when `replacing`."""
    if not existing.strip() or not new.strip():
        return Merged(existing if existing.strip() else new)
    if max(len(existing), len(new)) > LONGEST_READ:
        raise refusal("too-large", "the text is too large to be read as code")
    try:
        read, read_new = _readers(languages.of(path, existing), path)
        old = read(existing, "the existing file")
        fresh = with_comments(read_new(new, old))
        todo = plan(old, fresh, replacing)
        text = written(existing, changes(old, fresh, todo))
        verify(old, fresh, todo, read(text, "the merged text"))
    except RecursionError:
        raise refusal("too-deep", "the text is too deeply nested to be read as code") from None
    return Merged(text, tuple(dict.fromkeys(todo.notes)))


def _readers(
    language: Language | None, path: RepoPath
) -> tuple[Callable[[str, str], Outline], Callable[[str, Outline], Outline]]:
    if language is not None and language.reader == "python":
        return python_outline.read, python_outline.read_new
    from inlay.engine.languages.outlines import grammar_outline
    from inlay.engine.merging.extend import grammar_loose

    if language is None or not grammar_outline.can_read(language):
        what = language.name if language else f"{path.suffix or path.name} files"
        advice = "Choose append, insert or replace."
        raise refusal("not-extendable", f"no parser here that could extend {what}", advice)
    return partial(grammar_outline.read, language), partial(grammar_loose.read_new, language)


def with_comments(new: Outline) -> Outline:
    """The same outline, in which members begin at the first comment below the member before them."""
    # What stands on top of a module speaks for the module, so it does not move with its first member.
    scope = replace(new.scope, members=tuple(_reaching(new, new.scope.members, None)))
    return replace(new, scope=scope, bare=tuple(_reaching(new, new.bare, None)))


def _reaching(new: Outline, members: tuple[Member, ...], floor: int | None) -> Iterator[Member]:
    for member in members:
        first = member.first
        # The first of the comments above the member, whatever blank lines lie between.
        for n in range(first - 1, (first if floor is None else floor) - 1, -1):
            if not is_blank(new.lines[n]) and not _COMMENT.match(new.lines[n]):
                break
            first = first if is_blank(new.lines[n]) else n
        yield replace(member, first=first, body=_inside(new, member.body))
        floor = member.end


def _inside(new: Outline, scope: Scope | None) -> Scope | None:
    if scope is None or scope.inline:
        return scope
    *members, last = _reaching(new, scope.members, scope.opening) if scope.members else (None,)
    if last is None:
        return scope
    # Nothing follows the last comments of a class, so they go with what stands above them.
    below = [n for n in range(last.end, scope.closing) if not is_blank(new.lines[n])]
    end = below[-1] + 1 if below and all(_COMMENT.match(new.lines[n]) for n in below) else last.end
    return replace(scope, members=(*members, replace(last, end=end)))
