"""What is particular about Ruby: definitions by call, sections by a lone word, bodies without brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inlay.engine.languages.outlines.grammar_names import compact, field, text_of, tokens
from inlay.engine.languages.outlines.outline import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

_SECTIONS = frozenset({"private", "protected", "public", "module_function", "private_class_method"})
_REFERRING = _SECTIONS | {"alias_method", "public_class_method", "private_constant", "memoize"}


def kind_of(node: Node) -> Kind | None:
    """The part that only Ruby gives a node; None where its type tells all."""
    if node.type == "module":
        return "space"
    if node.type != "call":
        return None
    word = text_of(field(node, "method"))
    if word in ("require", "require_relative") and node.parent is not None and node.parent.type == "program":
        return "import"
    inner = field(node, "arguments")
    first = inner.named_children[0] if inner is not None and inner.named_children else None
    return "routine" if word in _REFERRING and first is not None and "method" in first.type else None


def names_of(node: Node) -> tuple[str, ...]:
    """What a statement defines, or the statement itself."""
    match node.type:
        case "singleton_method":
            return (f"{text_of(field(node, 'object'))}.{text_of(field(node, 'name'))}",)
        case "method" | "class" | "module":
            return (text_of(field(node, "name")),)
        case "singleton_class":
            return (f"class << {text_of(field(node, 'value'))}",)
        case "assignment":
            return (text_of(field(node, "left")),)
        case "call":
            inner = field(node, "arguments")
            first = inner.named_children[0] if inner is not None and inner.named_children else None
            if first is not None and first.type in ("method", "singleton_method"):
                return names_of(first)
    return (compact(node),)


def references(node: Node) -> frozenset[str]:
    """What a Ruby statement such as `alias_method :a, :b` needs to be defined before it."""
    if node.type == "alias" or (node.type == "call" and text_of(field(node, "method")) in _REFERRING):
        words = list(tokens(node))
        own = {words[1]} if node.type == "alias" else set()
        found = frozenset(word.lstrip(":") for word in words) - own
        return found | {f"self.{word}" for word in found}
    return frozenset()


def body_of(node: Node) -> tuple[int, list[Node], Node, str] | None:
    """Of a class or module: the line of its header, what it holds, what closes it, and its first section."""
    if not node.children or node.children[-1].type != "end":
        return None
    head = next(each for role in ("superclass", "value", "name") if (each := field(node, role)) is not None)
    inner: list[Node] = []
    for child in node.children:
        if child.start_byte >= head.end_byte and child.type != "end":
            inner += child.children if child.type == "body_statement" else [child]
    return head.end_point[0], inner, node.children[-1], ""


def section_of(node: Node) -> str | None:
    if node.type != "identifier" or text_of(node) not in _SECTIONS:
        return None
    return "" if text_of(node) == "public" else text_of(node)


def strays(root: Node) -> list[Node]:
    """Closing words without a partner, which Ruby's grammar takes for names."""
    return [each for each in root.named_children if each.type == "identifier" and text_of(each) == "end"]
