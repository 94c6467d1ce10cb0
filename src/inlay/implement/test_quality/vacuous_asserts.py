"""Assertions that cannot fail, or that say nothing about the project: only what is certain."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable

from inlay.implement.test_quality.python_asserts import Function, last_name

_BUILTINS = frozenset(dir(builtins))
_FRAMEWORK = frozenset({"pytest", "unittest", "mock", "Mock", "MagicMock", "AsyncMock", "patch", "typing", "self"})
_MOCKS = frozenset({"Mock", "MagicMock", "AsyncMock"})
_SAME = (ast.Eq, ast.Is, ast.GtE, ast.LtE)
_EQUALS = frozenset("assertEqual assertEquals assertIs assertCountEqual assertListEqual assertDictEqual".split())
# A class may have assertions of its own, which look further than at their arguments.
_PLAIN = _EQUALS | frozenset(
    "assertTrue assertFalse assertNotEqual assertIsNot assertIsNone assertIsNotNone assertIn assertNotIn "
    "assertIsInstance assertGreater assertGreaterEqual assertLess assertLessEqual assertAlmostEqual".split()
)


def vacuous(node: ast.AST, own: frozenset[str]) -> str:
    """Why an assertion shows nothing; `own` are names that the test itself gave plain values. Empty where it may."""
    match node:
        case ast.Assert():
            return _condition(node.test, own)
        case ast.Call():
            return _call(node, own)
        case _:
            return ""


def own_names(function: Function) -> frozenset[str]:
    """Names that stand for literals and mocks of the test's own making, and for nothing else; Python's own as well."""
    given: dict[str, list[ast.expr]] = {}
    for statement in function.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            given.setdefault(_name(statement.targets[0]), []).append(statement.value)
    for name, value in (taken for node in ast.walk(function) for taken in _takings(node)):
        if name in given:
            given[name].append(value)
    bound = Counter(node.id for node in ast.walk(function) if isinstance(node, ast.Name) and _is_bound(node))
    language = _BUILTINS - bound.keys()
    found = language
    while True:
        more = language | {
            # What is given twice tells which way the test went, and that may be the project's doing.
            name
            for name, values in given.items()
            if bound[name] == 1 and all(_is_own(value, found) for value in values)
        }
        if more == found:
            return language | (found - _handed_out(function, found))
        found = more


def _is_bound(name: ast.Name) -> bool:
    return isinstance(name.ctx, (ast.Store, ast.Del))


def _takings(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """Names that take a value up, as a list does by `append`, and anything by having a part of it set."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [(_root(target), value) for target in targets]
        case ast.AugAssign(target=target, value=value):
            return [(_root(target), value)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=arguments):
            return [(name, argument) for argument in arguments]
        case _:
            return []


def _name(target: ast.expr) -> str:
    """A name that is given itself, and not a part of what it stands for."""
    return target.id if isinstance(target, ast.Name) else ""


def _root(target: ast.expr) -> str:
    """`x` of `x`, `x[0]`, `x.y` and of the first of several."""
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        target = target.value
    if isinstance(target, (ast.Tuple, ast.List)):
        return _root(target.elts[0]) if target.elts else ""
    return target.id if isinstance(target, ast.Name) else ""


def _handed_out(function: Function, own: frozenset[str]) -> frozenset[str]:
    """Names given to something else, which may have changed what they hold."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and not _is_own(node.func, own)]
    values = [value for call in calls for value in (*call.args, *(word.value for word in call.keywords))]
    asserting = {value for call in calls if last_name(call).startswith("assert") for value in call.args}
    kept = [value for value in values if value not in asserting]
    inner = [
        node for node in ast.walk(function) if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node is not function
    ]
    return frozenset(name for part in (*kept, *inner) for name in _names(part))


def reaches_out(function: Function, own: frozenset[str]) -> bool:
    """Whether a test uses anything at all that is neither its own nor the test framework's."""
    bound = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)} - {"self"}
    used = {node.id for body in function.body for node in ast.walk(body) if isinstance(node, ast.Name)}
    on_self = any(
        isinstance(node, ast.Attribute) and _is_state(node) for body in function.body for node in ast.walk(body)
    )
    local = {node.name for node in ast.walk(function) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imports = any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(function))
    return on_self or imports or bool((used | (bound & used)) - own - _FRAMEWORK - (local - {function.name}))


def _is_state(node: ast.Attribute) -> bool:
    """`self.cart`, made in a set-up; not `self.assertEqual`."""
    return isinstance(node.value, ast.Name) and node.value.id == "self" and not node.attr.startswith(("assert", "fail"))


def _is_own(value: ast.expr, own: frozenset[str]) -> bool:
    for node in ast.walk(value):
        if isinstance(node, ast.Name) and node.id not in own and node.id not in _MOCKS:
            return False
        if isinstance(node, ast.Call) and last_name(node) in ("open", "eval", "exec", "__import__", "input"):
            return False
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
            return False
    return True


def _condition(test: ast.expr, own: frozenset[str]) -> str:
    if isinstance(test, ast.Tuple) and test.elts:
        return "asserts a tuple, which is always true"
    if isinstance(test, ast.Constant) and test.value:
        return f"asserts {ast.unparse(test)}"
    if _names(test) <= _BUILTINS & own and not isinstance(test, ast.Constant):
        return f"asserts only about constants: {_short(test)}"
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and any(_condition(v, own) for v in test.values):
        return f"asserts what is always true: {_short(test)}"
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and all(_condition(v, own) for v in test.values):
        return f"asserts what is always true: {_short(test)}"
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(test, own)
    if isinstance(test, ast.Call) and last_name(test) == "isinstance" and last_name(test.args[-1]) == "object":
        return f"asserts what is always true: {_short(test)}"
    return f"asserts about its own values only: {_short(test)}" if _is_own(test, own) else ""


def _comparison(test: ast.Compare, own: frozenset[str]) -> str:
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(operator, _SAME) and _same(left, right):
        return f"compares a thing with itself: {_short(test)}"
    never_negative = isinstance(left, ast.Call) and last_name(left) == "len" and isinstance(operator, ast.GtE)
    if never_negative and isinstance(right, ast.Constant) and right.value == 0:
        return f"asserts what is always true: {_short(test)}"
    return f"asserts about its own values only: {_short(test)}" if _is_own(test, own) else ""


def _call(call: ast.Call, own: frozenset[str]) -> str:
    name = last_name(call)
    arguments = call.args
    if name in _EQUALS and len(arguments) >= 2 and _same(arguments[0], arguments[1]):
        return f"compares a thing with itself: {_short(call)}"
    if name in ("assertTrue", "assert_", "assertIsNotNone") and arguments and isinstance(arguments[0], ast.Constant):
        return f"asserts a constant: {_short(call)}"
    if name in _PLAIN and arguments and all_own(arguments, own):
        return f"asserts about its own values only: {_short(call)}"
    return ""


def _same(left: ast.expr, right: ast.expr) -> bool:
    """The same thing twice; two calls may well give two things."""
    calls = any(isinstance(node, (ast.Call, ast.Await)) for node in ast.walk(left))
    return not calls and ast.dump(left) == ast.dump(right)


def all_own(values: Iterable[ast.expr], own: frozenset[str]) -> bool:
    return all(_is_own(value, own) for value in values)


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 80 else f"{text[:79]}…"
