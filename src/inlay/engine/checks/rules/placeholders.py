"""Finds placeholders such as `// ... existing code ...` that stand where code should be.

Owns the question which lines are placeholders, for edits that leave lines out and for the files that come of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from inlay.engine.checks.added_lines import Line
from inlay.engine.languages.catalog import is_prose
from inlay.model.change import Change
from inlay.model.edit import Op
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.text.lines import BLANKS

_LONGEST = 300  # characters; beyond it the line is no placeholder, and patterns take their time on minified code
_MOST_WORDS = 12  # a longer comment tells a story
_FEW_WORDS = 4  # a shorter one has no room for anything else
_STARTS = frozenset("#/<{([-;%\"'.\u2026")
_LEADER = re.compile(r"(?:\#+|//+|/\*+|<!--|\{/\*|\{#|\(\*|--|;+|%+|\"\"\"|''')\s*")
_CLOSER = re.compile(r"\s*(?:\*+/\}?|-->|\*\)|#\}|\"\"\"|''')$")
_TRAILING = re.compile(r"\s(?://|/\*|<!--|#|--)\s*((?:\.{3}|\u2026).*)$")
_DOTS = re.compile(r"\.{3,}|\u2026")
_LONE_DOTS = re.compile(r"[^\w\s.\u2026]+\s?(?:\.{3,4}|\u2026)\s*[^\w\s.\u2026]*")
_FOREIGN = re.compile(r"[^\w\s()\[\]:,.\u2026-]")  # no placeholder needs it, and code does
_WORD = re.compile(r"[a-z]+")

_REST = frozenset(("rest", "remainder"))
_KEPT = _REST | {"remaining", "existing"}
#: After an ellipsis any of these says that something was left out.
_TELLING = _KEPT | frozenset(_WORD.findall("unchanged omitted truncated snip snipped brevity elided"))
#: After an ellipsis these do so where all other words are of the vocabulary.
_HINTS = _TELLING | {"same", "previous", "other"}
_STATE = frozenset(_WORD.findall("unchanged same before is omitted here intact untouched shown elided"))
_BULK = frozenset(("code", "implementation"))
_THINGS = _BULK | frozenset(
    _WORD.findall("""
    file function functions method methods class classes module component components content contents script document
    test tests import imports body logic style styles rules fields properties routes handlers rows config configuration
    definitions declarations section sections lines template markup page program source statements
""")
)
_FILLERS = frozenset(
    _WORD.findall("""
    the this your all of and other remain remains stay stays are as not goes continues for brevity clarity keep kept
    original current previous exactly it was no changes changed above below
