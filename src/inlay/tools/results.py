"""The steps that the tools share: read a file, apply edits, check, write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inlay.errors import EditsRefused, Misfit
from inlay.tools.tool import Call

if TYPE_CHECKING:
    from inlay.model.change import ChangeSet
    from inlay.model.edit import Reading
    from inlay.model.file import File, RepoPath
    from inlay.model.receipt import Kind


def existing_file(call: Call, name: str) -> tuple[RepoPath, File]:
    """The file of that name; raises where there is none."""
    path = call.workspace.locate(name)
    file = call.workspace.read(path)
    if file is None:
        message = f"there is no file {path} in the project"
        raise EditsRefused(Misfit("missing", message, "Name a file that exists.", path=str(path)))
    return path, file


def land(call: Call, reading: Reading, expect: str | None = None) -> dict[str, Any]:
    from inlay.landing.land import staged

    call.report("finding the places")
    reading = replace(reading, allow=call.options.allow)
    return finish(call, reading, staged(reading, call.workspace, call.options), expect)


def finish(call: Call, reading: Reading, changes: ChangeSet, expect: str | None, kind: Kind = "land") -> dict[str, Any]:
    from inlay.landing.land import finish as finished
    from inlay.render.change import HASH_LENGTH
    from inlay.render.landing import landing_brief

    for change in changes.changes if expect else ():
        digest, wanted = change.before.digest if change.before else "", (expect or "").lower()
        if not digest.startswith(wanted):
            now = f"it is now {digest[:HASH_LENGTH]}" if digest else "it does not exist"
            message = f"{change.path} has changed since its hash was {wanted[:HASH_LENGTH]}: {now}"
            raise EditsRefused(Misfit("changed", message, "Read the file again.", path=str(change.path)))
    call.report("checking the result")
    landing = finished(
        reading,
        changes,
        call.workspace,
        call.options,
        call.approve,
        kind=kind,
        summary=_summary(call, changes),
        on_writing=lambda: call.report("writing"),
    )
    if landing.receipt is not None:
        call.read_texts.wrote(landing.changes.changes)
    return landing_brief(landing)


def _summary(call: Call, changes: ChangeSet) -> str:
    """What the log stores of a diff: its size and its digest; the receipt stores both versions of the files."""
    import hashlib

    from inlay.render.change import HASH_LENGTH
    from inlay.render.diff import unified_diff

    diff = "".join(unified_diff(change) for change in changes.changes)
    signs = [line[:1] for line in diff.split("\n") if not line.startswith(("+++ ", "--- "))]
    digest = hashlib.sha256(diff.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
    return f"{call.tool.name}: +{signs.count('+')} -{signs.count('-')}, diff {digest}"
