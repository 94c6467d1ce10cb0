"""Differences: of two texts as a person reads them, and of commits as git writes them, cut to what a model can take."""

from inlay.diffs.chunking import chunk
from inlay.diffs.hunks import hunks
from inlay.diffs.packing import pack
from inlay.diffs.sections import parse
from inlay.diffs.splitting import Measure, split
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
