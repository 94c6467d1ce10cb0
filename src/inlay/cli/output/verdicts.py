"""How verdicts on commits are told: to a person, as JSON, as SARIF, as annotations that GitHub shows."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import click

from inlay.cli.output.sarif import Level, Problem, as_sarif
from inlay.cli.output.terminal import Painter, say
from inlay.commits.messages import Ruleset
from inlay.model.commit import SHORT, Issue, Severity, Verdict
from inlay.render.verdict import verdict_json

_SIGNS = {"passes": ("✔", "green"), "fails": ("✗", "red"), "unchecked": ("?", "yellow")}
_COLOURS: dict[Severity, str] = {"error": "red", "warning": "yellow", "info": "cyan"}
_LEVELS: dict[Severity, Level] = {"error": "error", "warning": "warning", "info": "note"}
_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}


class VerdictPrinter:
    """Counts the verdicts and tells each of them."""

    is_for_programs = False

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.rules = Ruleset()

    def begin(self, rules: Ruleset) -> None:
        """What is said before the first verdict."""
        self.rules = rules
        paint = Painter(sys.stderr)
        for note in (*rules.unreadable, *rules.notes):
            say(f"{paint('note:', 'yellow')} {paint(note)}", err=True)

    def add(self, verdict: Verdict) -> None:
        """One verdict, as soon as it is there."""
        self.counts[verdict.outcome] += 1

    def end(self) -> None:
        """What is said after the last."""

    def summary(self) -> str:
        """All verdicts in one sentence."""
        total = self.counts.total()
        if not total:
            return "There is nothing to check."
        told = [f"{self.counts[outcome]} {word}" for outcome, word in
                (("passes", "pass"), ("fails", "fail"), ("unchecked", "could not be checked in full"))
                if self.counts[outcome]]  # fmt: skip
        return f"{total} {'message' if total == 1 else 'messages'} checked by {self.rules.source}: {', '.join(told)}."


class _Text(VerdictPrinter):
    def add(self, verdict: Verdict) -> None:
        super().add(verdict)
        if not verdict.issues and not verdict.unseen and verdict.outcome == "passes":
            return
        paint = Painter(sys.stdout)
        sign, colour = _SIGNS[verdict.outcome]
        name = f"{verdict.commit[:SHORT]} " if verdict.commit else ""
        lines = [f"{paint(sign, colour)} {paint(name, 'yellow')}{paint(verdict.subject or '(empty)', bold=True)}"]
        lines += [_issue_line(issue, paint) for issue in verdict.issues]
        lines += [f"    {paint('unchecked', 'yellow')} {paint(why)}" for why in verdict.unchecked]
        lines += [f"    {paint('not shown to the model:', dim=True)} {paint(what)}" for what in verdict.unseen]
        if verdict.suggestion and verdict.issues:
            lines += [
                f"    {paint('better:', 'cyan')}",
                *(f"      {paint(each)}" for each in verdict.suggestion.split("\n")),
            ]
        say("\n".join(lines))

    def end(self) -> None:
        paint = Painter(sys.stdout)
        colour = "red" if self.counts["fails"] else "yellow" if self.counts["unchecked"] else "green"
        say(paint(self.summary(), colour, bold=True))


def _issue_line(issue: Issue, paint: Painter) -> str:
    rule = paint(f"[{issue.rule}]", dim=True)
    return f"    {paint(issue.severity, _COLOURS[issue.severity])} {paint(issue.explanation)} {rule}"


class _Json(VerdictPrinter):
    is_for_programs = True

    def __init__(self) -> None:
        super().__init__()
        self._verdicts: list[dict[str, Any]] = []

    def begin(self, rules: Ruleset) -> None:
        self.rules = rules

    def add(self, verdict: Verdict) -> None:
        super().add(verdict)
        self._verdicts.append(verdict_json(verdict))

    def end(self) -> None:
        outcome = "fails" if self.counts["fails"] else "unchecked" if self.counts["unchecked"] else "passes"
        counts = {each: self.counts[each] for each in ("passes", "fails", "unchecked")}
        notes = [*self.rules.unreadable, *self.rules.notes]
        said = {"status": outcome, **counts, "rules": self.rules.source, "notes": notes, "commits": self._verdicts}
        click.echo(json.dumps(said))


class _Sarif(VerdictPrinter):
    is_for_programs = True

    def __init__(self) -> None:
        super().__init__()
        self._problems: list[Problem] = []

    def add(self, verdict: Verdict) -> None:
        super().add(verdict)
        about = f"{verdict.commit[:SHORT] or 'The message'} ({verdict.subject}): "
        self._problems += [
            Problem(issue.rule, _LEVELS[issue.severity], about + issue.explanation) for issue in verdict.issues
        ]
        self._problems += [Problem("unchecked", "note", about + why) for why in verdict.unchecked]

    def end(self) -> None:
        click.echo(json.dumps(as_sarif("inlay commits check", self._problems)))


class _GitHub(VerdictPrinter):
    def add(self, verdict: Verdict) -> None:
        super().add(verdict)
        title = f"{verdict.commit[:SHORT]} {verdict.subject}".strip()
        for issue in verdict.issues:
            said = f"{issue.explanation} [{issue.rule}]"
            click.echo(f"::{_GITHUB[issue.severity]} title={_property(title)}::{_data(said)}")
        for why in verdict.unchecked:
            click.echo(f"::warning title={_property(title)}::{_data(f'Not checked in full: {why}')}")

    def end(self) -> None:
        click.echo(self.summary())


def _data(text: str) -> str:
    """What stands behind `::` must not end the line, nor look like an escape that is none."""
    shown = text.encode("utf-8", "replace").decode("utf-8")
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_PRINTERS = {"text": _Text, "json": _Json, "sarif": _Sarif, "github": _GitHub}


def printer(name: str) -> VerdictPrinter:
    """The printer for an output format."""
    return _PRINTERS[name]()
