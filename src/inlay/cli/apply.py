"""`inlay apply`: set the edits of a model's reply into a project."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import click

from inlay.cli import reply as replies
from inlay.cli.diff import DiffLine, compare
from inlay.cli.reporting import Reporting
from inlay.cli.terminal import Painter, say
from inlay.flows.land import Landing, LandOptions, land
from inlay.model.change import Change
from inlay.model.match import Match
from inlay.storage import Workspace

_MOST_LINES = 400  # of one file's difference; who wants more asks git
_COLOURS = {"+": "green", "-": "red", "@": "cyan", "\\": "cyan"}


@click.command("apply")
@replies.ARGUMENT
@click.option("-C", "--root", default=".", metavar="DIR", help="The project's directory; nothing outside is touched.")
@replies.FORMAT
@click.option("--file", metavar="PATH", help="The file meant by edits that name none.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would happen and write nothing.")
@click.option("--strict", is_flag=True, help="Refuse fences and prose around the edits instead of passing over them.")
@click.option("--no-check", is_flag=True, help="Skip the checks of the result (syntax, shrinkage, leftover markers).")
@replies.JSON
@click.option("--feedback", is_flag=True, help="On refusal print the text that lets the model mend its reply.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing when all goes well.")
@click.pass_obj
def command(
    reporting: Reporting,
    reply: BinaryIO,
    root: str,
    format_name: str | None,
    file: str | None,
    dry_run: bool,
    strict: bool,
    no_check: bool,
    as_json: bool,
    feedback: bool,
    quiet: bool,
) -> None:
    """Set the edits of a model's reply into a project: all of them, or none and the reasons why.

    REPLY is a file with the reply as the model wrote it; without it, or with -, it is read from standard input.

    \b
    Examples:
      inlay apply reply.md
      inlay apply --dry-run -C ~/src/project reply.md
      pbpaste | inlay apply
      inlay apply --format udiff --json - < reply.diff
      inlay apply --file src/app.py reply.md     the reply does not say which file
      inlay apply --feedback reply.md            what to send back to the model

    Exits with 0 when every edit landed or already had, 3 when the reply was refused, 4 when a file changed under
    our hands, 5 when the disk or the system is at fault.
    """
    reporting.audience = "program" if as_json else "model" if feedback else "person"
    workspace = Workspace(root)
    options = LandOptions(format_name, _below(workspace.root, file), strict, not no_check, dry_run)
    landing = land(replies.read(reply), workspace, options=options)
    if as_json:
        click.echo(json.dumps(_as_json(landing)))
    elif not quiet:
        _tell(landing)


def _below(root: Path, file: str | None) -> str | None:
    """What the user typed, relative to the root; a shell completes to absolute paths, and a person may mean them."""
    if file is None or not Path(file).is_absolute() or not Path(file).is_relative_to(root):
        return file
    return Path(file).relative_to(root).as_posix()


def _tell(landing: Landing) -> None:
    paint = Painter(sys.stdout)
    for change in landing.changes.changes:
        say("\n".join(_change_lines(change, paint)))
    aside = Painter(sys.stderr)
    for warning in _warnings(landing):
        say(f"{aside('!', 'yellow')} {aside(warning)}", err=True)
    say(paint(_summary(landing), "green", bold=True))


def _warnings(landing: Landing) -> list[str]:
    found = [f"{f.path}{f':{f.line}' if f.line else ''}: {f.message} [{f.code}]" for f in landing.findings]
    return [*dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings)), *found]


def _summary(landing: Landing) -> str:
    changed = sum(not change.is_noop for change in landing.changes.changes)
    if not changed:
        return "Nothing to do: everything is already in place."
    files = "1 file" if changed == 1 else f"{changed} files"
    if landing.receipt is None:
        return f"Dry run: {files} would change, nothing was written."
    return f"Done: {files} changed."


def _change_lines(change: Change, paint: Painter) -> list[str]:
    lines = [] if change.is_noop else _diff_lines(change, paint)
    moved = f" → {change.move_to}" if change.move_to else ""
    lines.append(f"{paint('✔', 'green')} {paint(f'{change.path}{moved}', bold=True)} {_action(change)}")
    lines += [f"    {paint(_match_line(match))}" for match in change.matches]
    return lines


def _diff_lines(change: Change, paint: Painter) -> list[str]:
    before = f"a/{change.path}" if change.before else "/dev/null"
    after = f"b/{change.target}" if change.after is not None else "/dev/null"
    lines = [paint(f"--- {before}", bold=True), paint(f"+++ {after}", bold=True)]
    found = compare(change.before.text if change.before else "", change.after or "")
    lines += [_diff_line(line, paint) for line in islice(found, _MOST_LINES)]
    cut = sum(1 for _ in found)
    return lines + ([paint(f"… {cut} more lines of difference", dim=True)] if cut else [])


def _diff_line(line: DiffLine, paint: Painter) -> str:
    sign = "" if line.kind in "@\\" else line.kind
    return paint(f"{sign}{line.text}", _COLOURS.get(line.kind))


def _match_line(match: Match) -> str:
    lines = f"line {match.line}" if match.end_line <= match.line else f"lines {match.line}-{match.end_line}"
    adapted = f" ({', '.join(match.adapted)})" if match.adapted else ""
    description = f": {match.description}" if match.description else ""
    return f"edit {match.edit} at {lines} by rule '{match.rule}'{adapted}{description}"


def _action(change: Change) -> str:
    if change.is_noop:
        return "unchanged"
    if change.before is None:
        return "created"
    if change.after is None:
        return "deleted"
    return "moved" if change.move_to else "updated"


def _as_json(landing: Landing) -> dict[str, Any]:
    changed = any(not change.is_noop for change in landing.changes.changes)
    status = "unchanged" if not changed else "applied" if landing.receipt else "dry-run"
    return {
        "status": status,
        "format": landing.reading.format,
        "files": [_file_as_json(change) for change in landing.changes.changes],
        "findings": [{**asdict(finding), "path": str(finding.path)} for finding in landing.findings],
        "warnings": [*dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings))],
    }


def _file_as_json(change: Change) -> dict[str, Any]:
    return {
        "path": str(change.path),
        "action": _action(change),
        "move_to": str(change.move_to) if change.move_to else None,
        "edits": [asdict(match) for match in change.matches],
        "before": change.before.digest if change.before else None,
        "after": _digest(change.content),
    }


def _digest(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()
