"""The difference between two texts as a person reads it: lines, the words that differ in them, how many there are."""

from inlay.diffs.capping import Excerpt, excerpt
from inlay.diffs.difference import Difference, DiffLine, compare, difference, lost_lines
from inlay.diffs.window import count_lines

__all__ = ["DiffLine", "Difference", "Excerpt", "compare", "count_lines", "difference", "excerpt", "lost_lines"]