""")
)
_VOCABULARY = _KEPT | _STATE | _THINGS | _FILLERS
_DOTTED = _VOCABULARY | _HINTS | frozenset(_WORD.findall("from in to line rule field property table items entries"))
# Without dots only a comment that says nothing else counts.
_PHRASE = re.compile(
    r"(?:the |all |your |keep )?(?:rest|remainder|remaining|existing)(?: of)?(?: the| this| your)? "
    r"(?:code|file|functions?|methods?|class|implementation|content|module|logic|imports?|tests)(?: here)?"
    r"(?: remains?| stays?| is| are)?(?: unchanged| the same| as before| as is)?"
    r"|unchanged(?: code)?(?: here| below| above)?"
)


def check(change: Change, added: tuple[Line, ...]) -> Iterator[Finding]:
    """An error for every added placeholder; in prose, and where an edit may mean it, only a warning."""
    for line in added:
        if (is_placeholder(line.text) and not _may_be_meant(line.text)) or _has_trailing(line.text):
            # Staging has looked at every edit, and refused those in which lines give way to the placeholder.
            is_meant = is_prose(change.target) or (bool(change.matches) and not _is_lazy(line.text))
            severity: Literal["error", "warning"] = "warning" if is_meant else "error"
            message = f"a placeholder is where code should be: {line.text.strip()[:80]!r}"
            yield Finding("elided", severity, change.target, line.number, message)


def is_placeholder(line: str) -> bool:
    """Whether a line says "and so on" rather than something of its own."""
    core = line.strip(BLANKS)
    if not core or len(core) > _LONGEST or (core[0] not in _STARTS and "..." not in core and "\u2026" not in core):
        return False
    leader = _LEADER.match(core)
    inner = _CLOSER.sub("", core[leader.end() :] if leader else core)
    has_dots = _DOTS.search(inner) is not None
    if leader is None and inner[:1] not in ("(", "[") and not _DOTS.match(inner):
        return False
    words = _WORD.findall(inner.lower())
    if not words:
        return has_dots and re.search(r"\w", inner) is None and _FOREIGN.search(inner) is None
    if _is_remark(inner, words, is_comment=leader is not None) or _is_phrase(set(words), has_dots=has_dots):
        return True
    if _FOREIGN.search(inner):
        return False
    if has_dots:
        return set(words) <= _DOTTED and not _HINTS.isdisjoint(words)
    return leader is not None and _PHRASE.fullmatch(" ".join(words)) is not None


def _is_remark(text: str, words: list[str], *, is_comment: bool) -> bool:
    """Whether words that may be anything follow an ellipsis or say that something was left out for brevity."""
    if len(words) > _MOST_WORDS:
        return False
    if {"omitted", "brevity"} <= set(words):
        return True
    if not is_comment or not _DOTS.match(text.lstrip("[({* ")) or _TELLING.isdisjoint(words):
        return False
    is_closed = text.rstrip(" )]}").endswith(("...", "\u2026"))
    return is_closed or len(words) <= _FEW_WORDS or not _THINGS.isdisjoint(words)


def _is_phrase(words: set[str], *, has_dots: bool) -> bool:
    """Whether the words, and only they, speak of code that stays as it is."""
    if not words <= _VOCABULARY or words.isdisjoint(_KEPT) or words.isdisjoint(_THINGS):
        return False
    return has_dots or not words.isdisjoint(_REST | _STATE | _BULK)


def _has_trailing(line: str) -> bool:
    if len(line) > _LONGEST or (trailing := _TRAILING.search(line)) is None:
        return False
    text = trailing[1].removesuffix("*/").removesuffix("-->")
    words = set(_WORD.findall(text.lower()))
    return ({"omitted", "brevity"} <= words and len(words) <= _MOST_WORDS) or _is_phrase(words, has_dots=True)


def _is_lazy(line: str) -> bool:
    """Whether a placeholder speaks of code that is left out, which nobody writes into a file on purpose."""
    words = set(_WORD.findall(line.lower()))
    return _has_trailing(line) or _is_phrase(words, has_dots=True) or not words.isdisjoint(_TELLING - _REST)


def _is_spread(line: str) -> bool:
    return re.fullmatch(r"\.{3}[A-Za-z_$][\w$.]*[)\]},;]*", line.strip()) is not None


def _may_be_meant(line: str) -> bool:
    """`...` is a statement of Python, `...rest` spreads a value in JavaScript, and dots further in show an example."""
    core = line.strip()
    if core.startswith(("...", "\u2026")):
        return " " not in core.strip(".\u2026 ")
    return re.search(r"\w", core) is None and _LONE_DOTS.fullmatch(core) is None


def in_file(added: list[str], before: str, content: str, path: RepoPath) -> str | None:
    """The placeholder among the added lines of a whole file, if it stands for lines instead of being meant."""
    if is_prose(path):
        had, has = (Counter(line.strip() for line in text.split("\n")) for text in (before, content))
        if had <= has:
            return None
    return next((line.strip() for line in added if is_placeholder(line) and not _may_be_meant(line)), None)


def in_edit(ops: tuple[Op, ...], *, is_diff: bool, in_prose: bool) -> str | None:
    """The placeholder among the lines that an edit adds, if it stands for code instead of being code.

    It stands for lines only where lines give way to it, unless it says that code was left out. A diff names every line
    it removes, so a bare `...` that it adds is meant; REPLACE may have left lines out. Prose may get a placeholder, but
    none of its lines may give way to one.
    """
    may_be_shown = in_prose and all(kind != "-" for kind, _ in ops)
    written = Counter(text for kind, text in ops if kind != "-" and text.strip(BLANKS))
    # Lines of a new text may be paired with old ones that it left out, so REPLACE must have every line of FIND.
    loses = bool(Counter(text for kind, text in ops if kind != "+" and text.strip(BLANKS)) - written)
    for n, (kind, text) in enumerate(ops):
        if may_be_shown or kind != "+" or not is_placeholder(text) or _is_spread(text):
            continue
        removed, added = _stretch(ops, n, written)
        is_stub = n > 0 and ops[n - 1][1].rstrip().endswith(":") and removed <= added
        is_ellipsis = text.strip() == "..." and (is_diff or is_stub)
        is_addition = not _is_lazy(text) and (removed <= added if is_diff else removed == 0 and not loses)
        if not is_ellipsis and not is_addition:
            return text.strip()
    return None


def _stretch(ops: tuple[Op, ...], n: int, written: Counter[str]) -> tuple[int, int]:
    """How many lines are removed around an added one, and how many are added there that are no placeholders.

    Kept lines end the stretch, except blank ones and those written more than once: which of them is kept is chance.
    """
    start = end = n
    while start and (ops[start - 1][0] != " " or written[ops[start - 1][1]] != 1):
        start -= 1
    while end < len(ops) and (ops[end][0] != " " or written[ops[end][1]] != 1):
        end += 1
    stretch = ops[start:end]
    return sum(kind == "-" for kind, _ in stretch), sum(kind == "+" and not is_placeholder(t) for kind, t in stretch)
