"""`write_patch`: a raw unified diff, or an apply_patch, for any number of files."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from inlay.tools.arguments import FilePath, ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Apply a patch to one or several files: either all hunks of all files are applied, or none.

Patch rules:
- `patch` is the raw unified diff and nothing else: no Markdown fences around it, no XML or tool tags, no sentences.
  Reasoning belongs before the tool call, never inside the patch.
- Every file has its --- and +++ line; with `path` given, hunks are enough. Every hunk has its @@ line.
- Every line of a hunk begins with a space (unchanged), - (removed) or + (added), even a blank line.
- Unchanged and removed lines repeat the file exactly; the text decides where a hunk is applied, line numbers are hints.
- `--- /dev/null` creates a file, `+++ /dev/null` deletes one.
A patch from `*** Begin Patch` to `*** End Patch` is accepted as well.

A minimal patch:
--- a/src/greet.py
+++ b/src/greet.py
@@ -1,3 +1,3 @@
 def greet(name):
-    return "hello"
+    return f"hello {name}"
 # end
"""


class Arguments(ToolArguments, frozen=True, kw_only=True):
    path: Annotated[FilePath, Meta(description="The file, if the patch is for one file only.")] | None = None
    patch: Annotated[str, Meta(min_length=1, description="The raw unified diff with nothing around it.")]


@tool("Apply a patch", DESCRIPTION, Arguments, example=DESCRIPTION.partition("A minimal patch:\n")[2])
def write_patch(call: Call) -> dict[str, Any]:
    from inlay.engine import formats
    from inlay.landing.reply_text import require_text
    from inlay.landing.target_file import redirect, require_one_file
    from inlay.model.edit import Update
    from inlay.tools.contamination import require_clean
    from inlay.tools.results import land

    text, path = call.arguments.patch, call.arguments.path
    require_text(text, "the patch")
    call.report("reading the patch")
    patch = require_clean(text)
    reading = formats.read(patch.text, patch.format, strict=patch.format == "apply_patch")
    if path is None:
        return land(call, reading)
    require_one_file([*(part.path for part in reading.parts if part.path is not None), path])
    if len(reading.parts) == 1 and isinstance(part := reading.parts[0], Update) and part.move_to:
        return land(call, replace(reading, parts=(replace(part, path=path),)))
    return land(call, redirect(reading, path))
