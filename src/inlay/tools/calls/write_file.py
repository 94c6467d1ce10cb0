"""`write_file`: write one file, or merge content into it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.model.decision import MergeStrategy
from inlay.tools.arguments import ContentHash, FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Create a file, or replace its whole content. To change parts of a file use apply_edits or replace_text instead.

`strategy` says how the content is merged into an existing file: "replace" (the default) replaces it, and for a file of
over 100 lines the user must approve that first; "append" adds the content at the end; "insert" adds it before line
`line`; "extend" adds the functions, classes, members or keys that the file lacks.
Write every line in full: a placeholder for "the rest of the file" is refused.
"""


class Arguments(ToolArguments, frozen=True):
    path: FilePath
    content: Annotated[str, Meta(description="The content, every line in full.")]
    strategy: Annotated[MergeStrategy, Meta(description="How it is merged into an existing file.")] | None = None
    line: Annotated[int, Meta(ge=1, le=100_000_000, description="For insert, counted from 1.")] | None = None
    replace_existing: Annotated[bool, Meta(description="For extend: replace members that exist.")] = False
    expect: ContentHash | None = None


@tool(
    "Write a file",
    DESCRIPTION,
    Arguments,
    example='{"path": "notes/todo.md", "content": "# To do\\n", "strategy": "replace"}',
)
def write_file(call: Call) -> dict[str, Any]:
    from inlay.landing.write import Write, proposed
    from inlay.tools.results import finish

    new: Arguments = call.arguments
    call.report("looking at the file")
    write = Write(new.path, new.content, new.strategy, new.line, new.replace_existing)
    return finish(call, *proposed([write], call.workspace, call.options.allow), new.expect, "write")
