"""`inlay approve`: review changes that an agent's tool call left waiting for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from inlay.cli import options
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.output.landing_text import open_workspace, print_landing
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.errors import NeedsDecision

if TYPE_CHECKING:
    from inlay.model.pending import Pending
    from inlay.storage import Workspace


@click.command("approve")
@click.argument("plan", required=False, metavar="[ID]")
@options.ROOT
@click.option("--show", is_flag=True, help="Show the diff and decide nothing.")
@click.option("--deny", is_flag=True, help="Discard the change; nothing is written.")
@click.option("-y", "--yes", is_flag=True, help="Approve without being asked, where there is no terminal.")
@options.WAIT
@options.JSON
def command(plan: str | None, root: str, show: bool, deny: bool, yes: bool, wait: float, as_json: bool) -> None:
    """Review changes waiting for approval, which an agent's tool could not write by itself.

    Without ID the waiting changes are listed. With ID the diff is shown and you are asked; your yes writes exactly
    these bytes, and only while the files are unchanged. An agent with a shell could pass --yes itself: do not let it
    run `inlay approve` unattended.

    \b
    Examples:
      inlay approve                        list what is waiting
      inlay approve 3f8a21c09b7e           review and decide
      inlay approve 3f8a21c09b7e --deny

    Exit codes: 0 done; 2 no such change; 4 a file changed meanwhile, or there is nobody to ask.
    """
    from inlay.landing import approve_pending
    from inlay.render.change import change_json
    from inlay.render.pending import pending_json

    workspace = open_workspace(root, wait)
    if plan is None:
        _list(approve_pending.waiting(workspace), as_json)
        return
    if deny:
        dropped = approve_pending.drop(plan, workspace).id
        if as_json:
            say_json({"status": "denied", "plan": dropped})
        else:
            say(Painter()(f"Change {plan} was discarded.", "green"))
        return
    pending = approve_pending.find(plan, workspace)
    if show and as_json:
        changes = approve_pending.changes_of(pending, workspace).changes
        say_json({**pending_json(pending), "files": [change_json(change) for change in changes]})
        return
    if show:
        say("\n".join(_lines(pending, workspace, Painter())))
        return
    dialogue = None if as_json or yes else Dialogue.find()
    if dialogue is None and not yes:
        raise NeedsDecision(f"change {plan} waits for approval, and there is nobody to ask; approve it with --yes")
    if dialogue is not None:
        dialogue.show(*_lines(pending, workspace, dialogue.paint))
        if not dialogue.confirm("Write this?"):
            raise NeedsDecision(f"nothing was written; change {plan} keeps waiting, --deny discards it")
    print_landing(approve_pending.carry_out(plan, workspace), as_json=as_json)


def _lines(pending: Pending, workspace: Workspace, paint: Painter) -> list[str]:
    from inlay.cli.output.diff_text import change_lines
    from inlay.landing import approve_pending

    lines = [paint(f"change {pending.id}  {pending.time}  {pending.tool}", "yellow")]
    lines += [f"{paint('?', 'yellow')} {paint(reason)}" for reason in pending.reasons]
    for change in approve_pending.changes_of(pending, workspace).changes:
        lines += change_lines(change, paint)
    return lines


def _list(waiting: tuple[Pending, ...], as_json: bool) -> None:
    from inlay.render.pending import pending_json

    if as_json:
        say_json([pending_json(pending) for pending in waiting])
        return
    paint = Painter()
    for pending in waiting:
        say(f"{paint(pending.id, 'yellow', bold=True)}  {pending.time}  {pending.tool}")
        say("\n".join(f"  {paint(reason)}" for reason in pending.reasons))
    if not waiting:
        say("Nothing is waiting for approval.")
