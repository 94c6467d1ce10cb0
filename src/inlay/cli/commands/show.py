"""`inlay show`: what one change did, as a difference."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import click

from inlay.cli import reply_input as replies
from inlay.cli.output import receipt_text
from inlay.cli.output.diff_text import change_lines
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.model.change import Change
from inlay.model.file import File, decode
from inlay.model.receipt import Contents


@click.command("show")
@click.argument("number", metavar="ID")
@ROOT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, number: str, root: str, as_json: bool) -> None:
    """Show what the change with the number ID did, as a difference.

    \b
    Examples:
      inlay show 12
      inlay show 12 --json | jq -r '.files[0].before_content' | base64 -d > before.py

    Exits with 0, or with 2 when there is no such change.
    """
    reporting.audience = "program" if as_json else "person"
    workspace = receipt_text.opened(root)
    receipt, contents = workspace.receipt(number), workspace.contents(number)
    if as_json:
        told = receipt_text.as_json(receipt)
        files = [{**file, **_content_as_json(one)} for file, one in zip(told["files"], contents, strict=True)]
        click.echo(json.dumps({**told, "files": files}))
        return
    paint = Painter(sys.stdout)
    say(paint(f"change {receipt.id}  {receipt.time}  {receipt.kind}  {receipt.summary}".rstrip(), "yellow"))
    for one in contents:
        say("\n".join(_lines(one, paint)))


def _content_as_json(contents: Contents) -> dict[str, Any]:
    def text(data: bytes | None) -> str | None:
        return None if data is None else base64.b64encode(data).decode()

    return {
        "before_content": text(contents.before),
        "after_content": text(contents.after),
        "lost": contents.lost,
    }


def _lines(contents: Contents, paint: Painter) -> list[str]:
    head = receipt_text.file_line(contents.written, paint)
    if contents.lost:
        return [head, paint("  its backup has been dropped, so there is no difference to show", dim=True)]
    change = _change(contents)
    if change is None:
        return [head, paint("  not text", dim=True)]
    return [head, *change_lines(change, paint)]


def _change(contents: Contents) -> Change | None:
    written = contents.written
    source = written.source or written.path
    before = decode(contents.before) if contents.before is not None else ("", None)
    after = decode(contents.after) if contents.after is not None else ("", None)
    if before is None or after is None:
        return None
    old = File.of(str(source), contents.before) if contents.before is not None else None
    new = after[0] if contents.after is not None else None
    return Change(source, old, new, move_to=written.path if written.source else None)
