"""Trials: one corrupted edit each, with the file, the reply and every result that would be right."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from bench.draft import Draft, Outcome
from bench.passages import FileChange, cut, unmistakable
from bench.rendering import BLOCKS, CONTEXT, collides
from bench.slips import SLIPS, Slip

_DEFINES = re.compile(
    r"\b(def\w*|class|func|fn|function|struct|enum|trait|module|interface|namespace|type|const|let|var|val|impl|mod"
    r"|public|private|protected|static|export|macro_rules|test|it|describe)\b|^\w.*[({:=]\s*$|^\[|^#"
)
_WHOLE_LIMIT = 400  #: lines; nobody asks for longer files as a whole


@dataclass(frozen=True, slots=True)
class Trial:
    """What the engine is given, and what must come of it."""

    id: str
    format: str
    slip: str
    outcome: Outcome
    path: str
    original: str
    response: str
    accepted: tuple[str, ...]  #: results that are right, the true one first
    named: bool = True  #: whether the engine is told the format or has to see for itself
    note: str = ""

    def request(self) -> dict[str, str]:
        """The line sent to an engine."""
        fields = ("id", "path", "original", "response", *(("format",) if self.named else ()))
        return {name: getattr(self, name) for name in fields}


def trial(change: FileChange, format: str, slip: Slip, seed: int) -> Trial | None:
    """The trial of one slip on one change, or None where the slip cannot happen to it."""
    if not slip.natural and not _plain(change, format):
        return None
    rng = random.Random(f"{seed}:{format}:{slip.name}:{change.name}:{change.path}")
    draft = Draft.of(change, format, rng, slip.outcome)
    if not slip.make(draft):
        return None
    if format == "whole_file" and draft.outcome == "apply" and _loses(change):
        draft.outcome = "either"
    expected = draft.expected()
    if draft.outcome != "noop" and expected == draft.original():
        return None
    return Trial(
        f"{change.name}/{format}/{slip.name}",
        format,
        slip.name,
        draft.outcome,
        change.path,
        draft.original(),
        draft.response(),
        (expected, *draft.also),
        draft.named,
        draft.note,
    )


def draw(changes: Sequence[FileChange], format: str, slip: Slip, most: int, seed: int) -> Iterator[Trial]:
    """Up to `most` trials of a slip in one format."""
    order = list(changes)
    random.Random(f"{seed}:{slip.name}").shuffle(order)
    for change in order if format in slip.formats else ():
        if most <= 0:
            return
        if (made := trial(change, format, slip, seed)) is not None:
            most -= 1
            yield made


def find(changes: Sequence[FileChange], id: str, seed: int) -> Trial | None:
    """The trial of that id, made again."""
    name, format, slip = id.rsplit("/", 2)
    made = (trial(change, format, SLIPS[slip], seed) for change in changes if change.name == name)
    return next((one for one in made if one is not None and one.id == id), None)


@cache
def _loses(change: FileChange) -> bool:
    """Whether a whole file would take definitions or many lines away: then a person decides, not the engine."""
    kept = {text.strip() for text in change.after}
    gone = [text for span in change.spans for text in change.before[span.old : span.old + span.gone]]
    lost = [text for text in gone if text.strip() and text.strip() not in kept]
    return 4 * len(lost) > len(change.before) or any(_DEFINES.search(text) for text in lost)


@cache
def _plain(change: FileChange, format: str) -> bool:
    """Whether the change, said cleanly, is unmistakable and cannot be taken for markup or for an elision."""
    if format == "whole_file":
        whole = [*cut(change, 10**6)]
        short = len(change.before) <= _WHOLE_LIMIT
        return short and not collides(format, whole) and not _dotted(change) and not _hardly_changes(change)
    passages = cut(change, CONTEXT[format])
    if not unmistakable(change.before, passages) or collides(format, passages):
        return False
    return not (format in BLOCKS and _dotted(change))


def _hardly_changes(change: FileChange) -> bool:
    """Whether a line becomes one that only looks like it: a whole file cannot say that it is meant."""
    plain = str.maketrans("\u2013\u2014\u2018\u2019\u201c\u201d\u00a0", "--''\"\" ")
    gone = {text for span in change.spans for text in change.before[span.old : span.old + span.gone]}
    come = {text for span in change.spans for text in change.after[span.new : span.new + span.come]}
    looks = {text.translate(plain).rstrip() for text in come}
    return any(text not in come and text.translate(plain).rstrip() in looks for text in gone)


def _dotted(change: FileChange) -> bool:
    """Whether an added line looks like a mark for omitted ones."""
    added = (change.after[span.new : span.new + span.come] for span in change.spans)
    return any("..." in text or "\u2026" in text for lines in added for text in lines)
