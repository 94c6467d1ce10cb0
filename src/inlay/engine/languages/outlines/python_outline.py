"""Reads Python as scopes and members: the interpreter's own syntax tree for structure, the text for everything else."""

from __future__ import annotations

import ast
import builtins
import inspect
import tokenize
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from inlay.engine.languages import python_source
from inlay.engine.languages.outlines.outline import Inline, Kind, Member, Outline, Scope
from inlay.engine.languages.outlines.python_names import (
    all_leaves,
    binds,
    conditional_names,
    functions_key,
    is_future,
    is_overload,
    loads,
    typing_only,
    word,
)
from inlay.errors import MergeRefused, Misfit
from inlay.text.lines import Source, indent_of, is_blank

_BUILTINS = frozenset(dir(builtins))
_CONDITIONAL = (ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While, ast.Match)
_ON_CLASSES = frozenset({"property", "classmethod", "staticmethod", "cached_property", "abstractmethod"})


def read(text: str, whose: str) -> Outline:
    norm = Source(text).norm
    try:
        tree = _tidied(python_source.tree(norm))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line else ""
        raise MergeRefused(Misfit("unreadable", f"{whose} cannot be read as Python{where}: {error}")) from None
    lines = norm.split("\n")
    if not lines[-1]:
        lines.pop()
    deferred = any(is_future(node, "annotations") for node in tree.body)
    members = _members(tree.body, lines, 0, deferred)
    scope = Scope(members, 0, len(lines), "", _conditional(members), module=True)
    kept, indents = partial(verbatim, tree, lines), partial(steps, tree, lines)
    return Outline(lines, scope, _canonical, kept, indents, blank_lines=2, overloading=True)


def read_new(text: str, existing: Outline) -> Outline:
    """The outline of new content; methods without a class are set apart, to join the only class there is."""
    first = next((line for line in Source(text).lines if not is_blank(line)), "")
    if indent_of(first):
        wrapped = read(f"class _:\n{text}", "the new content")
        body = wrapped.scope.members[0].body
        assert body is not None
        if len(wrapped.scope.members) > 1:
            message = "the new content begins indented and continues outside that indentation"
            raise MergeRefused(Misfit("unreadable", message))
        return _parted(wrapped, body.members, ())
    outline = read(text, "the new content")
    if not any(member.kind == "type" for member in existing.scope.members):
        return outline
    bare = [m for m in outline.scope.members if _is_method(m.node) and not existing.scope.bound(m.names[0])]
    return _parted(outline, tuple(bare), tuple(m for m in outline.scope.members if m not in bare))


def _parted(outline: Outline, bare: tuple[Member, ...], rest: tuple[Member, ...]) -> Outline:
    scope = Scope(rest, outline.scope.opening, outline.scope.closing, "", outline.scope.conditional, module=True)
    return replace(outline, scope=scope, bare=bare)


def _is_method(node: object) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    arguments = [*node.args.posonlyargs, *node.args.args]
    if arguments and arguments[0].arg in ("self", "cls"):
        return True
    return bool(_ON_CLASSES.intersection(map(word, node.decorator_list)))


def _conditional(members: tuple[Member, ...]) -> frozenset[str]:
    return frozenset(name for member in members if member.kind == "conditional" for name in member.names)


def _members(body: list[ast.stmt], lines: list[str], floor: int, deferred: bool) -> tuple[Member, ...]:
    out: list[Member] = []
    for n, node in enumerate(body):
        start = _start(node)
        last = node.end_lineno or node.lineno
        match node:
            case ast.Expr(ast.Constant(str())) if out and out[-1].kind == "field" and start >= floor:
                # Documentation tools read a string below a field as what it is about.
                out[-1] = replace(out[-1], end=last)
                floor = last
                continue
        alone = floor <= start and (n + 1 == len(body) or _start(body[n + 1]) >= last)
        first = start
        while first > floor and _is_comment(above := lines[first - 1]) and len(indent_of(above)) == node.col_offset:
            first -= 1
        if first == 0 and isinstance(node, ast.Import | ast.ImportFrom | ast.Expr):
            first = start
        out.append(_member(node, lines, (first, start, last), alone and _begins(lines, node), deferred, n == 0))
        floor = last
    return tuple(out)


