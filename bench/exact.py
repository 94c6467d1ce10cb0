"""Exact-match-only applying: what most tools do first, to stand beside ours in the same loop.

It is given every help that costs no judgement: our reader takes the reply apart, line endings do not count, and our
checks look at the result.
"""

from __future__ import annotations

from inlay.engine import checks, formats
from inlay.errors import ReplyRejected
from inlay.model.change import Change, ChangeSet
from inlay.model.edit import Block, Create, Edit, Hunk, Overwrite, Part, Splice, Update, Variant
from inlay.model.file import File


def applied(path: str, original: str, reply: str, format: str | None = None) -> str | None:
    """The text after the reply; None where a block does not stand there exactly once, or the result has problems."""
    text = _replaced(original, reply, format)
    if text is None or text == original:
        return None
    before = File.of(path, original)
    findings = checks.run(ChangeSet((Change(before.path, before, text.removeprefix("\ufeff")),)))
    return None if any(finding.severity == "error" for finding in findings) else text


def _replaced(original: str, reply: str, format: str | None) -> str | None:
    try:
        parts = formats.read(reply, format).parts
    except ReplyRejected:
        return None
    end = "\r\n" if "\r\n" in original else "\r" if "\r" in original and "\n" not in original else "\n"
    text: str | None = original.replace("\r\n", "\n").replace("\r", "\n")
    for part in parts:
        text = None if text is None else _part(text, part)
    return None if text is None else text.replace("\n", end)


def _part(text: str, part: Part) -> str | None:
    if isinstance(part, (Create, Overwrite)):
        return part.content
    if not isinstance(part, Update):
        return None
    changed: str | None = text
    for edit in part.edits:
        changed = None if changed is None else _edit(changed, edit)
    return changed


def _edit(text: str, edit: Edit) -> str | None:
    old, new = _sides(edit.variants[0])
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if old and line == old[0] and lines[at : at + len(old)] == old]
    if len(places) != 1:
        return None
    return "\n".join([*lines[: places[0]], *new, *lines[places[0] + len(old) :]])


def _sides(variant: Variant) -> tuple[list[str], list[str]]:
    match variant:
        case Block(find, replace):
            return list(find), list(replace)
        case Hunk(ops):
            return [text for kind, text in ops if kind != "+"], [text for kind, text in ops if kind != "-"]
        case Splice():
            return [], []
