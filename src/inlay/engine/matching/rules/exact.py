"""The strictest rule: every wanted line stands in the file letter by letter."""

from __future__ import annotations

from inlay.engine.matching.probe import exact_offsets
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import Source

NAME = "exact"


def find(source: Source, wanted: Wanted) -> list[Place]:
    offsets = exact_offsets(source, wanted.lines)
    return [Place.run(source.line_at(at), len(wanted.lines), NAME) for at in offsets]
