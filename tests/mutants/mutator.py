"""Generates mutants: copies of a module with one small change that a test should catch."""

from __future__ import annotations

import ast
import difflib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
_BOUND = 100  #: numbers from here on limit time or size; one more or less does not change a result
_EMPTY = {
    "str": '""',
    "bytes": 'b""',
    "list": "[]",
    "tuple": "()",
    "dict": "{}",
    "set": "set()",
    "frozenset": "frozenset()",
}
_TEXT = re.compile(r"\w,? \w")  # a sentence for people
_NO_EFFECT = {"__all__", "__slots__", "TypeVar", "ParamSpec", "cast", "assert_never", "print"}
_LOGS = {"log", "logger", "logging", "warnings"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One module with one place changed."""

    path: Path  #: relative to the root of the tree
    kind: str
    line: int  #: 1-based, where the change begins
    last: int  #: where it ends in the original
    source: str  #: of the original
    changed: str  #: of the mutant

    @property
    def diff(self) -> str:
        old, new = (text.split("\n") for text in (self.source, self.changed))
        return "\n".join(difflib.unified_diff(old, new, f"a/{self.path}", f"b/{self.path}", lineterm="", n=2))


def mutants(path: Path, source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of the source."""
    lines = source.encode().split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for kind, node, text in _Finder().run(ast.parse(source)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        changed = (source.encode()[:begin] + text.encode() + source.encode()[end:]).decode()
        found.append(Mutant(path, kind, node.lineno, node.end_lineno or node.lineno, source, changed))
    return found


def pick(candidates: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """A sample with every kind of mutant in turn, however many there are of each."""
    chance = random.Random(seed)
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in candidates:
        by_kind.setdefault(mutant.kind, []).append(mutant)
    for group in by_kind.values():
        chance.shuffle(group)
    chosen: list[Mutant] = []
    while len(chosen) < count and any(by_kind.values()):
        chosen += [group.pop() for _, group in sorted(by_kind.items()) if group]
    return chosen[:count]


_Place = tuple[str, ast.expr | ast.stmt, str]


class _Finder(ast.NodeVisitor):
    """Finds the places to change, except those where a change has no effect on behaviour."""

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._returns: list[str] = []  # the annotation of each function that is open

    def run(self, tree: ast.Module) -> list[_Place]:
        self.visit(tree)
        return self._places

    def _add(self, kind: str, node: ast.expr | ast.stmt, text: str) -> None:
        self._places.append((kind, node, text))

    # Skipped: annotations, decorators, docstrings, text for people, code for the type checker.

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Mostly text for people; and before Python 3.12 its nodes have wrong positions."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """For the type checker."""

    def visit_Import(self, node: ast.Import) -> None: ...
    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self._condition(node.test)
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name == "__repr__" or any("overload" in ast.unparse(each) for each in node.decorator_list):
            return
        self._returns.append(ast.unparse(node.returns) if node.returns else "")
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self._body(node.body)
        self._returns.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any("Protocol" in ast.unparse(base) for base in node.bases):
            self._body(node.body)

    def visit_Module(self, node: ast.Module) -> None:
        self._body(node.body)

    def _body(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if not _is_docstring(statement):
                self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and ast.unparse(node.annotation) != "TypeAlias":
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        targets = {ast.unparse(target) for target in node.targets}
        if targets & _NO_EFFECT:
            return
        if not any(isinstance(target, ast.Name | ast.Tuple) for target in node.targets):
            self._add("statement", node, "pass")  # without an assigned name, any test would fail
        self.generic_visit(node)

    # Changed.

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _is_silent(node.value):
            self._add("statement", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add("statement", node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add("statement", node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add("statement", node, "pass")

    def visit_Break(self, node: ast.Break) -> None:
        self._add("statement", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        returned = self._returns[-1]
        empty = _EMPTY.get(re.split(r"\W", returned)[0], "None")
        if node.value is not None and ast.unparse(node.value) not in (empty, empty.replace('"', "'")):
            self._add("return", node.value, empty)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        swapped = _SWAPPED | (_OPPOSITE if any(map(_is_bound, (node.left, *node.comparators))) else {})
        for at, operator in enumerate(node.ops):
            operators = [*node.ops[:at], swapped[type(operator)](), *node.ops[at + 1 :]]
            self._add("comparison", node, f"({ast.unparse(ast.Compare(node.left, operators, node.comparators))})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        operator = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._add("boolean", node, f"({ast.unparse(ast.BoolOp(operator, node.values))})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add("not", node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._condition(condition)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        # Comparisons and `not` have mutants of their own.
        if not isinstance(test, ast.Compare | ast.UnaryOp | ast.Constant):
            self._add("not", test, f"(not ({ast.unparse(test)}))")

    def visit_Call(self, node: ast.Call) -> None:
        if _is_silent(node):
            return
        if _is_swappable(node):
            args = [node.args[1], node.args[0], *node.args[2:]]
            self._add("arguments", node, ast.unparse(ast.Call(node.func, args, node.keywords)))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        match node.value:
            case bool():
                pass
            case int(number) if number < _BOUND:
                self._add("constant", node, str(number + 1))
                self._add("constant", node, f"({number - 1})")
            case str(text) if not _is_text(node):
                self._add("string", node, repr(f"{text}~" if text else "~"))
            case _:
                pass

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        if isinstance(node.value, ast.Constant):
            self.visit(node.value)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_text(node: ast.expr) -> bool:
    """Whether it is written for people."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and _TEXT.search(node.value) is not None
    return isinstance(node, ast.JoinedStr)


def _is_bound(operand: ast.expr) -> bool:
    """Whether it is a limit, by its value or by its name in capitals."""
    if isinstance(operand, ast.Constant):
        return isinstance(operand.value, int) and operand.value >= _BOUND
    return isinstance(operand, ast.Name) and operand.id.isupper()


def _is_silent(call: ast.Call) -> bool:
    """Whether it only writes a log or informs the type checker."""
    name = ast.unparse(call.func)
    return name.partition(".")[0].lstrip("_") in _LOGS or name in _NO_EFFECT


def _is_swappable(call: ast.Call) -> bool:
    both = call.args[:2]
    if len(both) < 2 or all(map(_is_text, both)) or any(isinstance(argument, ast.Starred) for argument in both):
        return False
    return ast.unparse(both[0]) != ast.unparse(both[1]) and ast.unparse(call.func) not in ("min", "max")


def modules(root: Path, targets: Sequence[str]) -> Iterator[Path]:
    """The modules in these folders or files below `root`; missing ones are ignored."""
    for target in targets:
        place = root / target
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place] if place.is_file() else []
