"""Reads every other language with its tree-sitter grammar, where that is installed."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from inlay.engine.languages.catalog import Language
from inlay.engine.languages.problem import SyntaxProblem

if TYPE_CHECKING:
    import tree_sitter

_OPENERS = {"{": "}", "(": ")", "[": "]"}
_CLOSERS = frozenset(_OPENERS.values())
_WIDEST_SHOWN = 60
_IMPORT_TYPE = re.compile(r"""\bimport\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*,?\s*\)""")
#: Rewordings are tried only on text that was refused; they keep every line break, so line numbers stay true.
_REWORDINGS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    # A macro of that name was everyday Rust before the word was reserved.
    "Rust": ((re.compile(r"\btry!"), "tri!"),),
    # `typeof import("x")` and `import("x").Type` are types as well as expressions.
    "TypeScript": ((_IMPORT_TYPE, "imported"),),
    "TSX": ((_IMPORT_TYPE, "imported"),),
    # Properties that only one old browser reads, by a leading asterisk or a value in its own notation.
    "CSS": ((re.compile(r"([{;\s])\*(?=[a-z-]+\s*:)"), r"\1"), (re.compile(r"\bprogid:[^;}\n]*"), "none")),
}
#: Complaints that never point at a fault: "&" is plain text in JSX, and nobody means "!" before a template literal.
_EXCUSED = dict.fromkeys(("TSX", "JavaScript"), re.compile(r"&(?!&)"))
_NEVER_MEANT = "'!' is missing"
_BEYOND_LATIN = re.compile(r"[^\x00-\xff]")


def installed(language: Language) -> bool:
    """Whether at least one of the language's grammars can be loaded here."""
    return any(_load(name) is not None for name in language.grammars)


def problems(language: Language, text: str) -> tuple[SyntaxProblem, ...]:
    """What the best suited of the language's grammars cannot read; nothing when none is installed."""
    best: tuple[SyntaxProblem, ...] | None = None
    for loaded, wording in _attempts(language, text):
        found = _read(loaded, language, wording)
        if not found:
            return ()
        if best is None or len(found) < len(best):
            best = found
    return best or ()


def tree(language: Language, text: str) -> tree_sitter.Node | None:
    """The root of the text as the first grammar that reads it without a fault sees it, else as the first one does."""
    grammars = filter(None, map(_load, language.grammars))
    roots = [_parsed(loaded, language, text) for loaded in grammars]
    return next((root for root in roots if not root.has_error), roots[0] if roots else None)


def _attempts(language: Language, text: str) -> Iterator[tuple[tree_sitter.Language, str]]:
    """Each grammar with the text as it is, then with the wording changed where grammars are known to stumble."""
    grammars = [loaded for loaded in map(_load, language.grammars) if loaded is not None]
    yield from ((loaded, text) for loaded in grammars)
    other = reworded(language, text)
    if other != text:
        yield from ((loaded, other) for loaded in grammars)


@cache
def _load(name: str) -> tree_sitter.Language | None:
    """A grammar by "module:function"; None when it is missing or made for another tree-sitter."""
    module, function = name.split(":")
    try:
        import tree_sitter

        return tree_sitter.Language(getattr(importlib.import_module(module), function)())
    except (ImportError, AttributeError, ValueError, TypeError):
        return None


def _parsed(loaded: tree_sitter.Language, language: Language, text: str) -> tree_sitter.Node:
    import tree_sitter

    if language.name == "shell":
        # The scanner of this grammar looks characters up in a table that ends here; beyond it, the process may crash.
        text = _BEYOND_LATIN.sub("x", text)
    return tree_sitter.Parser(loaded).parse(text.encode("utf-8", "replace")).root_node


def _read(loaded: tree_sitter.Language, language: Language, text: str) -> tuple[SyntaxProblem, ...]:
    import tree_sitter

    head, tail = language.wrapping
    root = _parsed(loaded, language, f"{head}{text}{tail}")
    if root.has_error:
        last = text.count("\n") + 1
        faults = (_described(node, language.name, last) for node in _faulty(root))
        return tuple(problem for problem in faults if not is_excused(language, problem))
    if not language.strays:
        return ()
    captures = tree_sitter.QueryCursor(tree_sitter.Query(loaded, language.strays)).captures(root)
    words = [(node.start_point[0] + 1, _shown(node)) for node in captures.get("stray", [])]
    return tuple(SyntaxProblem(line, f"{word!r} closes nothing", excerpt=word) for line, word in words)


def _faulty(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The outermost ERROR and MISSING nodes in order; what lies inside one is the same fault seen again."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            waiting.extend(reversed(node.children))


def _described(node: tree_sitter.Node, name: str, last: int) -> SyntaxProblem:
    culprit, message = _diagnosis(node, name)
    line = min(culprit.start_point[0] + 1, last)
    end = min(node.end_point[0] + 1, last)
    return SyntaxProblem(line, message, end_line=max(line, end), excerpt=_shown(node))


def _diagnosis(node: tree_sitter.Node, name: str) -> tuple[tree_sitter.Node, str]:
    if node.is_missing:
        return node, f"{node.type!r} is missing"
    lonely = _unpaired(node.children)
    if lonely is not None and lonely.type in _CLOSERS:
        return lonely, f"{lonely.type!r} closes nothing"
    if lonely is not None:
        return lonely, f"{lonely.type!r} is never closed"
    return node, f"cannot be read as {name}: {_shown(node)}"


def _unpaired(children: list[tree_sitter.Node]) -> tree_sitter.Node | None:
    """The innermost bracket without a partner among the pieces the parser could not put together."""
    opened: list[tree_sitter.Node] = []
    for child in children:
        if child.type in _OPENERS:
            opened.append(child)
        elif child.type in _CLOSERS:
            if not opened or _OPENERS[opened[-1].type] != child.type:
                return child
            opened.pop()
    return opened[-1] if opened else None


def _shown(node: tree_sitter.Node) -> str:
    text = (node.text or b"")[: 4 * _WIDEST_SHOWN].decode("utf-8", "replace")
    first = text.strip().split("\n", 1)[0].strip()
    return first if len(first) <= _WIDEST_SHOWN else f"{first[:_WIDEST_SHOWN]}…"


def reworded(language: Language, text: str) -> str:
    """The text with its known stumbling blocks out of the way; the same text when there are none."""
    for pattern, replacement in _REWORDINGS.get(language.name, ()):
        text = pattern.sub(partial(_keeping_lines, replacement), text)
    return text


def _keeping_lines(replacement: str, found: re.Match[str]) -> str:
    new = found.expand(replacement)
    return new + "\n" * (found[0].count("\n") - new.count("\n"))


def is_excused(language: Language, problem: SyntaxProblem) -> bool:
    """Whether the grammar, not the text, is to blame."""
    if language.name in ("TypeScript", "TSX") and problem.message == _NEVER_MEANT:
        return True
    pattern = _EXCUSED.get(language.name)
    return pattern is not None and pattern.match(problem.excerpt) is not None
