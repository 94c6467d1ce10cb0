"""`inlay parse`: show what a reply asks for, without looking at any file."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any, BinaryIO, assert_never

import click

from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.engine import formats
from inlay.landing.reply_text import require_text
from inlay.model.edit import Block, Create, Delete, Edit, Hunk, Overwrite, Part, Reading, Splice, Update, Variant


@click.command("parse")
@replies.ARGUMENT
@replies.FORMAT
@click.option("--strict", is_flag=True, help="Refuse fences and prose around the edits instead of passing over them.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, reply: BinaryIO, format_name: str | None, strict: bool, as_json: bool) -> None:
    """Show what a reply asks for, without looking at any file.

    REPLY is a file with the reply as the model wrote it; without it, or with -, it is read from standard input.

    \b
    Examples:
      inlay parse reply.md
      inlay parse --json - < reply.md
      inlay parse --format search_replace reply.md
    """
    reporting.audience = "program" if as_json else "person"
    text = replies.read(reply)
    require_text(text)
    reading = formats.read(text, format_name, strict=strict)
    if as_json:
        click.echo(json.dumps(_as_json(reading)))
    else:
        say("\n".join(_lines(reading, Painter(sys.stdout))))


def _as_json(reading: Reading) -> dict[str, Any]:
    return {
        "format": reading.format,
        "parts": [{"kind": type(part).__name__.lower(), **asdict(part)} for part in reading.parts],
        "wrapping": list(reading.wrapping),
        "warnings": list(reading.warnings),
    }


def _lines(reading: Reading, paint: Painter) -> list[str]:
    lines = [f"format: {paint(reading.format, bold=True)}"]
    for part in reading.parts:
        lines += ["", *_part_lines(part, paint)]
    lines += [f"{paint('!', 'yellow')} {paint(warning)}" for warning in reading.warnings]
    lines += [paint(f"passed over: {wrapping}", dim=True) for wrapping in reading.wrapping]
    return lines


def _part_lines(part: Part, paint: Painter) -> list[str]:
    name = paint(part.path or "(the reply names no file)", bold=True)
    match part:
        case Update():
            moved = paint(f", and move it to {part.move_to}") if part.move_to else ""
            return [f"edit {name}{moved}", *(line for edit in part.edits for line in _edit_lines(edit, paint))]
        case Create():
            return [f"create {name}", *_content(part.content, paint)]
        case Overwrite():
            return [f"write the whole of {name}", *_content(part.content, paint)]
        case Delete():
            return [f"delete {name}"]
        case _:
            assert_never(part)


def _content(content: str, paint: Painter) -> list[str]:
    return [paint(f"  + {line}", "green") for line in content.split("\n")]


def _edit_lines(edit: Edit, paint: Painter) -> list[str]:
    hints = [f"line {edit.line}"] if edit.line else []
    hints += [f"in {section!r}" for section in edit.sections]
    hints += ["at the end of the file"] if edit.at_end else []
    hints += ["everywhere"] if edit.everywhere else []
    head = f"  edit {edit.number}{': ' + edit.description if edit.description else ''}"
    readings = f" [{len(edit.variants)} ways to read it]" if len(edit.variants) > 1 else ""
    return [
        paint(f"{head}{' (' + ', '.join(hints) + ')' if hints else ''}{readings}"),
        *_variant(edit.variants[0], paint),
    ]


def _variant(variant: Variant, paint: Painter) -> list[str]:
    match variant:
        case Block():
            ops = [("-", line) for line in variant.find] + [("+", line) for line in variant.replace]
        case Hunk():
            ops = list(variant.ops)
        case Splice():
            lines = f"  lines {variant.start}-{variant.end} become"
            return [lines, *(paint(f"    + {line}", "green") for line in variant.new)]
        case _:
            assert_never(variant)
    colours = {"-": "red", "+": "green"}
    return [paint(f"    {kind} {line}", colours.get(kind)) for kind, line in ops]
