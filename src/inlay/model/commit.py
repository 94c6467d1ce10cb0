"""Commits, and the verdicts on their messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]
#: The part of a message that an issue is about; "message" for all of it, "diff" for what it leaves out.
Section: TypeAlias = Literal["header", "type", "scope", "subject", "body", "footer", "author", "message", "diff"]
Outcome: TypeAlias = Literal["passes", "fails", "unchecked"]

SHORT = 10  #: characters of an id that are shown to a person


@dataclass(frozen=True, slots=True)
class Person:
    """Who made a commit, as the commit says."""

    name: str
    email: str
    when: str = ""  #: seconds and time zone, as git stores them


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; its message is decoded, undecodable bytes are surrogates."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str
    encoding: str = ""  #: as the commit declares it; empty for UTF-8
    is_signed: bool = False

    @property
    def subject(self) -> str:
        return self.message.lstrip("\n").split("\n", 1)[0].strip()


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong with a message."""

    rule: str  #: stable, for programs: "header-max-length"
    severity: Severity
    section: Section
    explanations: tuple[str, ...]  #: sentences; several where the same issue was found more than once
    line: int = 0  #: 1-based line of the message; 0 where no line is meant

    @property
    def explanation(self) -> str:
        return " ".join(self.explanations)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of checking one commit: by rules and, where asked for, by a model."""

    commit: str  #: its id; empty for a message that is no commit yet
    subject: str
    issues: tuple[Issue, ...] = ()
    unchecked: tuple[str, ...] = ()  #: why it could not be checked in full
    exempt: str = ""  #: why the rules do not apply to it
    summary: str = ""  #: what the change does, in a model's words
    suggestion: str = ""  #: a better message, where a model made one
    unseen: tuple[str, ...] = ()  #: what a model was not shown, and why

    @property
    def outcome(self) -> Outcome:
        """An error fails it; what was not checked in full never passes."""
        if any(issue.severity == "error" for issue in self.issues):
            return "fails"
        return "unchecked" if self.unchecked else "passes"


def union(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """The issues in order, one for each rule, severity and section, with all explanations."""
    merged: dict[tuple[str, str, str], Issue] = {}
    for issue in issues:
        key = (issue.rule, issue.severity, issue.section)
        first = merged.get(key)
        texts = (*first.explanations, *issue.explanations) if first else issue.explanations
        merged[key] = replace(first or issue, explanations=tuple(dict.fromkeys(texts)))
    return tuple(merged.values())


def joined(verdict: Verdict, *others: Verdict) -> Verdict:
    """One verdict from several on the same commit: it passes only where all of them do."""
    verdicts = (verdict, *others)
    return replace(
        verdict,
        issues=union(issue for part in verdicts for issue in part.issues),
        unchecked=tuple(dict.fromkeys(why for part in verdicts for why in part.unchecked)),
        summary=next((part.summary for part in verdicts if part.summary), ""),
        suggestion=next((part.suggestion for part in verdicts if part.suggestion), ""),
        unseen=tuple(dict.fromkeys(what for part in verdicts for what in part.unseen)),
    )
