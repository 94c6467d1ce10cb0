"""Adds new members to the classes and the module that are there, and leaves everything else byte-identical."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from inlay.engine import languages
from inlay.engine.languages import Language
from inlay.engine.languages.problem import LONGEST_READ
from inlay.engine.merging.extend import python_outline
from inlay.engine.merging.extend.additions import plan
from inlay.engine.merging.extend.arrange import changes
from inlay.engine.merging.extend.comments import with_comments
from inlay.engine.merging.extend.outline import Outline
from inlay.engine.merging.extend.verify import verify
from inlay.engine.merging.line_changes import written
from inlay.engine.merging.merged import Merged, refusal
from inlay.model.file import RepoPath


def extend(existing: str, new: str, *, path: RepoPath, replacing: bool) -> Merged:
    """The existing text with the new members joined to it; existing ones give way only when `replacing`."""
    if not existing.strip() or not new.strip():
        return Merged(existing if existing.strip() else new)
    if max(len(existing), len(new)) > LONGEST_READ:
        raise refusal("too-large", "the text is too large to be read as code")
    try:
        return _extended(existing, new, path, replacing)
    except RecursionError:
        raise refusal("too-deep", "the text is too deeply nested to be read as code") from None


def _extended(existing: str, new: str, path: RepoPath, replacing: bool) -> Merged:
    read, read_new = _readers(languages.of(path, existing), path)
    old = read(existing, "the existing file")
    fresh = with_comments(read_new(new, old))
    todo = plan(old, fresh, replacing)
    text = written(existing, changes(old, fresh, todo))
    verify(old, fresh, todo, read(text, "the merged text"))
    return Merged(text, tuple(dict.fromkeys(todo.notes)))


def _readers(
    language: Language | None, path: RepoPath
) -> tuple[Callable[[str, str], Outline], Callable[[str, Outline], Outline]]:
    if language is not None and language.reader == "python":
        return python_outline.read, python_outline.read_new
    from inlay.engine.merging.extend import grammar_loose, grammar_outline

    if language is None or not grammar_outline.can_read(language):
        what = language.name if language else f"{path.suffix or path.name} files"
        advice = "Choose append, insert or replace."
        raise refusal("not-extendable", f"no parser here that could extend {what}", advice)
    return partial(grammar_outline.read, language), partial(grammar_loose.read_new, language)
