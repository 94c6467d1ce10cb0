"""What a Python text tells about its layout: how far blocks are indented, and which lines begin inside a string."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from functools import partial

from inlay.text.lines import indent_of


def steps(tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """By how much each block is indented."""
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.stmt() as first, *_] if isinstance(node, ast.stmt) and first.lineno > node.lineno:
                yield indent_of(lines[first.lineno - 1]).removeprefix(indent_of(lines[node.lineno - 1]))


def verbatim(tree: ast.Module, lines: list[str]) -> frozenset[int]:
    """Lines that begin inside a string; a docstring is laid out with its code."""
    docstrings = set(_docstrings(tree))
    kept: set[int] = set()
    for start, end in _strings(lines):
        if start not in docstrings:
            kept.update(range(start, end))
    return frozenset(kept)


def _strings(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line of every string, 1-based; since Python 3.12 formatted strings come in pieces."""
    opened: list[int] = []
    for token in tokenize.generate_tokens(partial(next, (f"{line}\n" for line in lines), "")):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            yield token.start[0], token.end[0]
        elif name in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start[0])
        elif name in ("FSTRING_END", "TSTRING_END"):
            yield opened.pop(), token.end[0]


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(ast.Constant(str())) as first, *_]:
                    yield first.lineno
