"""Tests that cannot fail: found by reading their code, and refused before anything is built on them.

Python is read as a tree. In other languages only the plainest signs are looked for, in the text: no assertion at all,
a comparison of a constant with itself, everything skipped.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from inlay.implement.test_quality.python_asserts import (
    TestFunction,
    asserting_helpers,
    assertions,
    called,
    find_tests,
    last_name,
    skips,
)
from inlay.implement.test_quality.vacuous_asserts import own_names, reaches_out, vacuous

_CATCHING = frozenset({"AssertionError", "Exception", "BaseException"})
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
_EMPTY_TALK = re.compile(
    r"expect\(\s*(true|false|1|\"\w*\"|'\w*')\s*\)\s*\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)"
    r"|expect\(\s*true\s*\)\.toBeTruthy\(\)|assert!\(\s*true\s*\)|assert_eq!\(\s*(\w+)\s*,\s*\2\s*\)"
    r"|assert(?:\.ok|True)?\(\s*true\s*\)"
)


@dataclass(frozen=True, slots=True)
class Hollow:
    """One test, or a whole file, that shows nothing."""

    test: str  #: "TestCart::test_empty"; empty for the file
    line: int
    reason: str  #: one clause that goes on after the name: "has no assertion"


def find_hollow(path: str, text: str) -> tuple[Hollow, ...]:
    """Every test of a file that cannot fail, with the reason; none where all of them can."""
    if not path.endswith((".py", ".pyi")):
        return _in_text(text)
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError) as error:
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        return (Hollow("", line, f"does not parse: {error}"),)
    tests = find_tests(tree)
    if not tests:
        return (Hollow("", 0, "has no test in it"),)
    helpers = asserting_helpers(tree)
    found = [(test, why_hollow(test, tree, helpers)) for test in tests]
    return tuple(Hollow(test.name, test.node.lineno, why) for test, why in found if why)


def names_of_tests(path: str, text: str) -> tuple[str, ...]:
    """The tests of a Python file, with their classes; nothing for other languages and for what does not parse."""
    if not path.endswith(".py"):
        return ()
    try:
        return tuple(test.name for test in find_tests(parsed(text)))
    except (SyntaxError, ValueError):
        return ()


def parsed(text: str) -> ast.Module:
    """The tree of a file of tests; raises SyntaxError or ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `assert (x, "…")` is ours to tell
        return ast.parse(text)


def why_hollow(test: TestFunction, tree: ast.Module, helpers: frozenset[str]) -> str:
    """Why a test cannot fail; empty where it can."""
    if skipped := skips(test, tree):
        return skipped
    live = test.live
    if all(_says_nothing(statement) for statement in live):
        return "has an empty body"
    if _is_stub(live):
        return "only says that it is not written yet"
    found = assertions(live, helpers)
    if not found:
        return "has no assertion"
    own = own_names(test.node)
    empty = [vacuous(node, own) for node in found]
    if all(empty):
        return empty[0]
    swallowed = _swallowed(live, helpers)
    if all(node in swallowed or reason for node, reason in zip(found, empty, strict=True)):
        return "catches its own failures"
    if all(_raises_itself(node, live) for node in found):
        return "raises what it expects by itself"
    return "" if reaches_out(test.node, own) else "uses nothing of the project, only values of its own"


def _says_nothing(statement: ast.stmt) -> bool:
    empty = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or empty or (isinstance(statement, ast.Return) and statement.value is None)


def _is_stub(live: list[ast.stmt]) -> bool:
    """Nothing before an end that is always reached: `pytest.fail("TODO")`, `raise NotImplementedError`."""
    if not live or assertions(live[:-1]):
        return False
    last = live[-1]
    raised = last_name(last.exc) if isinstance(last, ast.Raise) and last.exc is not None else ""
    failed = called(last) == "fail" or (isinstance(last, ast.Assert) and _is_false(last.test))
    return failed or raised in ("NotImplementedError", "AssertionError")


def _is_false(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and not test.value


def _swallowed(live: list[ast.stmt], helpers: frozenset[str]) -> set[ast.AST]:
    """Assertions inside a `try` whose handler lets the test pass all the same."""
    found: set[ast.AST] = set()
    for statement in live:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Try, ast.With, ast.AsyncWith)) and _swallows(node):
                found.update(assertions(node.body, helpers))
    return found


def _swallows(node: ast.Try | ast.With | ast.AsyncWith) -> bool:
    if isinstance(node, ast.Try):
        return any(_lets_pass(handler) for handler in node.handlers)
    return any(_suppresses(item) for item in node.items)


def _lets_pass(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    catches = any(kind is None or last_name(kind) in _CATCHING for kind in kinds)
    leaves = any(isinstance(node, ast.Raise) for body in handler.body for node in ast.walk(body))
    fails = any(called(statement) == "fail" for statement in handler.body)
    return catches and not leaves and not fails and not assertions(handler.body)


def _suppresses(item: ast.withitem) -> bool:
    call = item.context_expr
    return (
        isinstance(call, ast.Call)
        and last_name(call) == "suppress"
        and any(last_name(argument) in _CATCHING for argument in call.args)
    )


def _raises_itself(node: ast.AST, live: list[ast.stmt]) -> bool:
    """`with pytest.raises(X): raise X`."""
    if last_name(node) not in ("raises", "assertRaises", "assertRaisesRegex"):
        return False
    for statement in live:
        for each in ast.walk(statement):
            if isinstance(each, ast.With) and [item.context_expr for item in each.items] == [node]:
                return all(isinstance(inner, (ast.Raise, ast.Pass)) for inner in each.body)
    return False


def counts(text: str) -> tuple[int, int, int]:
    """Tests, assertions and skips in a file of any language, going by the usual words."""
    return len(_TESTS.findall(text)), len(_SIGNS.findall(text)), len(_SKIPPED.findall(text))


def _in_text(text: str) -> tuple[Hollow, ...]:
    tests, _, skipped = counts(text)
    if not tests and not skipped:
        return (Hollow("", 0, "has no test that could be recognised"),)
    if skipped and not tests:
        return (Hollow("", 0, "skips every test"),)
    bare = _EMPTY_TALK.sub("", text)
    if not _SIGNS.search(text):
        return (Hollow("", 0, "has no assertion"),)
    return () if _SIGNS.search(bare) else (Hollow("", 0, "asserts only what is always true"),)
