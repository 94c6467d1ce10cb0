"""`inlay parse`: show the edits in a reply without reading any file."""

from __future__ import annotations

from dataclasses import asdict
from typing import BinaryIO, assert_never

import click

from inlay.cli import options
from inlay.cli.input import read_reply
from inlay.cli.output.terminal import Painter, say, say_json
from inlay.model.edit import Block, Create, Delete, Edit, Hunk, Overwrite, Part, Splice, Update


@click.command("parse")
@options.REPLY
@options.REPLY_FORMAT
@options.STRICT
@options.JSON
def command(reply: BinaryIO, format_name: str | None, strict: bool, as_json: bool) -> None:
    """Show the edits in a reply without applying them or reading any other file.

    REPLY is a file with the reply as the model wrote it; without it, or with -, standard input is read.

    \b
    Examples:
      inlay parse reply.md
      inlay parse --json - < reply.md
      inlay parse --format search_replace reply.md
    """
    from inlay.engine import formats
    from inlay.landing.reply_text import require_text

    text = read_reply(reply)
    require_text(text)
    reading = formats.read(text, format_name, strict=strict)
    if as_json:
        parts = [{"kind": type(part).__name__.lower(), **asdict(part)} for part in reading.parts]
        wrapping, warnings = list(reading.wrapping), list(reading.warnings)
        say_json({"format": reading.format, "parts": parts, "wrapping": wrapping, "warnings": warnings})
        return
    paint = Painter()
    lines = [f"format: {paint(reading.format, bold=True)}"]
    for part in reading.parts:
        lines += ["", *_part_lines(part, paint)]
    lines += [f"{paint('!', 'yellow')} {paint(warning)}" for warning in reading.warnings]
    lines += [paint(f"ignored: {wrapping}", dim=True) for wrapping in reading.wrapping]
    say("\n".join(lines))


def _part_lines(part: Part, paint: Painter) -> list[str]:
    name = paint(part.path or "(the reply names no file)", bold=True)
    match part:
        case Update():
            moved = paint(f", and move it to {part.move_to}") if part.move_to else ""
            mode = {None: "", True: ", and make it executable", False: ", and make it not executable"}[part.executable]
            return [f"edit {name}{moved}{mode}", *(line for edit in part.edits for line in _edit_lines(edit, paint))]
        case Create():
            return [f"create {name}{', executable' if part.executable else ''}", *_content_lines(part.content, paint)]
        case Overwrite():
            return [f"write the whole of {name}", *_content_lines(part.content, paint)]
        case Delete():
            return [f"delete {name}"]
        case _:
            assert_never(part)


def _content_lines(content: str, paint: Painter) -> list[str]:
    return [paint(f"  + {line}", "green") for line in content.split("\n")]


def _edit_lines(edit: Edit, paint: Painter) -> list[str]:
    hints = [f"line {edit.line}"] if edit.line else []
    hints += [f"in {section!r}" for section in edit.sections]
    hints += ["at the end of the file"] if edit.at_end else []
    hints += ["everywhere"] if edit.everywhere else []
    head = f"  edit {edit.number}{': ' + edit.description if edit.description else ''}"
    readings = f" [{len(edit.variants)} ways to read it]" if len(edit.variants) > 1 else ""
    lines = [paint(f"{head}{' (' + ', '.join(hints) + ')' if hints else ''}{readings}")]
    match variant := edit.variants[0]:
        case Block():
            ops = [("-", line) for line in variant.find] + [("+", line) for line in variant.replace]
        case Hunk():
            ops = list(variant.ops)
        case Splice():
            lines.append(f"  lines {variant.start}-{variant.end} become")
            ops = [("+", line) for line in variant.new]
        case _:
            assert_never(variant)
    colours = {"-": "red", "+": "green"}
    return lines + [paint(f"    {kind} {line}", colours.get(kind)) for kind, line in ops]
