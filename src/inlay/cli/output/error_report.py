"""How an error is reported: in colour to a person, as JSON to a program, as feedback to the model."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Literal, TypeAlias

import click

from inlay.cli.output.terminal import Painter, hidden, safe, say
from inlay.errors import InlayError, Misfit, Nearest, NeedsDecision, ReplyRejected, SafeFileWriteError
from inlay.render.error import error_json, misfit_place

Audience: TypeAlias = Literal["person", "program", "model"]

_MOST_SHOWN = 20


@dataclass(slots=True)
class Reporting:
    """Who reads the output of the running command; set by its options, read when it fails."""

    audience: Audience = "person"


def report(error: InlayError, reporting: Reporting) -> None:
    """Report an error: to a person on standard error, to a program or a model on standard output."""
    if reporting.audience == "program":
        click.echo(hidden(json.dumps(error_json(error))))
    elif reporting.audience == "model" and isinstance(error, ReplyRejected):
        click.echo(hidden(error.feedback()), nl=False)
    else:
        paint = Painter(sys.stderr)
        if isinstance(error, ReplyRejected):
            lines = [paint("Refused: nothing was changed.", "red", bold=True)]
            lines += [line for misfit in error.misfits for line in ("", *_misfit_lines(misfit, paint))]
        elif isinstance(error, SafeFileWriteError):
            lines = _need_lines(error, paint)
        else:
            head = "Action required: " if isinstance(error, NeedsDecision) else "Failed: "
            lines = [paint(head, "yellow", bold=True) + safe(str(error))]
        say("\n".join(lines), err=True)


def _need_lines(error: SafeFileWriteError, paint: Painter) -> list[str]:
    from inlay.model.decision import Need

    lines = [paint("Approval required: nothing was written.", "yellow", bold=True)]
    for need in error.needs:
        assert isinstance(need, Need)
        lines += ["", f"{paint('?', 'yellow')} {paint(f'{need.path}: ', bold=True)}{paint(need.headline)}"]
        lines += [f"  {paint(f'{reason.message} [{reason.code}]')}" for reason in need.reasons]
    advice = "Approve at a terminal, with --decisions FILE, or approve everything with --force."
    return [*lines, "", f"{paint('→', 'cyan')} {paint(advice)}"]


def _misfit_lines(misfit: Misfit, paint: Painter) -> list[str]:
    where = misfit_place(misfit)
    lines = [f"{paint('✗', 'red')} {paint(where + ': ' if where else '', bold=True)}{paint(misfit.message)}"]
    lines[0] += paint(f" [{misfit.code}]", dim=True)
    if misfit.wanted:
        wanted = misfit.wanted.split("\n")
        lines += ["  wanted:", *(f"    {paint(line, dim=True)}" for line in wanted[:_MOST_SHOWN])]
        lines += [f"    … {len(wanted) - _MOST_SHOWN} more lines"] if len(wanted) > _MOST_SHOWN else []
    if misfit.candidates:
        lines.append(f"  candidates: line {', '.join(map(str, misfit.candidates))}")
    if misfit.nearest:
        lines += _nearest_lines(misfit.nearest, paint)
    if misfit.advice:
        lines.append(f"  {paint('→', 'cyan')} {paint(misfit.advice)}")
    return lines


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
