"""`read_file`: the lines of a file with their numbers, and the hash that later edits can require."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.tools import schemas
from inlay.tools.arguments import FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Read a text file of the project, or some of its lines. Each line of `content` is its number, " | " and the line itself;
the number and the bar are not part of the file. `hash` identifies the content: pass it as `expect` to apply_edits,
replace_text or write_file, and they write only if the file is unchanged.
"""
_MOST_LINES = 2000
_MOST_CHARACTERS = 60_000


class Arguments(ToolArguments, frozen=True):
    path: FilePath
    start: Annotated[int, Meta(ge=1, description="First line, counted from 1.")] = 1
    end: Annotated[int, Meta(ge=1, description="Last line.")] | None = None


@tool(
    "Read a file",
    DESCRIPTION,
    Arguments,
    output=schemas.result(
        ("file",),
        hash=schemas.TEXT,
        lines={"type": "integer", "description": "Number of lines in the file."},
        start={"type": "integer"},
        end={"type": "integer"},
        content=schemas.TEXT,
        more={"type": "boolean", "description": "Whether more lines follow."},
    ),
    example='{"path": "src/prices.py", "start": 1, "end": 80}',
    read_only=True,
)
def read_file(call: Call) -> dict[str, Any]:
    from inlay.errors import EditsRefused, Misfit
    from inlay.render.change import HASH_LENGTH
    from inlay.tools.results import existing_file

    arguments: Arguments = call.arguments
    path, file = existing_file(call, arguments.path)
    call.read_texts.remember(path, file.text)
    lines = file.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = lines if lines[-1] else lines[:-1]
    first = arguments.start
    if first > max(1, len(lines)):
        message = f"{path} has {len(lines)} lines, so none from {first} on"
        raise EditsRefused(Misfit("line-outside", message, "Ask for lines that exist.", path=str(path)))
    # Whole lines that fit into one result, unless one line alone is too long.
    shown, room = list[str](), _MOST_CHARACTERS
    for line in lines[first - 1 : min(arguments.end or len(lines), first - 1 + _MOST_LINES)]:
        room -= len(line) + 1
        if room < 0 and shown:
            break
        shown.append(line[:_MOST_CHARACTERS])
    last = first + len(shown) - 1
    return {
        "kind": "file",
        "path": str(path),
        "hash": file.digest[:HASH_LENGTH],
        "lines": len(lines),
        "start": first,
        "end": last,
        "content": "\n".join(f"{number} | {line}" for number, line in enumerate(shown, first)),
        "more": last < len(lines),
    }
