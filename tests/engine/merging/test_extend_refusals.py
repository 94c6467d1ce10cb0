"""Extending refuses wherever it cannot be sure, and says why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from inlay.errors import MergeRefused

A = "class A:\n    def f(self): return 1\n\n    def g(self): return 2\n"

CASES = {
    "an existing method that differs": (A, "class A:\n    def f(self): return 3\n", "exists"),
    "a class that is not there": (A, "class B:\n    def z(self): pass\n", "no-such-class"),
    "two classes of one name": (A + "\n" + A, "class A:\n    def z(self): pass\n", "ambiguous"),
    "a method that is there twice": (
        A + "\n    def f(self): return 2\n",
        "class A:\n    def f(self): pass\n",
        "ambiguous",
    ),
    "a method that comes twice": (A, "class A:\n    def z(self): pass\n    def z(self): return 1\n", "ambiguous"),
    "an existing file that does not parse": ("class A(:\n", "class A:\n    def z(self): pass\n", "unreadable"),
    "new content that does not parse": (A, "class A:\n    def z(self: pass\n", "unreadable"),
    "a name that a condition defines": (
        "if X:\n    def f(): pass\nelse:\n    def f(): return 1\n",
        "def f(): return 2\n",
        "conditional",
    ),
    "a method without a class where there are two": (
        A + "\n\nclass B: pass\n",
        "    def z(self): pass\n",
        "which-class",
    ),
    "an import whose name is taken": ("import a as b\n", "import b\n", "ambiguous"),
    "a class that is nested elsewhere": (
        "class A:\n    class M:\n        x = 1\n",
        "class M:\n    y = 1\n",
        "ambiguous",
    ),
    "a class that a function defines": ("def f():\n    class A: pass\n", "class A:\n    x = 1\n", "ambiguous"),
    "a base that the class does not have": (A, "class A(Base):\n    def z(self): pass\n", "header-differs"),
    "one of two fields on one line": ("class A:\n    x, y = 1, 2\n", "class A:\n    x = 3\n", "ambiguous"),
    "an order that cannot be": (
        "class A:\n    a = new\n\n    b = 1\n",
        "class A:\n    new = b\n",
        "order",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_refuses(case: str, refused: Callable[..., MergeRefused]) -> None:
    existing, new, code = CASES[case]
    assert [misfit.code for misfit in refused(existing, new).misfits] == [code]


def test_all_existing_members_are_listed_at_once(refused: Callable[..., MergeRefused]) -> None:
    new = "class A:\n    def f(self): return 3\n    def g(self): return 4\n"
    refusal = refused(A, new)
    assert "f, g" in str(refusal)
    assert refusal.misfits[0].candidates == (2, 4)
    assert "already there" in refusal.feedback()


@pytest.mark.parametrize("path", ["a.txt", "a.css", "a.unknown", "a.kt"])
def test_only_languages_with_classes_can_be_extended(path: str, refused: Callable[..., MergeRefused]) -> None:
    assert refused("x\n", "y\n", path).misfits[0].code == "not-extendable"


@pytest.mark.parametrize(
    ("path", "existing", "new", "code"),
    [
        ("a.js", "class A {\n  m() {}\n}\n", "class A {\n  m() { return 1; }\n}\n", "exists"),
        ("a.js", "class A {\n  m() {}\n}\n", "class B {\n  n() {}\n}\n", "no-such-class"),
        ("a.js", "class A {\n  m() {\n}\n", "class A {\n  n() {}\n}\n", "unreadable"),
        ("a.js", "class A {\n  m() {}\n}\n", "class A {\n  n( {}\n}\n", "unreadable"),
        ("a.ts", "class A {}\nnamespace N { class A {} }\n", "class A {\n  n() {}\n}\n", None),
        (
            "A.java",
            "class A {\n  int f(int a) { return a; }\n}\n",
            "class A {\n  int f(int b) { return 0; }\n}\n",
            "exists",
        ),
        ("a.rs", "#[cfg(unix)]\nfn f() {}\n", "fn f() { g() }\n", "ambiguous"),
        ("a.go", "package p\n\nfunc f() {}\n", "package q\n\nfunc g() {}\n", "other-module"),
        ("a.rb", "class A\n  def f; end\nend\n", "class A\n  def f\n    1\n  end\nend\n", "exists"),
        ("a.rs", "impl A {\n    fn f(&self) {}\n}\n", "impl A {\n    fn f(&self) { g() }\n}\n", "exists"),
        ("a.hpp", "class A {\n public:\n  int f();\n};\n", "  int g() const;\n", "which-section"),
        ("a.cs", "#if X\nclass A { }\n#else\nclass A { }\n#endif\n", "class A {\n  int x;\n}\n", "conditional"),
    ],
)
def test_other_languages_refuse_alike(
    path: str,
    existing: str,
    new: str,
    code: str | None,
    refused: Callable[..., MergeRefused],
    extended: Callable[..., str],
) -> None:
    if code is None:
        assert "n() {}" in extended(existing, new, path)
    else:
        assert refused(existing, new, path).misfits[0].code == code