def _start(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return (decorators[0].lineno if decorators else node.lineno) - 1


def _begins(lines: list[str], node: ast.stmt) -> bool:
    """Whether nothing stands before the statement on its line; a byte offset will do, for blanks are one byte each."""
    return not lines[node.lineno - 1].encode("utf-8", "replace")[: node.col_offset].strip()


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _member(
    node: ast.stmt, lines: list[str], span: tuple[int, int, int], alone: bool, deferred: bool, leading: bool
) -> Member:
    kind = _kind(node, leading)
    names = tuple(sorted(conditional_names(node))) if kind == "conditional" else tuple(binds(node))
    if typing_only(node):
        names = ()
    found = loads(node, deferred)
    builtin = found & _BUILTINS
    header: list[ast.AST] = []
    if isinstance(node, ast.ClassDef):
        header = [*node.decorator_list, *node.bases, *node.keywords, *getattr(node, "type_params", [])]
    return Member(
        kind,
        _key(node, kind, names),
        *span,
        names=names,
        node=node,
        body=_class_body(node, lines, deferred) if isinstance(node, ast.ClassDef) else None,
        uses=found - builtin,
        avoids=builtin,
        leaves=tuple(all_leaves(node)),
        header=frozenset(map(ast.unparse, header)),
        overload=is_overload(node),
        alone=alone,
        own=(ast.get_source_segment("\n".join(lines), node) or "") if not alone and span[1] + 1 == span[2] else "",
        early=is_future(node),
    )


def _kind(node: ast.stmt, leading: bool) -> Kind:
    match node:
        case ast.Import() | ast.ImportFrom():
            return "import"
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return "routine"
        case ast.ClassDef():
            return "type"
        case ast.Expr(ast.Constant(str())) if leading:
            return "preamble"
        case ast.Pass() | ast.Expr(ast.Constant(value=builtins.Ellipsis)):
            return "stub"
    if isinstance(node, _CONDITIONAL):
        return "conditional"
    return "field" if list(binds(node)) else "other"


def _key(node: ast.stmt, kind: Kind, names: tuple[str, ...]) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return functions_key(node)
    if kind in ("field", "type"):
        return ", ".join(names)
    if kind == "preamble":
        return "docstring"
    return f"{kind} {ast.dump(node)}"


def _class_body(node: ast.ClassDef, lines: list[str], deferred: bool) -> Scope:
    first, last = node.body[0], node.body[-1]
    inline = None
    if not _begins(lines, first) and _start(first) == first.lineno - 1:
        line = lines[first.lineno - 1].encode("utf-8", "replace")
        at = len(line[: first.col_offset].decode("utf-8", "replace"))
        inline = Inline(first.lineno - 1, at, len(line[: last.end_col_offset].decode("utf-8", "replace")))
    opening = _start(first)
    while not inline and opening > node.lineno and (is_blank(lines[opening - 1]) or _is_comment(lines[opening - 1])):
        opening -= 1
    members = _members(node.body, lines, opening, deferred)
    indent = "" if inline else indent_of(lines[_start(first)])
    closing = _closing(lines, last.end_lineno or last.lineno, len(indent)) if not inline else inline.line + 1
    return Scope(members, opening, closing, indent, _conditional(members), inline)


def _closing(lines: list[str], end: int, depth: int) -> int:
    """One past the comments below the last statement that still stand at the body's depth."""
    for n in range(end, len(lines)):
        if is_blank(lines[n]):
            continue
        if not _is_comment(lines[n]) or len(indent_of(lines[n])) < depth:
            break
        end = n + 1
    return end


def _canonical(member: Member) -> str:
    assert isinstance(member.node, ast.AST)
    return ast.dump(member.node)


def _tidied(tree: ast.Module) -> ast.Module:
    """Docstrings as `help` shows them: without the indentation that depends on where they stand."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Expr(ast.Constant(str(text)) as constant):
                constant.value = inspect.cleandoc(text)
        # Statements only: walking every expression as well would take most of the time.
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, block, None)
            waiting += inner if isinstance(inner, list) else []
    return tree


def steps(tree: ast.Module, lines: list[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.stmt() as first, *_] if isinstance(node, ast.stmt) and first.lineno > node.lineno:
                yield indent_of(lines[first.lineno - 1]).removeprefix(indent_of(lines[node.lineno - 1]))


def verbatim(tree: ast.Module, lines: list[str]) -> frozenset[int]:
    """Lines that begin inside a string; a docstring is laid out with its code."""
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(ast.Constant(str())) as first, *_]:
                    docstrings.add(first.lineno)
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
