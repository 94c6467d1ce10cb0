"""From edits to a landing as a model reads it: what landed where, by which rule, and the difference it made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inlay.tools.tool import Call

if TYPE_CHECKING:
    from inlay.landing.land import Landing
    from inlay.model.change import Change, ChangeSet
    from inlay.model.edit import Reading
    from inlay.model.match import Match
    from inlay.model.receipt import Kind, Receipt

HASH_LENGTH = 16  #: hexadecimal digits of a content hash: a model repeats it, so it is not longer than it must be
_MOST_DIFF = 10 * 1024  # bytes


def land(call: Call, reading: Reading) -> dict[str, Any]:
    """Set edits into the project and tell what became of them."""
    from inlay.landing.land import staged

    call.report("finding the places")
    return finish(call, reading, staged(reading, call.workspace))


def finish(call: Call, reading: Reading, changes: ChangeSet, kind: Kind = "land") -> dict[str, Any]:
    """Check, decide and write changes that are staged."""
    from inlay.landing.land import finish as finished

    _require_expected(call, changes)
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
    return told(landing)


def _require_expected(call: Call, changes: ChangeSet) -> None:
    from inlay.errors import EditsRefused, Misfit

    expected: str = call.arguments.get("expect", "")
    for change in changes.changes if expected else ():
        found = change.before.digest if change.before else ""
        if not found.startswith(expected.lower()):
            message = f"{change.path} is not what it was when its hash was {expected[:HASH_LENGTH]}: " + (
                f"it is now {found[:HASH_LENGTH]}" if found else "it is not there"
            )
            raise EditsRefused(Misfit("changed", message, "Read the file again.", path=str(change.path)))


def _summary(call: Call, changes: ChangeSet) -> str:
    """What the log keeps of a difference: its extent and its digest; the receipt keeps both sides in full."""
    import hashlib

    diff = "".join(unified(change) for change in changes.changes)
    signs = [line[:1] for line in diff.split("\n") if not line.startswith(("+++ ", "--- "))]
    digest = hashlib.sha256(diff.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]
    return f"{call.tool.name}: +{signs.count('+')} -{signs.count('-')}, diff {digest}"


def told(landing: Landing) -> dict[str, Any]:
    """A landing as data."""
    changed = [change for change in landing.changes.changes if not change.is_noop]
    kind = "preview" if landing.receipt is None else "applied" if changed else "unchanged"
    receipt = landing.receipt.id if landing.receipt and landing.receipt.id else None
    findings = [f"{found.path}: {found.message} [{found.code}]" for found in landing.findings]
    return {
        "kind": kind,
        "message": _message(landing, kind),
        "receipt": receipt,
        "files": [_file(change) for change in landing.changes.changes],
        "diff": _diff(changed),
        "warnings": list(dict.fromkeys((*landing.reading.warnings, *landing.changes.warnings, *findings))),
        **({"reasons": [f"{need.path}: {need.headline}" for need in landing.needs]} if landing.needs else {}),
    }


def _message(landing: Landing, kind: str) -> str:
    lines = [_line(change) for change in landing.changes.changes]
    if kind == "preview":
        waits = " A person would have to approve it." if landing.needs else ""
        return "Nothing was written. This would land: " + "; ".join(lines) + "." + waits
    if kind == "unchanged":
        return "Everything is already in place; nothing was written."
    assert landing.receipt is not None
    return "; ".join(lines) + f". This is change {landing.receipt.id}."


def _line(change: Change) -> str:
    moved = f" to {change.move_to}" if change.move_to else ""
    where = ", ".join(_where(match) for match in change.matches)
    return f"{change.path} {change.outcome}{moved}{': ' if where else ''}{where}"


def _where(match: Match) -> str:
    lines = f"line {match.line}" if match.end_line <= match.line else f"lines {match.line}-{match.end_line}"
    return f"edit {match.edit} at {lines} by rule {match.rule!r}"


def _file(change: Change) -> dict[str, Any]:
    from inlay.model.decision import content_digest

    return {
        "path": str(change.path),
        "action": change.outcome,
        "move_to": str(change.move_to) if change.move_to else None,
        "hash": (content_digest(change) or "")[:HASH_LENGTH] or None,
        "edits": [
            {
                "edit": match.edit,
                "line": match.line,
                "end_line": match.end_line,
                "rule": match.rule,
                **({"adapted": list(match.adapted)} if match.adapted else {}),
            }
            for match in change.matches
        ],
    }


def _diff(changes: list[Change]) -> str:
    """The difference of all files together, each within its share."""
    share = _MOST_DIFF // max(1, len(changes))
    return "".join(unified(change, share) for change in changes)


def unified(change: Change, limit: int | None = None) -> str:
    """One file's difference as a unified diff; cut after `limit` bytes, and then it says so."""
    from inlay.text.diff import difference
    from inlay.text.excerpt import excerpt

    if change.is_noop:
        return ""
    before = f"a/{change.path}" if change.before else "/dev/null"
    after = f"b/{change.target}" if change.after is not None else "/dev/null"
    found = difference(change.before.text if change.before else "", change.after or "")
    if limit is None:
        lines = [line.plain for line in found.lines()]
    else:
        shown = excerpt(found, limit)
        lines = [*(line.plain for line in shown.lines), *([shown.note] if shown.note else [])]
    return "\n".join([f"--- {before}", f"+++ {after}", *lines]) + "\n"


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt as a model reads it."""
    return {
        "id": receipt.id,
        "time": receipt.time,
        "kind": receipt.kind,
        "summary": receipt.summary,
        "reverses": receipt.reverses or None,
        "files": [{"path": str(file.path), "action": file.action} for file in receipt.files],
    }
