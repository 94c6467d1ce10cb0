"""Python test files as trees: which functions are tests, and what in them asserts something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_ASSERTING = ("assert", "expect")
# Names that assert only where they come from the tests themselves; a project may have a `check` to be tested.
_CHECKING = ("assert", "expect", "verify", "check", "ensure", "should", "compare")
_TEST_MODULE = re.compile(r"test|helper|conftest|assert|support|util")
_RAISING = frozenset({"raises", "warns", "deprecated_call", "RaisesGroup", "check_call", "check_output"})
_GIVING_UP = frozenset({"fail", "skip", "xfail", "exit", "skipTest"})


@dataclass(frozen=True, slots=True)
class TestFunction:
    __test__ = False

    name: str  #: with its classes: "TestCart::test_empty"
    node: Function
    owners: tuple[ast.ClassDef, ...] = ()

    @property
    def decorators(self) -> list[ast.expr]:
        return [*self.node.decorator_list, *(mark for owner in self.owners for mark in owner.decorator_list)]

    @property
    def live(self) -> list[ast.stmt]:
        """The statements that run: nothing after one that always leaves."""
        body = list(self.node.body)
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        for at, statement in enumerate(body):
            if isinstance(statement, (ast.Return, ast.Raise)) or called(statement) in _GIVING_UP:
                return body[: at + 1]
        return body


def find_tests(tree: ast.Module) -> tuple[TestFunction, ...]:
    """Every function that pytest or unittest would run."""
    return tuple(_tests_within(tree.body, ()))


def _tests_within(body: list[ast.stmt], owners: tuple[ast.ClassDef, ...]) -> Iterator[TestFunction]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            yield TestFunction("::".join([*(owner.name for owner in owners), node.name]), node, owners)
        elif isinstance(node, ast.ClassDef):
            if node.name.startswith("Test") or any(last_name(base).endswith("TestCase") for base in node.bases):
                yield from _tests_within(node.body, (*owners, node))
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _tests_within(node.body, owners)


def last_name(node: ast.AST) -> str:
    """`c` of `a.b.c` and of `a.b.c()`; empty for anything else."""
    match node:
        case ast.Call():
            return last_name(node.func)
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
        case _:
            return ""


def called(statement: ast.stmt) -> str:
    """The name that a statement of one call calls."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return last_name(statement.value)
    return ""


def assertions(nodes: list[ast.stmt], helpers: frozenset[str] = frozenset()) -> list[ast.AST]:
    """Everything below these statements that can make a test fail on purpose; `helpers` are functions that assert."""
    return [node for statement in nodes for node in ast.walk(statement) if _asserts(node, helpers)]


def _asserts(node: ast.AST, helpers: frozenset[str]) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Call():
            name = last_name(node)
            checked = any(word.arg == "check" and getattr(word.value, "value", None) is True for word in node.keywords)
            asserts = name in _RAISING or name in helpers or name.lstrip("_").lower().startswith(_ASSERTING)
            return checked or asserts or _checks_itself(node, name)
        case ast.Raise(exc=ast.expr() as raised):
            return last_name(raised) == "AssertionError"
        case _:
            return False


def _checks_itself(call: ast.Call, name: str) -> bool:
    """`self.check_order(…)`, a method of the test's class or of one above it; or a helper that gets the test."""
    on_self = isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "self"
    handed = any(isinstance(argument, ast.Name) and argument.id == "self" for argument in call.args)
    return handed or (on_self and name.lstrip("_").lower().startswith(_CHECKING))


def asserting_helpers(tree: ast.Module) -> frozenset[str]:
    """Functions of the file, no tests themselves, that assert; also through one another."""
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    functions = [function for function in functions if not function.name.startswith("test")]
    imported = helpers = _imported_helpers(tree)
    while True:
        more = imported | {node.name for node in functions if assertions(node.body, helpers)}
        if more == helpers:
            return helpers
        helpers = more


def _imported_helpers(tree: ast.Module) -> frozenset[str]:
    """Checking functions that come from modules of the tests, as fixtures, or as `equal = self.assertEqual`."""
    names: set[str] = set()
    aliases: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom() if node.level or _TEST_MODULE.search(node.module or ""):
                names |= {alias.asname or alias.name for alias in node.names}
            case ast.arg(arg=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute(attr=attribute)):
                aliases |= {name} if attribute.startswith("assert") else set()
    return frozenset(aliases | {name for name in names if name.lstrip("_").lower().startswith(_CHECKING)})


def skips(test: TestFunction, tree: ast.Module) -> str:
    """Why a test never counts: it or all around it is always skipped or expected to fail; empty where it does."""
    for decorator in test.decorators:
        name, arguments = last_name(decorator), decorator.args if isinstance(decorator, ast.Call) else []
        always = bool(arguments) and isinstance(arguments[0], ast.Constant) and bool(arguments[0].value)
        if name in ("skip", "xfail", "expectedFailure") or (name in ("skipif", "skipIf") and always):
            return f"is marked {name}"
    marks = [mark for body in (tree.body, *(owner.body for owner in test.owners)) for mark in _pytestmarks(body)]
    if any(mark in ("skip", "xfail") for mark in marks):
        return "is in a file or class that is skipped"
    end = called(test.live[-1]) if test.live else ""
    return f"always ends in {end}" if end in ("skip", "xfail", "skipTest") else ""


def _pytestmarks(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.Assign) and any(last_name(target) == "pytestmark" for target in statement.targets):
            values = statement.value.elts if isinstance(statement.value, (ast.List, ast.Tuple)) else [statement.value]
            yield from (last_name(value) for value in values)
        elif called(statement) == "skip":
            yield "skip"
