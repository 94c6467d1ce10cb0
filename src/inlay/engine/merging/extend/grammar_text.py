"""What a syntax tree tells about the layout of its text: faults, indentation, and lines that begin inside a string."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from inlay.text.lines import indent_of, is_blank

if TYPE_CHECKING:
    from tree_sitter import Node

_STRINGS = ("string", "heredoc", "template", "text_block", "raw")


def faults(root: Node) -> Iterator[Node]:
    """Everything the parser could not read, or had to make up."""
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        waiting.extend(each for each in node.children if each.has_error or each.is_missing)


def verbatim(root: Node) -> frozenset[int]:
    """The lines that begin inside a string."""
    kept: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        first, last = node.start_point[0], node.end_point[0]
        if first == last:
            continue
        if any(word in node.type for word in _STRINGS):
            kept.update(range(first + (node.start_point[1] > 0), last + 1))
        waiting.extend(node.children)
    return frozenset(kept)


def steps(root: Node, lines: list[str]) -> Iterator[str]:
    """How much deeper than its closing bracket or word each block is."""
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if node.start_point[0] == node.end_point[0]:
            continue
        waiting.extend(node.children)
        closer, row = node.children[-1] if node.children else None, node.start_point[0] + 1
        if closer is not None and closer.type in ("}", "end") and row < closer.start_point[0]:
            outer, inner = (indent_of(lines[n]) for n in (closer.start_point[0], row))
            if not is_blank(lines[row]) and inner.startswith(outer):
                yield inner[len(outer) :]
