"""Take a method out of a real class and extend it back: the file has it once, and is otherwise what it was."""

from __future__ import annotations

import argparse
import ast
import collections
import configparser
import inspect
import random
import tarfile
from collections.abc import Iterator
from types import ModuleType

import pytest

from inlay.engine.merging import merge
from inlay.model.file import RepoPath

pytestmark = pytest.mark.slow

MODULES = [argparse, collections, configparser, random, tarfile]


def methods(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and len(node.body) > 1:
            yield from ((node, each) for each in node.body if isinstance(each, ast.FunctionDef))


def span(lines: list[str], method: ast.FunctionDef) -> tuple[int, int]:
    """The method with its decorators and the comments directly above."""
    first = (method.decorator_list[0].lineno if method.decorator_list else method.lineno) - 1
    while lines[first - 1].startswith(" " * method.col_offset + "#"):
        first -= 1
    return first, method.end_lineno or first


def without(lines: list[str], first: int, end: int) -> list[str]:
    """The lines without the method and without the blank ones above it."""
    while not lines[first - 1].strip():
        first -= 1
    return lines[:first] + lines[end:]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_method_taken_out_comes_back(module: ModuleType) -> None:
    text = inspect.getsource(module)
    tree, lines = ast.parse(text), text.split("\n")
    for owner, method in random.Random(1).sample(list(methods(tree)), 6):
        first, end = span(lines, method)
        rest = without(lines, first, end)
        new = "\n".join([f"class {owner.name}:", *lines[first:end], ""])
        merged = merge("extend", "\n".join(rest), new, path=RepoPath("a.py")).text
        assert lines[first:end] in removed(merged.split("\n"), rest), f"{owner.name}.{method.name}"
        assert members(ast.parse(merged), owner.name) == members(tree, owner.name)


def removed(merged: list[str], rest: list[str]) -> Iterator[list[str]]:
    """What may go from the merged lines to leave the rest, blank lines at its edges aside."""
    count = len(merged) - len(rest)
    same = next((n for n, (a, b) in enumerate(zip(merged, rest, strict=False)) if a != b), len(rest))
    for at in range(max(0, same - count), same + 1):
        if merged[:at] + merged[at + count :] == rest:
            added = merged[at : at + count]
            solid = [n for n, line in enumerate(added) if line.strip()]
            yield added[solid[0] : solid[-1] + 1]


def members(tree: ast.Module, name: str) -> list[str]:
    owner = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    return sorted(map(ast.dump, owner.body))
