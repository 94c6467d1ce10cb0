"""`write_file`: content for one file, replacing it or joining what is there."""

from __future__ import annotations

from typing import Any

from inlay.tools import schemas
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = """\
Create a file, or write whole new content to one. To change parts of a file use apply_edits or replace_text instead.

`strategy` says how the content joins a file that exists: "replace" (the default) replaces it, and for a file of over
100 lines a person must approve that first; "append" puts the content at the end; "insert" puts it before line `line`;
"extend" adds the functions, classes, members or keys that the file lacks.
Write every line in full: content that stands for "the rest of the file" is refused.
"""
_STRATEGIES = ["replace", "append", "insert", "extend"]


def run(call: Call) -> dict[str, Any]:
    """Content written by name."""
    from inlay.landing.write import Write, proposed
    from inlay.tools.results import finish

    told = call.arguments
    wanted = Write(
        told["path"], told["content"], told.get("strategy"), told.get("line"), told.get("replace_existing", False)
    )
    call.report("looking at the file")
    return finish(call, *proposed([wanted], call.workspace), "write")


TOOL = Tool(
    name="write_file",
    title="Write a file",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        ("path", "content"),
        path=schemas.PATH,
        content={"type": "string", "description": "The content, every line in full."},
        strategy={"enum": _STRATEGIES, "description": "How it joins a file that exists."},
        line={"type": "integer", "minimum": 1, "maximum": 100_000_000, "description": "For insert, counted from 1."},
        replace_existing={"type": "boolean", "description": "For extend: members that are there give way."},
        expect=schemas.EXPECT,
    ),
    output_schema=schemas.LANDED,
    annotations=Annotations(destructive=True),
    run=run,
    example='{"path": "notes/todo.md", "content": "# To do\\n", "strategy": "replace"}',
)
