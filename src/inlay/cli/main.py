"""The entry point: finds the command, and turns every ending into an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from inlay.cli.lazy import LazyGroup
from inlay.cli.output.error_report import Reporting, report
from inlay.codes import EXIT_CODES
from inlay.errors import EnvironmentFailure, InlayError

SECTIONS = {
    "Apply": {
        "apply": ("inlay.cli.commands.apply", "Apply the edits in a model's reply."),
        "write": ("inlay.cli.commands.write", "Write content to a file."),
        "parse": ("inlay.cli.commands.parse", "Show the edits in a reply without applying them."),
        "engine": ("inlay.cli.commands.engine", "Apply replies over JSON lines, for editors and agents."),
        "approve": ("inlay.cli.commands.approve", "Review changes waiting for approval."),
    },
    "History": {
        "history": ("inlay.cli.commands.history", "List applied changes."),
        "show": ("inlay.cli.commands.show", "Show the diff of a change."),
        "undo": ("inlay.cli.commands.undo", "Undo a change."),
        "redo": ("inlay.cli.commands.redo", "Redo the last undone change."),
        "recover": ("inlay.cli.commands.recover", "Roll back interrupted writes."),
        "log": ("inlay.cli.commands.log", "Show the audit log."),
        "gc": ("inlay.cli.commands.gc", "Delete old backups."),
    },
    "Generate": {
        "edit": ("inlay.cli.commands.edit", "Have a model edit files, and apply its answer."),
        "prompt": ("inlay.cli.commands.prompt", "List the prompts, or show one."),
        "stats": ("inlay.cli.commands.stats", "Show model usage and cost for this project."),
    },
    "Commits": {"commits": ("inlay.cli.commands.commits", "Write, check and plan commit messages.")},
    "Implement": {
        "spec": ("inlay.cli.commands.spec", "Create, show and check design documents."),
        "implement": ("inlay.cli.commands.implement", "Turn design documents into code."),
        "resume": ("inlay.cli.commands.resume", "Resume an interrupted run."),
        "runs": ("inlay.cli.commands.runs", "List the runs of `inlay implement`."),
    },
    "Set up": {
        "config": ("inlay.cli.commands.config", "Show the settings."),
        "formats": ("inlay.cli.commands.formats", "List the edit formats and their prompts."),
        "mcp": ("inlay.cli.commands.mcp", "Serve the agent tools over MCP."),
        "model": ("inlay.cli.commands.model", "Download, list and delete local models."),
        "models": ("inlay.cli.commands.models", "List available models."),
    },
}
_MEANINGS = [f"{code} {meaning}" for code, meaning in EXIT_CODES.items()]


@click.group(
    cls=LazyGroup,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="[--help] [--version]",
    epilog=f"""\b
Example: pbpaste | inlay apply --dry-run   (more: inlay COMMAND --help)
Exit codes: {"; ".join(_MEANINGS[:4])};
{"; ".join(_MEANINGS[4:6])};
{"; ".join(_MEANINGS[6:])}""",
)
@click.version_option(package_name="inlay", prog_name="inlay")
def cli() -> None:
    """Apply a language model's code edits to a repository: exactly where they belong, or not at all."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    sys.exit(_run(sys.argv[1:] if args is None else list(args), Reporting()))


def _run(args: list[str], reporting: Reporting) -> int:
    try:
        signal.signal(signal.SIGTERM, lambda signum, frame: sys.exit(128 + signum))
        if sys.platform not in ("linux", "darwin"):
            raise EnvironmentFailure(f"Inlay runs on Linux and macOS; this is {sys.platform}")
        if "_INLAY_COMPLETE" in os.environ:
            cli.main(args, prog_name="inlay")  # a shell asks for completions
        # Not through click's own main, which would handle broken pipes and interrupts itself.
        with cli.make_context("inlay", args, obj=reporting) as context:
            cli.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except InlayError as error:
        return _report(error, reporting)
    except (KeyboardInterrupt, click.Abort):
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _silence()
        return 0
    except Exception as error:  # noqa: BLE001 - the one catch-all: anything else is an internal error
        return _report_internal(error)


def _report(error: InlayError, reporting: Reporting) -> int:
    try:
        report(error, reporting)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    return error.exit_code


def _report_internal(error: Exception) -> int:
    if os.environ.get("INLAY_DEBUG"):
        raise error
    click.echo(
        f"inlay: internal error: {type(error).__name__}: {error}\n"
        "Please report it with the reply (set INLAY_DEBUG=1 for a traceback). Nothing more was written.",
        err=True,
    )
    return 70


def _silence() -> None:
    """The reader is gone: keep the interpreter from complaining when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
