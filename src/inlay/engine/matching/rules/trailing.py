"""Blanks at line ends, and line endings, may differ; indentation carries meaning and may not."""

from __future__ import annotations

from inlay.engine.matching.block import same_shape
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import BLANKS, Source

NAME = "trailing blanks"


def find(source: Source, wanted: Wanted) -> list[Place]:
    return same_shape(source, wanted.lines, NAME, _agree)


def _agree(pairs: list[tuple[str, str]]) -> bool:
    return all(want.rstrip(BLANKS) == have.rstrip(BLANKS) for want, have in pairs)
