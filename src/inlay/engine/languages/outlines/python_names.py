"""What a Python statement binds, what it needs bound before it, and what makes two functions the same member."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from inlay.engine.languages.outlines.outline import Leaf

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def binds(node: ast.stmt) -> Iterator[str]:
    """The names a statement binds in its scope; an attribute such as `A.b` counts by its full text."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Import() | ast.ImportFrom():
            yield from (leaf.bound for leaf in import_leaves(node) if leaf.bound)
        case ast.Assign(targets):
            for target in targets:
                yield from _targets(target)
        case ast.AnnAssign(target):
            yield from _targets(target)
        case _ if type(node).__name__ == "TypeAlias":
            yield from _targets(node.name)  # type: ignore[attr-defined]


def _targets(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Tuple(elements) | ast.List(elements):
            for element in elements:
                yield from _targets(element)
        case ast.Starred(value):
            yield from _targets(value)
        case _:
            yield ast.unparse(target)


def conditional_names(node: ast.AST) -> frozenset[str]:
    """Everything that a block may bind in the scope around it."""
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            found.update(binds(child))
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            found |= conditional_names(child)
    return frozenset(found)


def import_leaves(node: ast.stmt) -> Iterator[Leaf]:
    """What an import brings in, one by one."""
    match node:
        case ast.Import(names):
            for alias in names:
                # `import a.b` and `import a.c` share the name `a` in peace.
                bound = alias.asname or ("" if "." in alias.name else alias.name)
                line = f"import {ast.unparse(alias)}"
                yield Leaf(line, bound, line)
        case ast.ImportFrom(module, names, level):
            source = "." * level + (module or "")
            for alias in names:
                line = f"from {source} import {ast.unparse(alias)}"
                yield Leaf(line, "" if alias.name == "*" else alias.asname or alias.name, line)


def all_leaves(node: ast.stmt) -> Iterator[Leaf]:
    """What an import brings in, also one that is tried and may fail."""
    if isinstance(node, ast.Try):
        for inner in (*node.body, *(each for handler in node.handlers for each in handler.body), *node.orelse):
            yield from all_leaves(inner)
    yield from import_leaves(node)


def typing_only(node: ast.stmt) -> bool:
    """Whether it is a block of imports that only type checkers run, which binds nothing at run time."""
    if not isinstance(node, ast.If) or word(node.test) != "TYPE_CHECKING" or node.orelse:
        return False
    return all(isinstance(each, ast.Import | ast.ImportFrom) for each in node.body)


def is_future(node: ast.stmt, feature: str = "") -> bool:
    """Whether it imports from `__future__`, a certain feature where one is named."""
    if not isinstance(node, ast.ImportFrom) or node.module != "__future__" or node.level:
        return False
    return not feature or any(alias.name == feature for alias in node.names)


def is_overload(node: ast.stmt) -> bool:
    """Whether it is a signature for type checkers that an implementation must follow."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return any(word(decorator) == "overload" for decorator in node.decorator_list)


def word(decorator: ast.expr) -> str:
    """The last part of a decorator's name."""
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


def functions_key(node: Function) -> str:
    """The name; with the decorator for accessors and registrations, with the parameters for overloads."""
    parts = [node.name]
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        # `@x.setter`, `@f.register(int)`: the function joins another one instead of standing alone.
        if isinstance(called, ast.Attribute) and called.attr in ("setter", "getter", "deleter", "register"):
            parts.append(f"@{ast.unparse(decorator)}")
    if is_overload(node):
        parts.append(f"@overload({_signature(node)})")
    elif node.name == "_":
        parts.append(f"({_signature(node)})")
    return " ".join(parts)


def _signature(node: Function) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return ast.unparse(node.args) + returns


def loads(node: ast.AST, deferred: bool) -> frozenset[str]:
    """The names that must be bound when a statement runs; bodies of functions run later."""
    return frozenset(_loads(node, deferred))


def _loads(node: ast.AST, deferred: bool) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    for part in _run_at_once(node, deferred):
        yield from _loads(part, deferred)


def _run_at_once(node: ast.AST, deferred: bool) -> list[ast.AST]:
    match node:
        case ast.Lambda():
            return [node.args]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, node.args, *([node.returns] if node.returns and not deferred else [])]
        case ast.arg() | ast.AnnAssign() if deferred:
            value = getattr(node, "value", None)
            return [value] if value else []
    return list(ast.iter_child_nodes(node))
