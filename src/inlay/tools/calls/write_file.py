"""`write_file`: content for one file, replacing it or joining what is there."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from inlay.model.decision import MergeStrategy
from inlay.tools import schemas
from inlay.tools.arguments import ContentHash, FilePath, ToolArguments, input_schema
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = """\
Create a file, or write whole new content to one. To change parts of a file use apply_edits or replace_text instead.

`strategy` says how the content joins a file that exists: "replace" (the default) replaces it, and for a file of over
100 lines a person must approve that first; "append" puts the content at the end; "insert" puts it before line `line`;
"extend" adds the functions, classes, members or keys that the file lacks.
Write every line in full: content that stands for "the rest of the file" is refused.
"""


class Arguments(ToolArguments, frozen=True):
    path: FilePath
    content: Annotated[str, Meta(description="The content, every line in full.")]
    strategy: Annotated[MergeStrategy, Meta(description="How it joins a file that exists.")] | None = None
    line: Annotated[int, Meta(ge=1, le=100_000_000, description="For insert, counted from 1.")] | None = None
    replace_existing: Annotated[bool, Meta(description="For extend: members that are there give way.")] = False
    expect: ContentHash | None = None


def run(call: Call) -> dict[str, Any]:
    """Content written by name."""
    from inlay.landing.write import Write, proposed
    from inlay.tools.results import finish

    new: Arguments = call.arguments
    call.report("looking at the file")
    write = Write(new.path, new.content, new.strategy, new.line, new.replace_existing)
    return finish(call, *proposed([write], call.workspace), new.expect, "write")


TOOL = Tool(
    name="write_file",
    title="Write a file",
    description=DESCRIPTION,
    input_schema=input_schema(Arguments),
    output_schema=schemas.LANDED,
    annotations=Annotations(destructive=True),
    run=run,
    example='{"path": "notes/todo.md", "content": "# To do\\n", "strategy": "replace"}',
)
