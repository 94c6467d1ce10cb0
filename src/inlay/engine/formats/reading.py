"""Puts together what was found in a reply: parts file by file, edits numbered, wrapping and failures reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from inlay.engine.formats.all_formats import FORMATS, format_named
from inlay.engine.formats.envelope import Reply, outdented, uncoloured, unquoted, wrapping_in
from inlay.engine.formats.format import CutOff, Format, Unreadable
from inlay.engine.formats.patch_series import SeriesCommit, commits_in
from inlay.engine.formats.scan import Claimed, Scan
from inlay.errors import Misfit, NoEditsFound, ReplyMalformed, ReplyTruncated
from inlay.model.edit import Block, Create, Edit, Overwrite, Part, Reading, Update

_MOST_LISTED = 20
_LONGEST_HINTED = 100_000  # a hint is not worth reading more than this a second time
_RESEND = "Send the whole reply again, all edits complete, or ask for fewer edits at a time."


def read(reply: str, format: str | None = None, *, strict: bool = False) -> Reading:
    """The edits of a reply; `format` names the only one to look for, `strict` refuses anything around the edits."""
    formats = [format_named(format)] if format is not None else list(FORMATS.values())
    text = Reply(outdented(uncoloured(unquoted(reply.removeprefix("\ufeff"))), _opens_any))
    try:
        commits = commits_in(text.text, text.lines) if any(each.name == "unified_diff" for each in formats) else []
        claims = _of_series(text, commits) if commits else list(Scan(text, formats, format is not None).run())
    except Unreadable as failure:
        raise ReplyMalformed(_misfit(failure)) from None
    _raise_failures(claims)
    names = dict.fromkeys(claimed.format.name for claimed in claims if claimed.claim)
    parts = _by_file(_named(claims))
    warnings = tuple(warning for claimed in claims if claimed.claim for warning in claimed.claim.warnings)
    format_read = "mixed" if len(names) > 1 else next(iter(names), "")
    wrapping = tuple(wrapping_in(text.lines[: commits[0].start])) if commits else _wrapping(text, claims)
    reading = Reading(format_read, parts, wrapping, warnings)
    if not reading.parts:
        raise _nothing_found(reply, format, reading.warnings)
    if strict and reading.wrapping:
        message = f"the reply contains more than edits: {'; '.join(reading.wrapping[:_MOST_LISTED])}"
        advice = "Send the edits alone: no prose, no code fence around them, no tool tags."
        raise ReplyMalformed(Misfit("wrapped", message, advice))
    return reading


def _opens_any(text: str) -> bool:
    return any(each.opening.search(text) for each in FORMATS.values())


def _of_series(text: Reply, commits: Sequence[SeriesCommit]) -> list[Claimed]:
    """What the diffs of each commit ask for; messages, diffstats and signatures ask for nothing."""
    claims: list[Claimed] = []
    for number, commit in enumerate(commits, 1):
        diff = text.part(commit.first, commit.end)
        for claimed in Scan(diff, [FORMATS["unified_diff"]], True).run():
            claim = claimed.claim
            if claim is not None and len(commits) > 1:
                claim = replace(claim, parts=tuple(_of_commit(part, number) for part in claim.parts))
            claims.append(replace(claimed, claim=claim))
    return claims


def _of_commit(part: Part, number: int) -> Part:
    return part if isinstance(part, Overwrite) else replace(part, commit=number)


def _named(found: Iterable[Claimed]) -> Iterator[Part]:
    """All parts, edits counted over the whole reply; one without a name belongs to the file its format named last."""
    named: dict[str, str] = {}
    numbers = count(1)
    for each in found:
        last = named.get(each.format.name)
        for part in each.claim.parts if each.claim else each.failure.parts if each.failure else ():
            last = part.path or last
            if not isinstance(part, Update):
                yield part
                continue
            edits = tuple(replace(edit, number=next(numbers)) for edit in part.edits)
            match edits:
                # An edit that looks for nothing and is alone makes a new file.
                case (Edit(variants=(Block(find=(), replace=lines),)),) if last is not None and part.move_to is None:
                    yield Create(last, "".join(f"{line}\n" for line in lines))
                case _:
                    yield replace(part, path=last, edits=edits)
        named.update({each.format.name: last} if last else {})


def _by_file(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Updates of one file become one part, unless something else happens to that file in between."""
    groups: list[list[Part]] = []
    latest: dict[tuple[str | None, int], list[Part]] = {}
    for part in parts:
        key = part.path, 0 if isinstance(part, Overwrite) else part.commit
        group = latest.get(key)
        last = group[-1] if group else None
        if group and isinstance(part, Update) and isinstance(last, Update) and not last.move_to:
            group.append(part)
        else:
            latest[key] = group = [part]
            groups.append(group)
    return tuple(map(_joined, groups))


