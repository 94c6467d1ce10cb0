"""`inlay show`: what one change did, as a diff."""

from __future__ import annotations

import base64

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace
from inlay.cli.output.terminal import Painter, say, say_json


@click.command("show")
@click.argument("number", metavar="ID")
@options.ROOT
@options.JSON
def command(number: str, root: str, as_json: bool) -> None:
    """Show the diff of a change. ID is its number in `inlay history`.

    \b
    Examples:
      inlay show 12
      inlay show 12 --json | jq -r '.files[0].before_content' | base64 -d > before.py

    Exit codes: 0 shown; 2 no such change.
    """
    from inlay.cli.output.diff_text import change_lines
    from inlay.render.receipt import contents_change, receipt_json, written_text

    workspace = open_workspace(root)
    receipt, contents = workspace.receipt(number), workspace.contents(number)
    if as_json:
        shown = receipt_json(receipt)
        for file, content in zip(shown["files"], contents, strict=True):
            file["before_content"], file["after_content"] = _encoded(content.before), _encoded(content.after)
            file["lost"] = content.lost
            file["mode"] = change.git_mode if (change := contents_change(content)) else None
        say_json(shown)
        return
    paint = Painter()
    say(paint(f"change {receipt.id}  {receipt.time}  {receipt.kind}  {receipt.summary}".rstrip(), "yellow"))
    for content in contents:
        say(f"  {paint(written_text(content.written))}")
        if (change := contents_change(content)) is not None:
            say("\n".join(change_lines(change, paint)))
        else:
            reason = "the backup was deleted" if content.lost else "not text"
            say(paint(f"  no diff: {reason}", dim=True))


def _encoded(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()
