"""The types, scopes and authors there are, and the expressions that parts of a message must match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Literal

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied, Rule, Violation

TYPES = ("build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test")
_SCOPES = re.compile(r"[/\\,] ?")
_EMAIL = r"[^@ ]+@[^@ ]+\.[^@ ]+"
_LONGEST = 10_000  # characters that an expression is tried on; a repository's own may be slow


def _enum(part: Literal["type", "scope"], message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    text = message.part(part)
    if not text or not applied.texts:
        return
    pieces = [text] if part == "type" or text in applied.texts else _SCOPES.split(text)
    if wrong := [piece for piece in pieces if (piece in applied.texts) == applied.never]:
        allowed = f"{'none' if applied.never else 'one'} of {', '.join(applied.texts)}"
        yield Violation(f"The {part} {', '.join(wrong)!r} must be {allowed}.", 1)


def _header(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if bool(re.search(applied.text, message.header[:_LONGEST])) == applied.never:
        yield Violation(f"The header must {'not ' if applied.never else ''}match `{applied.text}`.", 1)


def _body(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if bool(re.search(applied.text, "\n".join(message.lines[1:])[:_LONGEST])) == applied.never:
        yield Violation(f"The body must {'not ' if applied.never else ''}match `{applied.text}`.")


def _ticket(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if not re.search(applied.text, "\n".join(message.lines)[:_LONGEST]):
        yield Violation(f"The message must name a ticket, one that matches `{applied.text}`.")


def _email(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    if message.author and not re.fullmatch(applied.text, message.author.email[:_LONGEST]):
        yield Violation(f"The author's address {message.author.email!r} must match `{applied.text}`.")


def _author(message: CommitMessage, applied: Applied) -> Iterator[Violation]:
    author = message.author
    if author and f"{author.name} <{author.email}>" not in applied.texts and author.name not in applied.texts:
        yield Violation(f"{author.name} <{author.email}> is not one of the authors that are allowed.")


RULES = (
    Rule("type-enum", "type", "texts", "The types there are.", partial(_enum, "type"), TYPES),
    Rule("scope-enum", "scope", "texts", "The scopes there are; several may be named.", partial(_enum, "scope")),
    Rule("header-pattern", "header", "pattern", "An expression that is found in the header.", _header),
    Rule("body-pattern", "body", "pattern", "An expression that is found below the header.", _body),
    Rule("ticket", "message", "pattern", "An expression for the ticket that must be named.", _ticket, r"#\d+"),
    Rule("author-email", "author", "pattern", "An expression for the author's whole address.", _email, _EMAIL),
    Rule("author-enum", "author", "texts", "The authors there are.", _author),
)  # fmt: skip
