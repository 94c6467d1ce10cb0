"""How a failure is told: in colour to a person, as JSON to a program, as feedback to the model."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

import click

from inlay.cli.output.terminal import Painter, hidden, safe, say
from inlay.errors import (
    ImplementationError,
    InlayError,
    Misfit,
    Nearest,
    NeedsDecision,
    ReplyRejected,
    SafeFileWriteError,
)

Audience: TypeAlias = Literal["person", "program", "model"]

_MOST_SHOWN = 20


@dataclass(slots=True)
class Reporting:
    """Whom the running command talks to; set by the command, read when something fails."""

    audience: Audience = "person"


def report(error: InlayError, reporting: Reporting) -> None:
    """Tell a failure: to a person on the error stream, to a program or a model on standard output."""
    if reporting.audience == "program":
        click.echo(hidden(json.dumps(as_json(error))))
    elif reporting.audience == "model" and isinstance(error, ReplyRejected):
        click.echo(hidden(error.feedback()), nl=False)
    elif isinstance(error, ReplyRejected):
        _tell_refusal(error)
    elif isinstance(error, SafeFileWriteError):
        _tell_undecided(error)
    else:
        paint = Painter(sys.stderr)
        head = "Needs a decision: " if isinstance(error, NeedsDecision) else "Failed: "
        say(paint(head, "yellow", bold=True) + safe(str(error)), err=True)


def as_json(error: InlayError) -> dict[str, Any]:
    """A failure for programs; the keys are documented in docs/json.md."""
    if isinstance(error, ReplyRejected):
        return {
            "status": "refused",
            "kind": "patch_error",
            "error": type(error).__name__,
            "message": str(error),
            "misfits": [asdict(misfit) for misfit in error.misfits],
            "feedback": error.feedback(),
        }
    status = "needs-decision" if isinstance(error, NeedsDecision) else "failed"
    told: dict[str, Any] = {"status": status, "error": type(error).__name__, "message": str(error)}
    if isinstance(error, ImplementationError):
        return {**told, "attempts": error.attempts, "cause": as_json(error.cause)}
    return told | _undecided(error) if isinstance(error, SafeFileWriteError) else told


def _undecided(error: SafeFileWriteError) -> dict[str, Any]:
    """What a program needs to have the decisions made elsewhere."""
    from inlay.cli.output.landing_text import file_as_json, need_as_json
    from inlay.model.change import ChangeSet
    from inlay.model.decision import Need, fingerprint

    assert isinstance(error.changes, ChangeSet)
    return {
        "digest": fingerprint(error.changes),
        "files": [file_as_json(change) for change in error.changes.changes],
        "needs": [need_as_json(need) for need in error.needs if isinstance(need, Need)],
    }


def _tell_undecided(error: SafeFileWriteError) -> None:
    from inlay.model.decision import Need

    paint = Painter(sys.stderr)
    lines = [paint("Needs a decision: nothing was written.", "yellow", bold=True)]
    for need in error.needs:
        assert isinstance(need, Need)
        lines += ["", f"{paint('?', 'yellow')} {paint(f'{need.path}: ', bold=True)}{paint(need.headline)}"]
        lines += [f"  {paint(f'{reason.message} [{reason.code}]')}" for reason in need.shown_reasons]
    advice = "Decide at a terminal, with --decisions FILE, or consent to all of it with --force."
    say("\n".join([*lines, "", f"{paint('→', 'cyan')} {paint(advice)}"]), err=True)


def _tell_refusal(error: ReplyRejected) -> None:
    paint = Painter(sys.stderr)
    lines = [paint("Refused: nothing was changed.", "red", bold=True)]
    for misfit in error.misfits:
        lines += ["", *_misfit_lines(misfit, paint)]
    say("\n".join(lines), err=True)


def _misfit_lines(misfit: Misfit, paint: Painter) -> list[str]:
    where = " of ".join(part for part in (f"edit {misfit.edit}" if misfit.edit else "", misfit.path) if part)
    lines = [f"{paint('✗', 'red')} {paint(where + ': ' if where else '', bold=True)}{paint(misfit.message)}"]
    lines[0] += paint(f" [{misfit.code}]", dim=True)
    if misfit.wanted:
        lines += ["  wanted:", *_quoted(misfit.wanted.split("\n"), paint)]
    if misfit.candidates:
        lines.append(f"  candidates: line {', '.join(map(str, misfit.candidates))}")
    if misfit.nearest:
        lines += _nearest_lines(misfit.nearest, paint)
    if misfit.advice:
        lines.append(f"  {paint('→', 'cyan')} {paint(misfit.advice)}")
    return lines


def _quoted(lines: list[str], paint: Painter) -> list[str]:
    shown = [f"    {paint(line, dim=True)}" for line in lines[:_MOST_SHOWN]]
    cut = len(lines) - _MOST_SHOWN
    return shown + ([f"    … {cut} more lines"] if cut > 0 else [])


def _nearest_lines(nearest: Nearest, paint: Painter) -> list[str]:
    lines = [f"  nearest place, line {nearest.line} ({paint('- the reply', 'red')}, {paint('+ the file', 'green')}):"]
    for i in range(min(max(len(nearest.found), len(nearest.wanted)), _MOST_SHOWN)):
        found = nearest.found[i] if i < len(nearest.found) else None
        wanted = nearest.wanted[i] if i < len(nearest.wanted) else None
        if found == wanted or (found is not None and i not in nearest.differing):
            lines.append(f"      {paint(found or '')}")
            continue
        lines += [f"    {paint(f'- {wanted}', 'red')}"] if wanted is not None else []
        lines += [f"    {paint(f'+ {found}', 'green')}"] if found is not None else []
    return lines
