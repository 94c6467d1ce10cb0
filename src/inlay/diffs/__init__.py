"""Differences: of two texts as a person reads them, and of commits as git writes them, cut to what a model can take."""

from inlay.commits.diff.chunk import chunk
from inlay.commits.diff.hunks import hunks
from inlay.commits.diff.pack import pack
from inlay.commits.diff.sections import parse
from inlay.commits.diff.split import Measure, split
from inlay.text.diff import Difference, DiffLine, compare, difference, lost_lines
from inlay.text.excerpt import Excerpt, excerpt
from inlay.text.window import count_lines

__all__ = [
    "DiffLine",
    "Difference",
    "Excerpt",
    "Measure",
    "chunk",
    "compare",
    "count_lines",
    "difference",
    "excerpt",
    "hunks",
    "lost_lines",
    "pack",
    "parse",
    "split",
]