def _joined(group: Sequence[Part]) -> Part:
    if not isinstance(last := group[-1], Update):
        return last
    updates = [part for part in group if isinstance(part, Update)]
    # Diffs of one file from two commits were made from two texts.
    edits = tuple(edit for part in updates for edit in part.edits)
    if len({(part.base_id, part.result_id) for part in updates}) == 1 == len(updates):
        return replace(last, edits=edits)
    base_id = last.base_id if len({part.base_id for part in updates}) == 1 else None
    return replace(last, edits=edits, base_id=base_id, result_id=None)


def _wrapping(reply: Reply, found: Sequence[Claimed]) -> tuple[str, ...]:
    if not found:
        return ()
    kinds = dict.fromkeys(f"code fence around {each.format.name}" for each in found if each.in_fence)
    edges = [0, *(edge for each in found for edge in (each.start, each.end)), len(reply.lines)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        kinds.update(dict.fromkeys(wrapping_in(reply.lines[start:end]) if start < end else ()))
    return tuple(kinds)[:_MOST_LISTED]


# --- failures ------------------------------------------------------------------------------------------------------


def _raise_failures(found: Sequence[Claimed]) -> None:
    failures = [each.failure for each in found if each.failure]
    if not failures:
        return
    if not any(isinstance(failure, CutOff) for failure in failures):
        raise ReplyMalformed(*map(_misfit, failures))
    names = dict.fromkeys(each.format.name for each in found)
    parts = _by_file(_named(found))
    complete = Reading("mixed" if len(names) > 1 else next(iter(names)), parts) if parts else None
    raise ReplyTruncated(*(_misfit(failure, parts) for failure in failures), complete=complete)


def _misfit(failure: Unreadable, complete: Sequence[Part] = ()) -> Misfit:
    if not isinstance(failure, CutOff):
        return Misfit(failure.code, failure.message, failure.advice)
    names: list[str] = []
    for part in complete:
        where = part.path or "the file"
        if isinstance(part, Update):
            names += [f"{where} ({edit.description[:60] or f'edit {edit.number}'})" for edit in part.edits]
        else:
            names.append(f"{where} ({type(part).__name__.lower()})")
    listed = ", ".join(names[:_MOST_LISTED] + (["…"] if len(names) > _MOST_LISTED else []))
    summary = f"{len(names)} edit{'s' * (len(names) != 1)} before that complete: {listed}"
    return Misfit(
        failure.code, f"{failure.message}; {summary if names else 'no edit before that was complete'}", _RESEND
    )


def _nothing_found(reply: str, format: str | None, warnings: Sequence[str]) -> NoEditsFound:
    wanted = f" in the format {format_named(format).name}" if format else ""
    others = [each.name for each in FORMATS.values() if format and len(reply) < _LONGEST_HINTED and _holds(reply, each)]
    seen = f"; it does contain {', '.join(others)}" if others else "".join(f"; {warning}" for warning in warnings[:3])
    advice = "Write the edits themselves, in the format that was asked for."
    return NoEditsFound(Misfit("no-edits", f"no edits found{wanted} in the reply{seen}", advice))


def _holds(reply: str, format: Format) -> bool:
    try:
        return any(each.claim for each in Scan(Reply(reply), [format], False).run())
    except Unreadable:
        return False
