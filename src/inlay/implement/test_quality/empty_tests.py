"""Tests that cannot fail: found by reading their code, and refused before anything is built on them.

Python is read as a tree, and only what is certain is reported. In other languages only the plainest signs are looked
for, in the text: no assertion at all, a comparison of a constant with itself, everything skipped.
"""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections import Counter
from dataclasses import dataclass

from inlay.implement.test_quality import python_asserts
from inlay.implement.test_quality.python_asserts import Function, TestFunction, assertions, called, last_name

_CATCHING = frozenset({"AssertionError", "Exception", "BaseException"})
_BUILTINS = frozenset(dir(builtins))
_MOCKS = frozenset({"Mock", "MagicMock", "AsyncMock"})
_FRAMEWORK = _MOCKS | {"pytest", "unittest", "mock", "patch", "typing", "self"}
_SAME = (ast.Eq, ast.Is, ast.GtE, ast.LtE)
_EQUALS = frozenset("assertEqual assertEquals assertIs assertCountEqual assertListEqual assertDictEqual".split())
# A class may have assertions of its own, which look further than at their arguments.
_PLAIN = _EQUALS | frozenset(
    "assertTrue assertFalse assertNotEqual assertIsNot assertIsNone assertIsNotNone assertIn assertNotIn "
    "assertIsInstance assertGreater assertGreaterEqual assertLess assertLessEqual assertAlmostEqual".split()
)
_SIGNS = re.compile(
    r"\b(?:assert\w*|expect\w*|should\w*|require\.\w+|t\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|XCTAssert\w*|"
    r"EXPECT_\w+|ASSERT_\w+|CHECK\w*|REQUIRE\w*|verify)\s*[!(.{ ]|\bt\.(?:is|ok|deepEqual|equal)\("
)
_TESTS = re.compile(
    r"^\s*(?:(?:it|test|specify)(?:\.each[^(]*)?\s*\(|func\s+Test\w+\(|#\[(?:\w+::)?test\b|@(?:Parameterized)?Test\b"
    r"|TEST(?:_\w+)?\s*\(|def\s+test_|(?:it|test|specify)\s+[\"'])",
    re.MULTILINE,
)
_SKIPPED = re.compile(
    r"^\s*(?:x(?:it|test|describe)\s*\(|(?:it|test|describe)\.(?:skip|todo)\s*\(|t\.Skip|#\[ignore|@(?:Ignore|Disabled)\b)",
    re.MULTILINE,
)
_ALWAYS_TRUE = re.compile(
    r"expect\(\s*(true|false|1|\"\w*\"|'\w*')\s*\)\s*\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)"
    r"|expect\(\s*true\s*\)\.toBeTruthy\(\)|assert!\(\s*true\s*\)|assert_eq!\(\s*(\w+)\s*,\s*\2\s*\)"
    r"|assert(?:\.ok|True)?\(\s*true\s*\)"
)


@dataclass(frozen=True, slots=True)
class WeakTest:
    """One test, or a whole file, that shows nothing or less than before."""

    test: str  #: "TestCart::test_empty"; empty for the file
    line: int
    reason: str  #: one clause that follows the name: "has no assertion"


def find_empty_tests(path: str, text: str) -> tuple[WeakTest, ...]:
    """Every test of a file that cannot fail, with the reason; none where all of them can."""
    if not path.endswith((".py", ".pyi")):
        return _in_text(text)
    try:
        tree = parse_tests(text)
    except (SyntaxError, ValueError) as error:
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        return (WeakTest("", line, f"does not parse: {error}"),)
    tests = python_asserts.find_tests(tree)
    if not tests:
        return (WeakTest("", 0, "has no test in it"),)
    helpers = python_asserts.asserting_helpers(tree)
    reasons = [(test, why_empty(test, tree, helpers)) for test in tests]
    return tuple(WeakTest(test.name, test.node.lineno, reason) for test, reason in reasons if reason)


def names_of_tests(path: str, text: str) -> tuple[str, ...]:
    """The tests of a Python file, with their classes; nothing for other languages and for what does not parse."""
    if not path.endswith(".py"):
        return ()
    try:
        return tuple(test.name for test in python_asserts.find_tests(parse_tests(text)))
    except (SyntaxError, ValueError):
        return ()


