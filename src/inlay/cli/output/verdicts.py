"""Verdicts on commits as text, JSON, SARIF, or annotations for GitHub."""

from __future__ import annotations

import sys
from collections import Counter

import click

from inlay.cli.output.sarif import Level, Problem, as_sarif
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.commits.messages import Ruleset
from inlay.model.commit import SHORT, Severity, Verdict
from inlay.render.verdict import verdict_json

_SIGNS = {"passes": ("✔", "green"), "fails": ("✗", "red"), "unchecked": ("?", "yellow")}
_COLOURS: dict[Severity, str] = {"error": "red", "warning": "yellow", "info": "cyan"}
_LEVELS: dict[Severity, Level] = {"error": "error", "warning": "warning", "info": "note"}
_GITHUB = {"error": "error", "warning": "warning", "info": "notice"}
_WORDS = {"passes": "pass", "fails": "fail", "unchecked": "could not be checked completely"}


class VerdictPrinter:
    """Counts the verdicts and prints each of them."""

    is_for_programs = False

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.verdicts: list[Verdict] = []
        self.rules = Ruleset()

    def begin(self, rules: Ruleset) -> None:
        """Print the notes on the rules, before the first verdict."""
        self.rules = rules
        paint = Painter(sys.stderr)
        for note in (*rules.unreadable, *rules.notes):
            say(f"{paint('note:', 'yellow')} {paint(note)}", err=True)

    def add(self, verdict: Verdict) -> None:
        """Count a verdict, and print it where the format has no frame around all of them."""
        self.counts[verdict.outcome] += 1
        self.verdicts.append(verdict)

    def end(self) -> None:
        click.echo(self.summary())

    def summary(self) -> str:
        total = self.counts.total()
        if not total:
            return "There is nothing to check."
        counts = ", ".join(f"{self.counts[outcome]} {word}" for outcome, word in _WORDS.items() if self.counts[outcome])
        return f"{total} {'message' if total == 1 else 'messages'} checked by {self.rules.source}: {counts}."


class _Text(VerdictPrinter):
    def add(self, verdict: Verdict) -> None:
        super().add(verdict)
        if not verdict.issues and not verdict.unseen and verdict.outcome == "passes":
            return
        paint = Painter(sys.stdout)
        sign, colour = _SIGNS[verdict.outcome]
        name = f"{verdict.commit[:SHORT]} " if verdict.commit else ""
        lines = [f"{paint(sign, colour)} {paint(name, 'yellow')}{paint(verdict.subject or '(empty)', bold=True)}"]
        for issue in verdict.issues:
            severity, rule = paint(issue.severity, _COLOURS[issue.severity]), paint(f"[{issue.rule}]", dim=True)
            lines.append(f"    {severity} {paint(issue.explanation)} {rule}")
        lines += [f"    {paint('unchecked', 'yellow')} {paint(why)}" for why in verdict.unchecked]
        lines += [f"    {paint('not shown to the model:', dim=True)} {paint(what)}" for what in verdict.unseen]
        if verdict.suggestion and verdict.issues:
            lines.append(f"    {paint('better:', 'cyan')}")
            lines += [f"      {paint(line)}" for line in verdict.suggestion.split("\n")]
        say("\n".join(lines))

    def end(self) -> None:
        colour = "red" if self.counts["fails"] else "yellow" if self.counts["unchecked"] else "green"
        say(Painter(sys.stdout)(self.summary(), colour, bold=True))


class _Json(VerdictPrinter):
    is_for_programs = True

    def begin(self, rules: Ruleset) -> None:
        self.rules = rules

    def end(self) -> None:
        result = {
            "status": "fails" if self.counts["fails"] else "unchecked" if self.counts["unchecked"] else "passes",
            **{outcome: self.counts[outcome] for outcome in _WORDS},
            "rules": self.rules.source,
            "notes": [*self.rules.unreadable, *self.rules.notes],
            "commits": [verdict_json(verdict) for verdict in self.verdicts],
        }
        say_json(result)


class _Sarif(VerdictPrinter):
    is_for_programs = True

    def end(self) -> None:
        problems: list[Problem] = []
        for verdict in self.verdicts:
            about = f"{verdict.commit[:SHORT] or 'The message'} ({verdict.subject}): "
            for issue in verdict.issues:
                problems.append(Problem(issue.rule, _LEVELS[issue.severity], about + issue.explanation))
            problems += [Problem("unchecked", "note", about + why) for why in verdict.unchecked]
        say_json(as_sarif("inlay commits check", problems))


class _GitHub(VerdictPrinter):
    def add(self, verdict: Verdict) -> None:
        super().add(verdict)
        title = _escape(f"{verdict.commit[:SHORT]} {verdict.subject}".strip()).replace(":", "%3A").replace(",", "%2C")
        lines = [(_GITHUB[issue.severity], f"{issue.explanation} [{issue.rule}]") for issue in verdict.issues]
        lines += [("warning", f"Not checked completely: {why}") for why in verdict.unchecked]
        for level, text in lines:
            click.echo(f"::{level} title={title}::{_escape(text)}")


def _escape(text: str) -> str:
    """Text that does not end the line of an annotation, nor looks like an escape."""
    valid = text.encode("utf-8", "replace").decode("utf-8")
    return valid.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


#: by name of the output format
PRINTERS: dict[str, type[VerdictPrinter]] = {"text": _Text, "json": _Json, "sarif": _Sarif, "github": _GitHub}
