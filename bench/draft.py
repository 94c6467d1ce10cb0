"""A draft: the file, what should become of it and what the model says, while slips are being made."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from bench.passages import FileChange, Passage, applied, cut, unmistakable
from bench.rendering import CONTEXT, Rendered, Wording, collides, render

Outcome = Literal["apply", "refuse", "either", "near", "noop"]
OUTCOMES: dict[Outcome, str] = {
    "apply": "the true result; a refusal is a miss",
    "refuse": "nothing may be written",
    "either": "the true result or a refusal",
    "near": "as either, but most should be the true result",
    "noop": "the file already is the result: a refusal, or no change",
}


@dataclass(slots=True)
class Draft:
    """Everything a slip may change before the trial is fixed."""

    change: FileChange
    format: str
    rng: random.Random
    outcome: Outcome
    lines: list[str]
    ends: list[str]
    truth: list[Passage]
    said: list[Passage]
    wording: Wording = field(default_factory=Wording)
    bom: str = ""
    open_end: bool = False  #: the file lacks its final newline
    also: list[str] = field(default_factory=list)  #: further results that are as good as the true one
    wraps: list[Callable[[str], str]] = field(default_factory=list)  #: what is done to the rendered reply, in order
    crop: Callable[[Rendered], str] | None = None
    named: bool = True  #: whether the engine is told the format
    note: str = ""

    @classmethod
    def of(cls, change: FileChange, format: str, rng: random.Random, outcome: Outcome) -> Draft:
        """The change as it is, said without a slip."""
        truth = cut(change, CONTEXT[format])
        lines = list(change.before)
        return cls(change, format, rng, outcome, lines, ["\n"] * len(lines), truth, [p.copy() for p in truth])

    # The file and the results.

    def file(self, rows: list[tuple[str, str]]) -> str:
        """Lines with their endings as one text."""
        text = self.bom + "".join(line + end for line, end in rows)
        return text[: -len(rows[-1][1])] if self.open_end and rows else text

    def original(self) -> str:
        """The file as the engine gets it."""
        return self.file(list(zip(self.lines, self.ends, strict=True)))

    def expected(self) -> str:
        """The file as it must become; the file itself where there is nothing left to do."""
        return self.original() if self.outcome == "noop" else self.file(applied(self.lines, self.ends, self.truth))

    def response(self) -> str:
        """The reply, slips and all."""
        if self.format == "whole_file" and not self.wording.whole:
            self.wording.whole = [text for text, _ in applied(self.lines, self.ends, self.truth)]
        rendered = render(self.format, self.said, self.change.path, self.change.tag, self.wording)
        text = self.crop(rendered) if self.crop else rendered.text
        for wrap in self.wraps:
            text = wrap(text)
        return text

    # Changing the file without the edit knowing.

    def region(self, kinds: str) -> Iterator[tuple[Passage, int, int]]:
        """(passage, operation, file line) of the non-blank lines of these kinds."""
        for passage in self.truth:
            at = passage.start
            for k, (kind, text) in enumerate(passage.ops):
                if kind in kinds and text.strip():
                    yield passage, k, at
                at += kind != "+"

    def set_line(self, passage: Passage, k: int, at: int, text: str) -> None:
        """Give a file line of the region another text."""
        self.lines[at] = text
        passage.ops[k] = (passage.ops[k][0], text)

    def insert_outside(self, lines: list[str], *, above: int | None = None, known: bool = True) -> int | None:
        """Put lines somewhere outside all passages; where, or None when there is no room.

        `above` keeps them above a line; with `known` false, the edit's line numbers stay those of the old file.
        """
        free = [
            at
            for at in range(len(self.lines) + 1 if above is None else above + 1)
            if all(at <= p.start - 1 or at >= p.stop + 1 for p in self.truth) and (at == 0 or at < len(self.lines))
        ]
        if not free:
            return None
        at = self.rng.choice(free)
        self.lines[at:at] = lines
        self.ends[at:at] = ["\n"] * len(lines)
        for passage in self.truth + (self.said if known else []):
            passage.start += len(lines) if passage.start >= at else 0
        return at

    def set_ends(self, end: str) -> None:
        """One line ending for the whole file."""
        self.ends = [end] * len(self.lines)
        for passage in self.truth:
            passage.end = end

    # Changing what the model says.

    def reword(self, change: Callable[[str], str], kinds: str = " -+", share: float = 1.0) -> bool:
        """Change the non-blank lines of these kinds; whether a line of the old side became different."""
        hit = False
        for passage in self.said:
            for k, (kind, text) in enumerate(passage.ops):
                if kind in kinds and text.strip() and (share >= 1 or self.rng.random() < share):
                    new = change(text)
                    hit = hit or (kind != "+" and new != text)
                    passage.ops[k] = (kind, new)
        return hit

    def said_line(self, kinds: str, test: Callable[[str], object] = bool) -> tuple[Passage, int] | None:
        """A random operation of these kinds whose line passes the test."""
        found = [
            (p, k)
            for p in self.said
            for k, (kind, text) in enumerate(p.ops)
            if kind in kinds and text.strip() and test(text)
        ]
        return self.rng.choice(found) if found else None

    def widen(self, context: int, *, merge: bool = True) -> bool:
        """Show more lines around each change; False where the passages are then no longer unmistakable."""
        self.truth = cut(self.change, context)
        self.said = cut(self.change, context, merge=merge)
        return unmistakable(self.lines, self.said) and not collides(self.format, self.said)

    def hide_numbers(self) -> None:
        """Line numbers must not settle which of several places is meant."""
        self.wording.ranges = False
        if self.format == "unified_diff":
            self.wording.header = "@@ @@"
