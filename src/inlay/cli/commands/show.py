"""`inlay show`: what one change did, as a diff."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.cli.output.landing_text import open_workspace
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.model.receipt import Contents


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
    from inlay.render.receipt import receipt_json

    workspace = open_workspace(root)
    receipt, contents = workspace.receipt(number), workspace.contents(number)
    if as_json:
        shown = receipt_json(receipt)
        files = [{**file, **_content_as_json(one)} for file, one in zip(shown["files"], contents, strict=True)]
        say_json({**shown, "files": files})
        return
    paint = Painter()
    say(paint(f"change {receipt.id}  {receipt.time}  {receipt.kind}  {receipt.summary}".rstrip(), "yellow"))
    for one in contents:
        say("\n".join(_lines(one, paint)))


def _content_as_json(contents: Contents) -> dict[str, Any]:
    def encoded(data: bytes | None) -> str | None:
        return None if data is None else base64.b64encode(data).decode()

    return {"before_content": encoded(contents.before), "after_content": encoded(contents.after), "lost": contents.lost}


def _lines(contents: Contents, paint: Painter) -> list[str]:
    from inlay.cli.output.diff_text import change_lines
    from inlay.render.receipt import contents_change, written_text

    head = f"  {paint(written_text(contents.written))}"
    change = contents_change(contents)
    if change is None:
        reason = "the backup was deleted" if contents.lost else "not text"
        return [head, paint(f"  no diff: {reason}", dim=True)]
    return [head, *change_lines(change, paint)]