def parse_tests(text: str) -> ast.Module:
    """The tree of a file of tests; raises SyntaxError or ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `assert (x, "…")` is reported here
        return ast.parse(text)


def why_empty(test: TestFunction, tree: ast.Module, helpers: frozenset[str]) -> str:
    """Why a test cannot fail; empty where it can."""
    if reason := python_asserts.skips(test, tree) or _no_content(test.live):
        return reason
    checks = assertions(test.live, helpers)
    if not checks:
        return "has no assertion"
    own = _own_names(test.node)
    reasons = [
        _vacuous_condition(node.test, own) if isinstance(node, ast.Assert) else _vacuous_call(node, own)
        for node in checks
    ]
    if all(reasons):
        return reasons[0]
    swallowed = _swallowed(test.live, helpers)
    if all(node in swallowed or reason for node, reason in zip(checks, reasons, strict=True)):
        return "catches its own failures"
    if all(_raises_itself(node, test.live) for node in checks):
        return "raises what it expects by itself"
    return "" if _reaches_out(test.node, own) else "uses nothing of the project, only values of its own"


def counts(text: str) -> tuple[int, int, int]:
    """Tests, assertions and skips in a file of any language, going by the usual words."""
    return len(_TESTS.findall(text)), len(_SIGNS.findall(text)), len(_SKIPPED.findall(text))


def _in_text(text: str) -> tuple[WeakTest, ...]:
    tests, asserted, skipped = counts(text)
    if not tests:
        return (WeakTest("", 0, "skips every test" if skipped else "has no test that could be recognised"),)
    if not asserted:
        return (WeakTest("", 0, "has no assertion"),)
    return () if _SIGNS.search(_ALWAYS_TRUE.sub("", text)) else (WeakTest("", 0, "asserts only what is always true"),)


def _no_content(live: list[ast.stmt]) -> str:
    def says_nothing(statement: ast.stmt) -> bool:
        constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        returns = isinstance(statement, ast.Return) and statement.value is None
        return isinstance(statement, ast.Pass) or constant or returns

    if all(map(says_nothing, live)):
        return "has an empty body"
    if assertions(live[:-1]):
        return ""
    # Nothing before an end that is always reached: `pytest.fail("TODO")`, `raise NotImplementedError`.
    match live[-1]:
        case ast.Raise(exc=ast.expr() as raised):
            stub = last_name(raised) in ("NotImplementedError", "AssertionError")
        case ast.Assert(test=ast.Constant(value=value)):
            stub = not value
        case last:
            stub = called(last) == "fail"
    return "only says that it is not written yet" if stub else ""


def _swallowed(live: list[ast.stmt], helpers: frozenset[str]) -> set[ast.AST]:
    """Assertions inside a `try` whose handler lets the test pass all the same."""
    swallowed: set[ast.AST] = set()
    for node in (node for statement in live for node in ast.walk(statement)):
        match node:
            case ast.Try() if any(map(_lets_pass, node.handlers)):
                swallowed.update(assertions(node.body, helpers))
            case ast.With() | ast.AsyncWith():
                calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
                arguments = [value for call in calls if last_name(call) == "suppress" for value in call.args]
                if any(last_name(value) in _CATCHING for value in arguments):
                    swallowed.update(assertions(node.body, helpers))
    return swallowed


def _lets_pass(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    catches = any(kind is None or last_name(kind) in _CATCHING for kind in kinds)
    leaves = any(isinstance(node, ast.Raise) for body in handler.body for node in ast.walk(body))
    fails = any(called(statement) == "fail" for statement in handler.body)
    return catches and not leaves and not fails and not assertions(handler.body)


def _raises_itself(node: ast.AST, live: list[ast.stmt]) -> bool:
    """`with pytest.raises(X): raise X`."""
    if last_name(node) not in ("raises", "assertRaises", "assertRaisesRegex"):
        return False
    for block in (inner for statement in live for inner in ast.walk(statement)):
        if isinstance(block, ast.With) and [item.context_expr for item in block.items] == [node]:
            return all(isinstance(inner, (ast.Raise, ast.Pass)) for inner in block.body)
    return False


def _own_names(function: Function) -> frozenset[str]:
    """Names that stand for literals and mocks of the test's own making, and for nothing else; Python's own as well."""
    given: dict[str, list[ast.expr]] = {}
    for statement in function.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            given.setdefault(target.id if isinstance(target, ast.Name) else "", []).append(statement.value)
    for name, value in (pair for node in ast.walk(function) for pair in _received_values(node)):
        if name in given:
            given[name].append(value)
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    bound = Counter(node.id for node in names if isinstance(node.ctx, (ast.Store, ast.Del)))
    language = _BUILTINS - bound.keys()
    own = language
    while True:
        # A name that is given twice shows which way the test went, and that may depend on the project.
        more = language | {
            name for name, values in given.items() if bound[name] == 1 and all(_is_own(value, own) for value in values)
        }
        if more == own:
            return language | (own - _passed_on(function, own))
        own = more


def _received_values(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """Names with a value that they take up, as a list does by `append`, and anything by having a part of it set."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [(_root(target), value) for target in targets]
        case ast.AugAssign(target=target, value=value):
            return [(_root(target), value)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=arguments):
            return [(name, argument) for argument in arguments]
        case _:
            return []


