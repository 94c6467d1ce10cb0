"""Blanks at line ends, and line endings, may differ; indentation carries meaning and may not."""

from __future__ import annotations

from inlay.engine.matching.block import same_ends
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import Source

NAME = "trailing blanks"


def find(source: Source, wanted: Wanted) -> list[Place]:
    return same_ends(source, wanted.lines, NAME)
