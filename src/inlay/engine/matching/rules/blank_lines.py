"""Blank lines may be missing or added; the file's own count is kept."""

from __future__ import annotations

from inlay.engine.matching.block import same_words
from inlay.engine.matching.shift import consistent
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import Source

NAME = "blank lines"


def find(source: Source, wanted: Wanted) -> list[Place]:
    return same_words(source, wanted.lines, NAME, consistent)
