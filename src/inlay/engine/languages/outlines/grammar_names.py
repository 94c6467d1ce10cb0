"""What a node of a syntax tree is called, what makes it the same as another, and what an import brings in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from inlay.engine.languages.outlines.outline import Leaf

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_NAMES = frozenset(
    {
        *("identifier", "field_identifier", "property_identifier", "private_property_identifier", "type_identifier"),
        *("constant", "name", "variable_name", "simple_symbol", "shorthand_property_identifier"),
    }
)
_DECLARATORS = frozenset(
    {"variable_declarator", "property_element", "const_element", "var_spec", "const_spec", "type_spec", "type_alias"}
)


def text_of(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def tokens(node: Node) -> Iterator[str]:
    """The words and signs of a node, without blanks and comments."""
    waiting = [node]  # no recursion: a long sum nests as deep as it has terms
    while waiting:
        at = waiting.pop()
        if at.type in _COMMENTS:
            continue
        if not at.child_count:
            yield text_of(at)
        waiting.extend(reversed(at.children))


def compact(node: Node | None) -> str:
    """A node's tokens in one string: equal for equal code, however it is laid out."""
    return " ".join(tokens(node)) if node is not None else ""


def field(node: Node, name: str) -> Node | None:
    return node.child_by_field_name(name)


def declared(node: Node) -> Iterator[str]:
    """The names that a declaration of one or more variables introduces."""
    for child in node.named_children:
        if child.type in _DECLARATORS:
            names = child.children_by_field_name("name")
            yield from (text_of(each) for each in names or child.named_children[:1])
        elif child.type in ("variable_declaration", "const_spec_list", "var_spec_list"):
            yield from declared(child)
    for child in node.children_by_field_name("declarator"):
        if child.type not in _DECLARATORS:
            name = child
            while (inner := field(name, "declarator")) is not None:
                name = inner
            yield text_of(name)


def function_declarator(node: Node) -> Node | None:
    """Where C++ hides name and parameters of a function."""
    at: Node | None = field(node, "declarator")
    while at is not None and at.type != "function_declarator":
        inner = field(at, "declarator")
        # A reference to a function's result has its declarator as a plain child.
        at = inner or next((each for each in at.named_children if each.type.endswith("_declarator")), None)
    return at


def parameters(node: Node | None) -> str:
    """The parameters' types; their names and default values make no other function."""
    if node is None:
        return ""
    return ", ".join(_parameter(each) for each in node.named_children if each.type not in _COMMENTS)


def _parameter(node: Node) -> str:
    own = field(node, "name") or field(node, "pattern")
    out: list[str] = []
    for child in node.children:
        if child.type in ("=", "equals_value_clause"):
            break
        if child != own and child.type not in ("attribute_list", "marker_annotation"):
            out += _typing(child)
    return " ".join(out) or compact(node)


def _typing(node: Node) -> list[str]:
    if node.type in ("identifier", "variable_declarator") and node.parent is not None:
        # C# writes types as plain identifiers, and marks which child is the name.
        return [text_of(node)] if field(node.parent, "type") == node else []
    if not node.child_count:
        return [text_of(node)]
    return [word for child in node.children for word in _typing(child)]


def leaves(language: str, node: Node) -> Iterator[Leaf]:
    """What an import brings in, one by one."""
    if language in ("JavaScript", "TypeScript", "TSX"):
        yield from _module_leaves(node)
    elif language == "Rust" and (argument := field(node, "argument")) is not None:
        head = text_of(node).split("use", 1)[0]
        for path in _used(argument, ""):
            yield Leaf(f"{head}use {path}", "", f"{head}use {path};")
    elif language == "Go":
        for spec in _specs(node):
            yield Leaf(text_of(spec), "", text_of(spec))
    else:
        line = compact(node).replace('"', "'").rstrip("; ")
        yield Leaf(line, "", text_of(node).strip())


def _specs(node: Node) -> Iterator[Node]:
    if node.type == "import_spec":
        yield node
    for child in node.named_children:
        yield from _specs(child)


def _used(node: Node, prefix: str) -> Iterator[str]:
    if node.type == "scoped_use_list":
        path = text_of(field(node, "path"))
        inner = field(node, "list")
        if inner is not None:
            yield from _used(inner, f"{prefix}{path}::")
    elif node.type == "use_list":
        for child in node.named_children:
            if child.type not in _COMMENTS:
                yield from _used(child, prefix)
    else:
        yield prefix + text_of(node)


def _module_leaves(node: Node) -> Iterator[Leaf]:
    source = text_of(field(node, "source"))
    end = ";" if text_of(node).rstrip().endswith(";") else ""
    word = "import type" if any(each.type == "type" for each in node.children) else "import"
    clause = next((each for each in node.named_children if each.type == "import_clause"), None)
    if clause is None:
        yield Leaf(compact(node).rstrip("; "), "", text_of(node))
        return
    for child in clause.named_children:
        if child.type == "named_imports":
            for each in child.named_children:
                if each.type == "import_specifier":
                    yield _leaf(word, f"{{ {compact(each)} }}", each, source, end)
        else:
            yield _leaf(word, compact(child), child, source, end)


def _leaf(word: str, what: str, node: Node, source: str, end: str) -> Leaf:
    names = [each for each in node.named_children if each.type in _NAMES]
    bound = text_of(field(node, "alias") or field(node, "name") or (names[-1] if names else node))
    return Leaf(f"{word} {what} from {source.strip(chr(34) + chr(39))}", bound, f"{word} {what} from {source}{end}")