def _root(target: ast.expr) -> str:
    """`x` of `x`, `x[0]`, `x.y` and of the first of several."""
    while isinstance(target, (ast.Subscript, ast.Attribute, ast.Starred)):
        target = target.value
    if isinstance(target, (ast.Tuple, ast.List)):
        return _root(target.elts[0]) if target.elts else ""
    return target.id if isinstance(target, ast.Name) else ""


def _passed_on(function: Function, own: frozenset[str]) -> frozenset[str]:
    """Names given to something else, which may have changed their value."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and not _is_own(node.func, own)]
    values = [value for call in calls for value in (*call.args, *(word.value for word in call.keywords))]
    asserted = {value for call in calls if last_name(call).startswith("assert") for value in call.args}
    passed = [value for value in values if value not in asserted]
    inner = [
        node for node in ast.walk(function) if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node is not function
    ]
    return frozenset(name for part in (*passed, *inner) for name in _names(part))


def _reaches_out(function: Function, own: frozenset[str]) -> bool:
    """Whether a test uses anything at all that is neither its own nor the test framework's."""
    inside = [node for statement in function.body for node in ast.walk(statement)]
    used = {node.id for node in inside if isinstance(node, ast.Name)}
    local = {node.name for node in inside if isinstance(node, (ast.FunctionDef, ast.ClassDef))} - {function.name}
    imports = any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in inside)
    # `self.cart`, made in a set-up; not `self.assertEqual`.
    attributes = [node for node in inside if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    names = [node.attr for node in attributes if last_name(node.value) == "self"]
    has_state = not all(name.startswith(("assert", "fail")) for name in names)
    return has_state or imports or bool(used - own - _FRAMEWORK - local)


def _is_own(value: ast.expr, own: frozenset[str]) -> bool:
    for node in ast.walk(value):
        if isinstance(node, ast.Name) and node.id not in own and node.id not in _MOCKS:
            return False
        if isinstance(node, ast.Call) and last_name(node) in ("open", "eval", "exec", "__import__", "input"):
            return False
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
            return False
    return True


def _vacuous_condition(test: ast.expr, own: frozenset[str]) -> str:
    """Why an assertion shows nothing; `own` are names that the test itself gave plain values. Empty where it may."""
    if isinstance(test, ast.Tuple) and test.elts:
        return "asserts a tuple, which is always true"
    if isinstance(test, ast.Constant) and test.value:
        return f"asserts {ast.unparse(test)}"
    if _names(test) <= _BUILTINS & own and not isinstance(test, ast.Constant):
        return f"asserts only about constants: {_short(test)}"
    if _is_always_true(test, own):
        return f"asserts what is always true: {_short(test)}"
    if isinstance(test, ast.Compare) and _compares_itself(test):
        return f"compares a thing with itself: {_short(test)}"
    return f"asserts about its own values only: {_short(test)}" if _is_own(test, own) else ""


def _is_always_true(test: ast.expr, own: frozenset[str]) -> bool:
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_vacuous_condition(value, own) for value in values)
        case ast.BoolOp(values=values):
            return all(_vacuous_condition(value, own) for value in values)
        case ast.Call(args=[*_, kind]):
            return last_name(test) == "isinstance" and last_name(kind) == "object"
        case ast.Compare(left=ast.Call() as left, ops=[ast.GtE()], comparators=[ast.Constant(value=0)]):
            return last_name(left) == "len"
        case _:
            return False


def _vacuous_call(call: ast.AST, own: frozenset[str]) -> str:
    name, arguments = last_name(call), call.args if isinstance(call, ast.Call) else []
    if name in _EQUALS and len(arguments) >= 2 and _same(arguments[0], arguments[1]):
        return f"compares a thing with itself: {_short(call)}"
    if name in ("assertTrue", "assert_", "assertIsNotNone") and arguments and isinstance(arguments[0], ast.Constant):
        return f"asserts a constant: {_short(call)}"
    if name in _PLAIN and arguments and all(_is_own(value, own) for value in arguments):
        return f"asserts about its own values only: {_short(call)}"
    return ""


def _compares_itself(test: ast.Compare) -> bool:
    return len(test.ops) == 1 and isinstance(test.ops[0], _SAME) and _same(test.left, test.comparators[0])


def _same(left: ast.expr, right: ast.expr) -> bool:
    """The same thing twice; two calls may well give two things."""
    calls = any(isinstance(node, (ast.Call, ast.Await)) for node in ast.walk(left))
    return not calls and ast.dump(left) == ast.dump(right)


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _short(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 80 else f"{text[:79]}…"
