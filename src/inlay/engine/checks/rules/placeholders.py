"""Finds placeholders such as `// ... existing code ...` that stand where code should be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from inlay.engine.checks.added_lines import Line
from inlay.model.change import Change
from inlay.model.finding import Finding

#: Manuals show shortened code on purpose.
_PROSE = frozenset((".md", ".markdown", ".mdx", ".rst", ".rdoc", ".txt", ".adoc", ".org", ".tex"))

_COMMENT = re.compile(r"\{/\*(.*)\*/\}|/\*(.*)\*/|<!--(.*)-->|\{#(.*)#\}|\(\*(.*)\*\)|(?://|#|--|;;?|%)(.*)")
_TRAILING = re.compile(r"\s(?://|/\*|<!--|#|--)\s*((?:\.{3}|…).*)$")
_BODY = re.compile(r"[\[({*\s]*(?P<lead>(?:\.{3,}|…)?)(?P<words>.*)")
_WORD = re.compile(r"[a-z]+")

_LONGEST = 300  # characters; beyond it the line is no placeholder, and patterns take their time on minified code
_MOST_WORDS = 12  # a longer comment tells a story
_FEW_WORDS = 4  # a shorter one has no room for anything else
_REST = frozenset(("rest", "remainder"))
_KEPT = _REST | {"remaining", "existing"}
_STATE = frozenset(("unchanged", "same", "before", "is", "omitted", "here", "intact", "untouched", "shown", "elided"))
_BULK = frozenset(("code", "implementation"))
_THING = _BULK | frozenset(
    _WORD.findall("""
    file function functions method methods class classes module component components content contents script document
    test tests import imports body logic style styles rules fields properties routes handlers config configuration
    definitions declarations section sections lines template markup page program source statements
""")
)
_FILLER = frozenset(
    _WORD.findall("""
    the this your all of and other remain remains stay stays are as not goes continues for brevity clarity keep kept
    original current previous exactly it was no changes changed above below
""")
)
_VOCABULARY = _KEPT | _STATE | _THING | _FILLER
#: Any of these after an ellipsis says that something was left out.
_TELLING = _KEPT | frozenset(("unchanged", "omitted", "truncated", "snip", "snipped", "brevity", "elided"))


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every added placeholder; in prose only a warning."""
    severity: Literal["error", "warning"] = "warning" if change.target.suffix in _PROSE else "error"
    for line in added:
        if len(line.text) <= _LONGEST and _stands_for_more(line.text.strip()):
            message = f"a placeholder stands where code should be: {line.text.strip()[:80]!r}"
            yield Finding("elided", severity, change.target, line.number, message)


def _stands_for_more(text: str) -> bool:
    if comment := _COMMENT.fullmatch(text):
        return _is_placeholder(comment[comment.lastindex or 0])
    if text.startswith(("...", "…", "[", "(")):
        return _is_phrase(text) and " " in text.strip(".… ")
    trailing = _TRAILING.search(text)
    return trailing is not None and _is_phrase(trailing[1].removesuffix("*/").removesuffix("-->"))


def _is_placeholder(body: str) -> bool:
    """Whether a comment says nothing but that something was left out."""
    parts = _BODY.fullmatch(body)
    if parts is None:
        return False
    words = _WORD.findall(parts["words"].lower())
    if not words:
        # Dots set further in belong to an example that the comment shows.
        return body.strip() in ("...", "....", "…") and not body.startswith(("  ", "\t"))
    if parts["lead"] and len(words) <= _MOST_WORDS and not _TELLING.isdisjoint(words):
        is_closed = parts["words"].rstrip(" )]}").endswith(("...", "…"))
        return is_closed or len(words) <= _FEW_WORDS or not _THING.isdisjoint(words)
    return _is_phrase(body)


def _is_phrase(text: str) -> bool:
    """Whether the words, and only they, speak of code that stays as it is."""
    words = set(_WORD.findall(text.lower()))
    if {"omitted", "brevity"} <= words and len(words) <= _MOST_WORDS:
        return True
    if not words <= _VOCABULARY or words.isdisjoint(_KEPT) or words.isdisjoint(_THING):
        return False
    has_dots = "..." in text or "…" in text
    return has_dots or not (words.isdisjoint(_REST) and words.isdisjoint(_STATE) and words.isdisjoint(_BULK))
