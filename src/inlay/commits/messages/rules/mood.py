"""The imperative mood, where its absence is certain: forms of common verbs that cannot be nouns there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

_PAST = {
    "added": "add", "fixed": "fix", "removed": "remove", "updated": "update", "changed": "change",
    "renamed": "rename", "moved": "move", "refactored": "refactor", "improved": "improve", "implemented": "implement",
    "replaced": "replace", "created": "create", "deleted": "delete", "enabled": "enable", "disabled": "disable",
    "introduced": "introduce", "corrected": "correct", "converted": "convert", "made": "make",
    "bumped": "bump", "cleaned": "clean", "adjusted": "adjust", "tweaked": "tweak", "reworked": "rework",
    "rewrote": "rewrite", "reverted": "revert", "upgraded": "upgrade", "switched": "switch", "dropped": "drop",
    "extracted": "extract", "ensured": "ensure", "resolved": "resolve", "prevented": "prevent",
}  # fmt: skip
# Never the plural of a noun.
_PRESENT = {
    "adds": "add", "removes": "remove", "makes": "make", "allows": "allow", "ensures": "ensure", "creates": "create",
    "deletes": "delete", "introduces": "introduce", "improves": "improve", "renames": "rename", "replaces": "replace",
    "refactors": "refactor", "resolves": "resolve", "prevents": "prevent", "corrects": "correct", "enables": "enable",
    "disables": "disable", "converts": "convert", "adjusts": "adjust", "extracts": "extract",
}  # fmt: skip
# The plural of a noun as well, unless an article follows.
_EITHER = {"fixes": "fix", "updates": "update", "changes": "change", "moves": "move", "bumps": "bump", "uses": "use"}
_GOING_ON = {
    "adding": "add", "fixing": "fix", "removing": "remove", "updating": "update", "changing": "change",
    "renaming": "rename", "improving": "improve", "implementing": "implement", "replacing": "replace",
    "deleting": "delete", "enabling": "enable", "disabling": "disable", "introducing": "introduce",
    "correcting": "correct", "converting": "convert", "allowing": "allow", "making": "make", "bumping": "bump",
    "adjusting": "adjust", "tweaking": "tweak",
}  # fmt: skip
_ARTICLES = frozenset({"a", "an", "the", "all", "some", "this", "these", "our", "its", "their", "my", "another"})
# "Fixed width", "Adding is slow", "Resolves #12": here the word describes or names something, or is a keyword.
_DESCRIBING = frozenset(
    "width size sized point length position positions header headers is are was were be can should must may will would"
    " does has have in by of to not no issue".split()
)
# With one of these further on, the first word may belong to its subject: "Deleted files are kept".
_PREDICATES = frozenset(
    "is are was were isn't aren't should shouldn't must can can't cannot will won't does doesn't don't didn't fails"
    " fail breaks break crashes crash causes cause throws hangs returns works".split()
)
_WORD = re.compile(r"#?[\w'-]+")
_FIRST = re.compile(r"(?P<word>[A-Za-z]+)(?P<after> .*|$)")


def _find(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    first = _FIRST.fullmatch(message.subject)
    if first and (verb := _imperative(first["word"].lower(), _WORD.findall(first["after"].lower()), message.type)):
        text = f"The subject says what the commit does when it is applied: {verb!r}, not {first['word']!r}."
        yield Violation(text, 1)


def _imperative(word: str, after: list[str], kind: str | None) -> str | None:
    """The form that is wanted; None where the word may be right."""
    if not after or after[0].startswith("#") or after[0].startswith("http"):
        return None
    if word in _EITHER:
        return _EITHER[word] if after[0] in _ARTICLES else None
    if word in _PRESENT:
        return None if after[0] in _DESCRIBING else _PRESENT[word]
    # Behind a type the rest is often the name of the fault: "fix: deleting twice".
    verb = _PAST.get(word) if kind not in ("fix", "test", "tests", "bug") else None
    verb = verb or (_GOING_ON.get(word) if kind is None else None)
    return None if after[0] in _DESCRIBING or not _PREDICATES.isdisjoint(after) else verb


RULES = (Rule("subject-imperative", "subject", "none", "The subject begins with an imperative.", _find),)
