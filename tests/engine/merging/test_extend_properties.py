"""For any mixture of members, style and line ending: all old lines stay, and each new member is there once."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inlay.engine.merging import merge
from inlay.model.file import RepoPath

pytestmark = pytest.mark.slow

MEMBERS = {
    "f": "def f(self):\n{u}return 1",
    "g": "@property\ndef g(self):\n{u}# why\n{u}return 2",
    "h": "# about h\n@staticmethod\ndef h():\n{u}if 1:\n{u}{u}return '''a\n b'''",
    "x": "x = 1",
    "y": "y: int = 2  # trailing",
    "z": "z = [\n{u}1,\n{u}2,\n]",
    "In": "class In:\n{u}def q(self): ...",
    "k": "async def k(self, a, *, b=1): return a",
}
UNITS = st.sampled_from(["  ", "    ", "\t"])


def body(names: list[str], unit: str, blank: int) -> str:
    parts = [MEMBERS[name].format(u=unit) for name in names]
    inside = ["\n".join(_indented(part, unit)) for part in parts]
    return ("\n" + "\n" * blank).join(inside)


def _indented(part: str, unit: str) -> list[str]:
    # The second line of the string in `h` is content and must not move.
    return [line if line == " b'''" else unit + line for line in part.split("\n")]


@settings(max_examples=60, deadline=None)
@given(
    st.permutations(sorted(MEMBERS)),
    st.integers(0, len(MEMBERS)),
    UNITS,
    UNITS,
    st.integers(0, 2),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.sampled_from(["", "\n\n\ndef after(): pass\n", "\n\nclass B(A):\n    def f(self): pass\n"]),
)
def test_old_lines_stay_and_new_members_come_once(
    names: list[str], cut: int, unit: str, other: str, blank: int, ending: str, final: bool, rest: str
) -> None:
    old, new = names[:cut], names[cut:]
    existing = f"import os\n\n\nclass A:\n{body(old, unit, blank) if old else unit + 'pass'}" + (rest or "\n" * final)
    existing = existing.replace("\n", ending)
    content = f"class A:\n{body(new, other, 1) if new else other + 'pass'}\n"
    merged = merge("extend", existing, content, path=RepoPath("a.py")).text
    assert merged.endswith(ending) == existing.endswith(ending)
    left = iter(merged.split(ending))
    assert all(line in left for line in existing.split(ending) if line and line.strip() != "pass")
    owner = next(node for node in ast.parse(merged).body if isinstance(node, ast.ClassDef))
    found = [name for node in owner.body for name in _names(node)]
    assert sorted(found) == sorted(names)


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return [name]
    return []


@settings(max_examples=60, deadline=None)
@given(st.permutations(sorted(MEMBERS)), UNITS)
def test_extending_twice_changes_nothing_more(names: list[str], unit: str) -> None:
    existing = f"class A:\n{body(names[:3], unit, 1)}\n"
    content = f"class A:\n{body(names[3:], unit, 1)}\n"
    once = merge("extend", existing, content, path=RepoPath("a.py")).text
    assert merge("extend", once, content, path=RepoPath("a.py")).text == once
