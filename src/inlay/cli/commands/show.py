"""`inlay show`: what one change did, as a diff."""

from __future__ import annotations

import base64
import json
import sys
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.cli.output.terminal import Painter, say

if TYPE_CHECKING:
    from inlay.model.change import Change
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
    from inlay.cli.output.landing_text import open_workspace, receipt_as_json

    workspace = open_workspace(root)
    receipt, contents = workspace.receipt(number), workspace.contents(number)
    if as_json:
        shown = receipt_as_json(receipt)
        files = [{**file, **_content_as_json(one)} for file, one in zip(shown["files"], contents, strict=True)]
        click.echo(json.dumps({**shown, "files": files}))
        return
    paint = Painter(sys.stdout)
    say(paint(f"change {receipt.id}  {receipt.time}  {receipt.kind}  {receipt.summary}".rstrip(), "yellow"))
    for one in contents:
        say("\n".join(_lines(one, paint)))


def _content_as_json(contents: Contents) -> dict[str, Any]:
    def encoded(data: bytes | None) -> str | None:
        return None if data is None else base64.b64encode(data).decode()

    return {
        "before_content": encoded(contents.before),
        "after_content": encoded(contents.after),
        "lost": contents.lost,
    }


def _lines(contents: Contents, paint: Painter) -> list[str]:
    from inlay.cli.output.diff_text import change_lines
    from inlay.cli.output.landing_text import file_line

    head = file_line(contents.written, paint)
    if contents.lost:
        return [head, paint("  no diff: the backup was deleted", dim=True)]
    change = _change(contents)
    if change is None:
        return [head, paint("  no diff: not text", dim=True)]
    return [head, *change_lines(change, paint)]


def _change(contents: Contents) -> Change | None:
    """What was written, as a change; None where it is not text."""
    from inlay.model.change import Change
    from inlay.model.file import File, decode

    written = contents.written
    source = written.source or written.path
    before = decode(contents.before) if contents.before is not None else ("", None)
    after = decode(contents.after) if contents.after is not None else ("", None)
    if before is None or after is None:
        return None
    old = File.of(str(source), contents.before) if contents.before is not None else None
    new = after[0] if contents.after is not None else None
    return Change(source, old, new, move_to=written.path if written.source else None)
