"""From edits to a landing, the way all tools that write share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inlay.tools.tool import Call

if TYPE_CHECKING:
    from inlay.model.change import ChangeSet
    from inlay.model.edit import Reading
    from inlay.model.receipt import Kind


def land(call: Call, reading: Reading, expect: str | None = None) -> dict[str, Any]:
    """Set edits into the project and tell what became of them."""
    from inlay.landing.land import staged

    call.report("finding the places")
    return finish(call, reading, staged(reading, call.workspace), expect)


def finish(call: Call, reading: Reading, changes: ChangeSet, expect: str | None, kind: Kind = "land") -> dict[str, Any]:
    """Check, decide and write changes that are staged."""
    from inlay.landing.land import finish as finished
    from inlay.render.landing import landing_brief

    if expect:
        _require_hash(expect.lower(), changes)
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
    return landing_brief(landing)


def _require_hash(expect: str, changes: ChangeSet) -> None:
    from inlay.errors import EditsRefused, Misfit
    from inlay.render.change import HASH_LENGTH

    for change in changes.changes:
        digest = change.before.digest if change.before else ""
        if not digest.startswith(expect):
            now = f"it is now {digest[:HASH_LENGTH]}" if digest else "it is not there"
            message = f"{change.path} is not what it was when its hash was {expect[:HASH_LENGTH]}: {now}"
            raise EditsRefused(Misfit("changed", message, "Read the file again.", path=str(change.path)))


def _summary(call: Call, changes: ChangeSet) -> str:
    """What the log keeps of a difference: its extent and its digest; the receipt keeps both sides in full."""
    import hashlib

    from inlay.render.change import HASH_LENGTH
    from inlay.render.diff import unified_diff

    diff = "".join(unified_diff(change) for change in changes.changes)
    signs = [line[:1] for line in diff.split("\n") if not line.startswith(("+++ ", "--- "))]
    digest = hashlib.sha256(diff.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
    return f"{call.tool.name}: +{signs.count('+')} -{signs.count('-')}, diff {digest}"
