"""Who decides when a command needs a decision: a flag, a file, the person at the terminal, or nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from inlay.cli.ask.approval_question import ApprovalPrompt
from inlay.cli.ask.dialogue import Dialogue
from inlay.landing.decisions_json import GivenDecisions, read_decisions
from inlay.model.change import ChangeSet
from inlay.model.decision import Approve, Decision, Need

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Consent:
    """What the command line says about deciding."""

    auto: bool
    force: bool
    yes: bool
    threshold: int | None
    decisions: GivenDecisions | None


def _read(ctx: click.Context, param: click.Parameter, file: Any) -> GivenDecisions | None:
    if file is None:
        return None
    try:
        with file:
            return read_decisions(file.read())
    except (ValueError, IsADirectoryError) as error:
        raise click.BadParameter(str(error)) from None


_OPTIONS = (
    click.option("--auto", is_flag=True, help="Ask nobody: fail with the list of files that need a decision."),
    click.option("--force", is_flag=True, help="Consent to everything that needs a decision."),
    click.option("-y", "--yes", is_flag=True, help="Consent to what is small; never to what --force is for."),
    click.option(
        "--decisions",
        type=click.File(encoding="utf-8"),
        metavar="FILE",
        callback=_read,
        help="Take decisions from JSON; see docs/approval.md.",
    ),
    click.option(
        "--threshold",
        type=click.IntRange(min=0),
        default=None,
        metavar="LINES",
        help="Replacing a longer file needs a decision; 100 unless configured.",
    ),
)


def options(command: _Command) -> _Command:
    """The options by which a command is told who decides."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether an option was on the command line, so that it stands above what is configured."""
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def approver(consent: Consent, *, check: bool, dry_run: bool, as_json: bool) -> Approve | None:
    """Whom to ask; None where there is nobody, and what needs a decision then fails."""
    ask: Approve | None = None
    # A program that reads our output cannot answer a question, whatever terminal it was started from.
    dialogue = None if consent.auto or as_json else Dialogue.find()
    if dialogue is not None:
        ask = _rehearsed if dry_run else ApprovalPrompt(dialogue, check=check, yes=consent.yes)
    return ask if consent.decisions is None else _first(consent.decisions, ask)


def _rehearsed(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
    """A rehearsal in front of a person asks nothing; it shows what would be asked."""
    return [Decision(need.path) for need in needs]


def _first(given: GivenDecisions, ask: Approve | None) -> Approve:
    """The given decisions, and for what they leave open the question."""

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        decisions = list(given(needs, changes))
        covered = {decision.path for decision in decisions}
        rest = tuple(need for need in needs if not covered & {need.path, None})
        return [*decisions, *ask(rest, changes)] if rest and ask else decisions

    return approve
