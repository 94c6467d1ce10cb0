"""The entry point: finds the command, and turns every way to end into an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from inlay.cli.lazy import LazyGroup
from inlay.cli.output.error_report import Reporting, report
from inlay.errors import EnvironmentFailure, InlayError

_BUG = 70
_INTERRUPTED = 128 + signal.SIGINT
_TERMINATED = 128 + signal.SIGTERM

COMMANDS = {
    "apply": ("inlay.cli.commands.apply", "Set the edits of a model's reply into a project."),
    "approve": ("inlay.cli.commands.approve", "Answer a plan: a change that an agent's tool put off."),
    "commits": ("inlay.cli.commands.commits", "Write, check and plan commit messages."),
    "config": ("inlay.cli.commands.config", "Show every setting, or the one named KEY."),
    "edit": ("inlay.cli.commands.edit", "Have a model change FILEs as the instruction says."),
    "engine": ("inlay.cli.commands.engine", "Apply replies over JSON lines, for editors and agents."),
    "formats": ("inlay.cli.commands.formats", "List the edit formats with the prompts that teach them."),
    "gc": ("inlay.cli.commands.gc", "Drop old backups."),
    "history": ("inlay.cli.commands.history", "List the changes that were written."),
    "implement": ("inlay.cli.commands.implement", "Turn design documents into code."),
    "log": ("inlay.cli.commands.log", "Show the audit log."),
    "mcp": ("inlay.cli.commands.mcp", "Serve the agent tools over MCP."),
    "model": ("inlay.cli.commands.model", "Fetch, list and delete models that run on this machine."),
    "models": ("inlay.cli.commands.models", "List what can be asked from here."),
    "parse": ("inlay.cli.commands.parse", "Show what a reply asks for, without looking at any file."),
    "prompt": ("inlay.cli.commands.prompt", "List the prompts, or show one."),
    "recover": ("inlay.cli.commands.recover", "Take back changes that were cut short."),
    "redo": ("inlay.cli.commands.redo", "Take back the last undo."),
    "resume": ("inlay.cli.commands.resume", "Go on with a run exactly where it was."),
    "runs": ("inlay.cli.commands.runs", "List the runs of `inlay implement`."),
    "show": ("inlay.cli.commands.show", "Show what the change with the number ID did."),
    "spec": ("inlay.cli.commands.spec", "Write, read and check design documents."),
    "stats": ("inlay.cli.commands.stats", "Show what asking models took in this project."),
    "undo": ("inlay.cli.commands.undo", "Take back a change."),
    "write": ("inlay.cli.commands.write", "Write content to a file of the project."),
}


@click.group(
    cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="inlay", prog_name="inlay")
def cli() -> None:
    """Set a language model's code edits into a repository: flush, exactly where they belong, or not at all.

    \b
    Examples:
      inlay apply reply.md                    land a reply in the current directory
      pbpaste | inlay apply --dry-run         see what a copied reply would do
      inlay edit src/app.py -m "add a limit"  have a model make a change
      inlay implement design.md               from a design document to green tests
      inlay commits check main..HEAD --ai     do the messages say what the diffs do?
      inlay mcp install --client claude-code  give an agent the tools

    \b
    Exit codes:
      0 done                    4 approval required
      1 problems found          5 disk, system or provider error
      2 wrong usage             6 incomplete: some items unchecked
      3 reply refused           70 internal error
    """


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave the process."""
    reporting = Reporting()
    sys.exit(_run(args, reporting))


def _run(args: Sequence[str] | None, reporting: Reporting) -> int:
    try:
        signal.signal(signal.SIGTERM, _terminate)
        _require_platform()
        _dispatch(sys.argv[1:] if args is None else list(args), reporting)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except InlayError as error:
        return _reported(error, reporting)
    except (KeyboardInterrupt, click.Abort):
        return _INTERRUPTED
    except BrokenPipeError:
        _silence()
        return 0
    except Exception as error:  # noqa: BLE001 - the one catch-all: whatever else comes here is our own fault
        return _bug(error)


def _dispatch(args: list[str], reporting: Reporting) -> None:
    if "_INLAY_COMPLETE" in os.environ:
        cli.main(args, prog_name="inlay")  # a shell asks for completions
    # Not through click's own main, which would decide about broken pipes and interrupts before we can.
    with cli.make_context("inlay", args, obj=reporting) as context:
        cli.invoke(context)


def _reported(error: InlayError, reporting: Reporting) -> int:
    try:
        report(error, reporting)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    return error.exit_code


def _require_platform() -> None:
    if sys.platform not in ("linux", "darwin"):
        raise EnvironmentFailure(f"Inlay runs on Linux and macOS; this is {sys.platform}")


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    sys.exit(_TERMINATED)


def _silence() -> None:
    """Nobody reads on: keep the interpreter from complaining when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: Exception) -> int:
    if os.environ.get("INLAY_DEBUG"):
        raise error
    click.echo(
        f"inlay: a bug of ours, not of your reply: {type(error).__name__}: {error}\n"
        "Nothing more was written. Set INLAY_DEBUG=1 to see where it happened, and please report it with the reply.",
        err=True,
    )
    return _BUG
