"""Edits that quote what earlier edits of the same reply made, applied one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inlay.engine import matching
from inlay.engine.matching.nearest import resembling
from inlay.engine.matching.wanted import Wanted
from inlay.engine.staging.compose import Composed, compose
from inlay.engine.staging.evidence import Evidence
from inlay.engine.staging.locate import fit
from inlay.engine.staging.located import Fit, NotLocated, not_found, refused, script
from inlay.engine.staging.weave import Region
from inlay.errors import Misfit
from inlay.model.edit import Edit
from inlay.model.match import Match
from inlay.text.lines import Source

_COPIES = 4  # of the text that each further edit makes
_LETTERS_A_REGION = 500  # as costly to search as one region is to move

_TELLING = 4  # letters and digits of a line that shows a place


@dataclass(slots=True)
class _Written:
    """Lines of the text as it is now that an edit wrote; none where it only removed some."""

    edit: int
    first: int
    end: int


class Chain:
    """The text after the edits so far, and which of its lines they wrote."""

    def __init__(self, source: Source, composed: Composed, fits: list[Fit], note: str, in_prose: bool) -> None:
        self._original, self._note, self._in_prose = source, note, in_prose
        self._extents = {found.edit.number: found.extent for found in fits if not found.done}
        self._written: list[_Written] = []
        self._now = Source(composed.text)
        self.matches: list[Match] = []
        self.warnings: list[str] = []
        self._note_regions(composed.written)

    @property
    def text(self) -> str:
        return self._now.text

    def add_all(self, edits: list[Edit]) -> None:
        """Apply the edits in the order of the reply; raises NotLocated with the misfits of all that do not fit."""
        misfits: list[Misfit] = []
        for edit in sorted(edits, key=lambda edit: edit.number):
            try:
                self._add(edit)
            except NotLocated as refusal:
                misfits += refusal.misfits
        if misfits:
            raise NotLocated(*misfits)

    def _add(self, edit: Edit) -> None:
        """Apply one more edit; raises NotLocated unless it quotes lines that earlier edits wrote, and no others fit."""
        source = Source(self.text, self._original.work)
        source.work.spend(letters=_COPIES * len(self.text) + _LETTERS_A_REGION * len(self._written))
        found = fit(source, replace(edit, line=None), matching.STRICT, Evidence(source))
        if isinstance(found, Misfit):
            raise NotLocated(found)
        authors = self._authors(found) if found else set()
        if not found or not authors or max(authors) >= edit.number:
            raise NotLocated(not_found(edit))
        if not self._shows_context(source, found):
            self._refuse_rival(edit, authors)
        composed = compose(source, [found], self._note, self._in_prose)
        self._shift(composed.written)
        self._note_regions(composed.written)
        self._extents[edit.number] = self._replaced(authors)
        self._now = Source(composed.text)
        self.matches += composed.matches
        self.warnings += composed.warnings

    def _authors(self, found: Fit) -> set[int]:
        """The edits that wrote any of the lines that an edit quotes, or removed lines between them."""
        first, end = found.extent
        return {
            lines.edit
            for lines in self._written
            if (lines.first < end and first < lines.end) or (lines.first == lines.end and first < lines.first < end)
        }

    def _shows_context(self, source: Source, found: Fit) -> bool:
        """Whether an edit quotes lines of the file beside those that the reply wrote, which proves the place."""
        first, end = found.extent
        own = [n for n in range(first, end) if not any(lines.first <= n < lines.end for lines in self._written)]
        return any(sum(map(str.isalnum, source.line(n))) >= _TELLING for n in own)

    def _replaced(self, authors: set[int]) -> tuple[int, int]:
        extents = [self._extents[number] for number in authors]
        return min(first for first, _ in extents), max(end for _, end in extents)

    def _refuse_rival(self, edit: Edit, authors: set[int]) -> None:
        """The file itself may have what the edit means, with a slip; what the reply wrote then proves nothing."""
        lines = Wanted.old(script(edit.variants[0])).lines
        near = resembling(self._original, lines, [self._replaced(authors)])
        if near is None:
            return
        message = f"the block is in what edit {max(authors)} writes, and line {near + 1} of the file is very like it"
        advice = "Quote the lines exactly as they are in the file, with more of them around the change."
        misfit = refused(edit, "contradiction", message, advice, lines)
        raise NotLocated(replace(misfit, candidates=(near + 1,)))

    def _note_regions(self, written: list[tuple[int, Region]]) -> None:
        moved = 0
        for number, region in written:
            first = region.first + moved
            self._written.append(_Written(number, first, first + len(region.new)))
            moved += len(region.new) - (region.end - region.first)

    def _shift(self, written: list[tuple[int, Region]]) -> None:
        """Move the lines known so far to where they are after more regions were replaced; forget those replaced."""
        gone = [range(region.first, region.end) for _, region in written]
        self._written = [
            lines for lines in self._written if not any(r.start <= lines.first < lines.end <= r.stop for r in gone)
        ]
        for lines in self._written:
            first, end = lines.first, lines.end
            for _, region in written:
                moved = len(region.new) - (region.end - region.first)
                lines.first += moved if first >= region.end else 0
                lines.end += moved if end >= region.end else 0
