"""Tries names that attack through every tool that takes a path, shut in as `sandbox.py` shuts itself in.

Run as `unshare --mount python tool_sandbox.py [FILE]`; prints JSON: every name whose fate was not the one demanded.
FILE may hold further names as JSON: a list of objects with `name`, `expect` and `make`.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandbox import prepare, private, shut_in

from inlay.tools import Toolbox

HUNK = "@@ -1 +1 @@\n-1\n+2\n"
FATES = {"patch_error": "refused", "needs_approval": "guarded", "applied": "written", "unchanged": "written"}


def calls(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every way to name a file to a tool that writes to it; all want 2 for 1, which is right in any language."""
    edit = {"range": {"start": 1, "end": 1}, "oldText": "1", "newText": "2"}
    yield "apply_edits", {"path": name, "edits": [edit]}
    yield "replace_text", {"path": name, "old_string": "1", "new_string": "2"}
    yield "write_patch", {"path": name, "patch": HUNK}
    yield "write_patch", {"patch": f"--- a/{name}\n+++ b/{name}\n{HUNK}"}
    yield "write_patch", {"patch": f"*** Begin Patch\n*** Update File: {name}\n@@\n-1\n+2\n*** End Patch\n"}
    yield "apply_reply", {"reply": f"{name}\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n"}
    yield "apply_reply", {"path": name, "reply": "<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n"}


def creations(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every way to make a file of that name, or to move one there."""
    yield "write_file", {"path": name, "content": "2\n"}
    yield "write_patch", {"patch": f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+new\n"}
    yield "write_patch", {"patch": f"*** Begin Patch\n*** Add File: {name}\n+new\n*** End Patch\n"}
    yield (
        "write_patch",
        {"patch": f"diff --git a/README.md b/{name}\nrename from README.md\nrename to {name}\n"},
    )
    yield "apply_reply", {"reply": json.dumps({"path": name, "command": "create", "file_text": "new\n"})}


def tree(root: Path) -> dict[str, bytes]:
    """Every plain file outside our own directory."""
    found = (path for path in root.rglob("*") if ".inlay" not in path.parts)
    return {str(path): path.read_bytes() for path in found if path.is_file() and not path.is_symlink()}


def surprises(name: str, demanded: str, make: list[str]) -> Iterator[str]:
    """What became of a name, wherever that is not what was demanded."""
    if demanded == "refused":
        yield from _never(name, make)
        return
    root, outside = prepare(make)
    name = name.format(root=root, outside=outside)
    came = FATES.get(Toolbox(root).call("write_file", {"path": name, "content": "2\n"}).structured["kind"])
    if came != demanded:
        yield f"write_file {name!r} was {came}, not {demanded} {make}"
    for tool, arguments in calls(name):
        root, outside = prepare(make)
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("1\n")
        before = private(root, outside)
        outcome = Toolbox(root).call(tool, arguments)
        came = FATES.get(outcome.structured["kind"])
        is_told_by_reply = tool in ("write_patch", "apply_reply") and "path" not in arguments
        # In text a name is told from prose by its look, so an odd one may be refused there; never more than that.
        if private(root, outside) != before or not (came == demanded or (is_told_by_reply and came == "refused")):
            yield f"{tool} {arguments} was {came}, not {demanded}: {outcome.structured.get('message')}"


def _never(name: str, make: list[str]) -> Iterator[str]:
    root, outside = prepare(make)
    name = name.format(root=root, outside=outside)
    before, kept = tree(root), private(root, outside)
    box = Toolbox(root)
    tried = [*calls(name), *creations(name), ("read_file", {"path": name})]
    tried += [("preview", {"tool": tool, "arguments": arguments}) for tool, arguments in calls(name)]
    for tool, arguments in tried:
        outcome = box.call(tool, arguments)
        if not outcome.is_error or outcome.plan:
            # A name in text may be read as another, honest name; what matters then is what it did.
            by_text = "path" not in arguments.get("arguments", arguments)
            if not by_text or private(root, outside) != kept or not _is_inside(outcome.structured, root):
                yield f"{tool} {arguments} was {outcome.structured['kind']}"
            root, outside = prepare(make)
            box = Toolbox(root)
        elif tree(root) != before or private(root, outside) != kept:
            yield f"{tool} {arguments} was refused, and wrote"


def _is_inside(told: dict[str, Any], root: Path) -> bool:
    """Whether what was written stands plainly in the project, in a file that nobody guards."""
    paths = [file["move_to"] or file["path"] for file in told.get("files", ())]
    steps = {step for path in paths for step in path.split("/")}
    return all((root / path).resolve().is_relative_to(root) for path in paths) and steps.isdisjoint(
        {".git", ".env", ".."}
    )


def main() -> None:
    attacks = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text(encoding="utf-8"))
    more = json.loads(Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else []
    shut_in()
    cases = [(name, fate, []) for fate in ("refused", "guarded", "written") for name in attacks[fate]["names"]]
    for case in attacks["prepared"]:
        cases += [
            (name, fate, case["make"]) for fate in ("refused", "guarded", "written") for name in case.get(fate, ())
        ]
    cases += [(each["name"], each["expect"], each.get("make", [])) for each in more]
    found = [surprise for name, fate, make in cases for surprise in surprises(name, fate, make)]
    sys.stdout.write(json.dumps({"tried": len(cases), "surprises": found}))


if __name__ == "__main__":
    main()
