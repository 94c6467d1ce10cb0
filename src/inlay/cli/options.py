"""The options that several commands share; a group of them reaches the command as one dataclass."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import safe, say
from inlay.model.allowance import ALLOWANCES
from inlay.model.settings import LOCK_WAIT

if TYPE_CHECKING:
    from inlay.landing.decisions_json import GivenDecisions

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _report_as_json(ctx: click.Context, param: click.Parameter, as_json: bool) -> bool:
    reporting = ctx.find_object(Reporting)
    if as_json and reporting is not None:
        reporting.audience = "program"
    return as_json


def _format_name(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    from inlay.engine.formats.all_formats import format_named

    try:
        return format_named(name).name
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


class Root(str):
    """The project's directory, and where the command was started below it; names of files are relative to that."""

    directory: str = ""  #: POSIX; empty at the root, and where the root was given


def project(ctx: click.Context, given: str | None) -> Root:
    """The project to work in: the one that was given, or the one that the current directory is in."""
    if given is not None:
        return Root(given)
    from inlay.storage.paths import project_root

    found = project_root.find()
    # At the root itself names stay as short as a person would type them.
    root = Root("." if found.path == os.getcwd() else found.path)
    root.directory = found.directory
    if found.strays:
        ctx.call_on_close(lambda: _mention(found.strays, ctx.params))
    return root


def _root(ctx: click.Context, param: click.Parameter, given: str | None) -> Root:
    return project(ctx, given)


def _mention(strays: tuple[str, ...], params: dict[str, Any]) -> None:
    """A project has one history; an older one in a directory below is neither used nor hidden."""
    if params.get("quiet") or params.get("as_json"):
        return
    for folder in strays:
        advice = f"`inlay history -C {safe(folder)}` shows what was written there; undo and recover work the same way"
        say(f"note: {safe(folder)} has an .inlay of its own, which is not used here; {advice}", err=True)


def _decisions(ctx: click.Context, param: click.Parameter, file: Any) -> GivenDecisions | None:
    if file is None:
        return None
    from inlay.landing.decisions_json import read_decisions

    try:
        with file:
            return read_decisions(file.read())
    except (ValueError, IsADirectoryError) as error:
        raise click.BadParameter(str(error)) from None


_ROOT_HELP = """Project directory; nothing outside is touched. By default the top of the git repository, else the
nearest directory with .inlay, else the current one."""
ROOT = click.option("-C", "--root", metavar="DIR", callback=_root, help=_ROOT_HELP)
GROUP_ROOT = click.option("-C", "--root", metavar="DIR", help=_ROOT_HELP)  #: a subcommand has its own; see `project`
JSON = click.option("--json", "as_json", is_flag=True, callback=_report_as_json, help="Print JSON; see docs/json.md.")
QUIET = click.option("-q", "--quiet", is_flag=True, help="Suppress output on success.")
WAIT = click.option(
    "--wait",
    default=LOCK_WAIT,
    metavar="SECONDS",
    type=click.FloatRange(0),
    help="How long to wait for another writer.",
)
DRY_RUN = click.option("-n", "--dry-run", is_flag=True, help="Show what would change and write nothing.")
ALLOW = click.option(
    "--allow",
    type=click.Choice(list(ALLOWANCES)),
    multiple=True,
    callback=lambda ctx, param, names: frozenset(names),
    help="Accept as content what is taken for markup of a reply; may be given twice.",
)
NO_CHECK = click.option("--no-check", is_flag=True, help="Skip the checks of the result (syntax, leftover markers).")
MOST = click.option(
    "-n", "--most", default=20, show_default=True, type=click.IntRange(0), help="List at most this many; 0 for all."
)
RECORD = click.option(
    "--record", type=click.Path(dir_okay=False), metavar="FILE", help="Record the model's answers for replay."
)
IGNORE = click.option(
    "--ignore", multiple=True, metavar="GLOB", help="Leave out the diffs of these files; a glob, @lock or @generated."
)

REPLY = click.argument("reply", type=click.File("rb"), default="-", metavar="[REPLY | -]")
REPLY_FORMAT = click.option(
    "--format",
    "format_name",
    metavar="F",
    callback=_format_name,
    help="Format of the reply, by name or alias; detected by default.",
)
STRICT = click.option(
    "--strict", is_flag=True, help="Refuse fences and prose around the edits instead of ignoring them."
)
DOCUMENTS = click.argument("documents", nargs=-1, required=True, metavar="DOC...")

MODEL = click.option("--model", metavar="NAME", help="Model to use, as provider:name; see `inlay models`.")
EDIT_FORMAT = click.option("--format", "format", metavar="NAME", help="Edit format to request; see `inlay formats`.")

AUTO = click.option("--auto", is_flag=True, help="Never ask: fail and list the files that need approval.")
FORCE = click.option("--force", is_flag=True, help="Approve everything that needs approval.")
YES = click.option(
    "-y", "--yes", is_flag=True, help="Approve small deletions (up to the threshold of lines). Does not imply --force."
)


def _group(parameter: str, kind: type[object], *options: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    """A decorator that adds `options` and passes their values as one `kind` under the name `parameter`."""

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def grouped(*args: Any, **values: Any) -> Any:
            group = kind(**{field.name: values.pop(field.name) for field in fields(kind)})  # type: ignore[arg-type]
            return command(*args, **values, **{parameter: group})

        for option in reversed(options):
            option(grouped)
        return grouped  # type: ignore[return-value]

    return decorate


@dataclass(frozen=True, slots=True)
class Output:
    """For whom a command prints, and how much."""

    as_json: bool
    quiet: bool

    @property
    def silent(self) -> bool:
        """Whether nothing may be shown on the way to the result."""
        return self.quiet or self.as_json


output = _group("output", Output, JSON, QUIET)


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """Which model to ask, and how much that may take; None where the configuration decides."""

    model: str | None
    max_attempts: int | None
    max_tokens: int | None
    max_cost: float | None
    max_seconds: float | None


model_limits = _group(
    "limits",
    ModelLimits,
    MODEL,
    click.option("--max-attempts", type=click.IntRange(1), metavar="N", help="Attempts per request (default 3)."),
    click.option("--max-tokens", type=click.IntRange(0), metavar="N", help="Total token limit."),
    click.option("--max-cost", type=click.FloatRange(0), metavar="USD", help="Total cost limit in dollars."),
    click.option("--max-seconds", type=click.FloatRange(0), metavar="S", help="Total time limit for requests."),
)


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approves changes that need it: flags, a file, or the person at the terminal."""

    auto: bool
    force: bool
    yes: bool
    decisions: GivenDecisions | None
    threshold: int | None  #: None for the configured number


approval = _group(
    "approval",
    Approval,
    AUTO,
    FORCE,
    YES,
    click.option(
        "--decisions",
        type=click.File(encoding="utf-8"),
        metavar="FILE",
        callback=_decisions,
        help="Read decisions from a JSON file; see docs/approval.md.",
    ),
    click.option(
        "--threshold",
        type=click.IntRange(min=0),
        metavar="LINES",
        help="Replacing a longer file needs approval; 100 unless configured.",
    ),
)


@dataclass(frozen=True, slots=True)
class Logging:
    verbose: bool
    log: str | None


logging = _group(
    "logging",
    Logging,
    click.option("-v", "--verbose", is_flag=True, help="Log every step to standard error."),
    click.option("--log", type=click.Path(dir_okay=False), metavar="FILE", help="Append every step to FILE."),
)
