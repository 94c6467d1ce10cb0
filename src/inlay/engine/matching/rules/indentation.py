"""The block is indented otherwise than the file: one shift explains every line, or only line one lost its blanks."""

from __future__ import annotations

from inlay.engine.matching.block import same_shape
from inlay.engine.matching.shift import consistent
from inlay.engine.matching.wanted import Wanted
from inlay.model.match import Place
from inlay.text.lines import Source

NAME = "indentation"


def find(source: Source, wanted: Wanted) -> list[Place]:
    return same_shape(source, wanted.lines, NAME, consistent)
