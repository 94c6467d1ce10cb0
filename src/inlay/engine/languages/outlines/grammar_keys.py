"""The part a node plays in its scope and its key there, language by language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inlay.engine.languages.outlines import ruby_nodes
from inlay.engine.languages.outlines.grammar_names import (
    compact,
    declared,
    field,
    function_declarator,
    leaves,
    parameters,
    text_of,
    tokens,
)
from inlay.engine.languages.outlines.outline import Kind, Leaf, Member
from inlay.engine.languages.outlines.syntaxes import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

_GENERICS = frozenset({"type_parameters", "where_clause"})
_ACCESS = frozenset({"static", "get", "set"})


@dataclass(frozen=True, slots=True)
class Description:
    kind: Kind
    key: str
    node: Node  #: the definition itself, what wraps it removed
    names: tuple[str, ...] = ()
    uses: frozenset[str] = frozenset()
    leaves: tuple[Leaf, ...] = ()
    overload: bool = False
    group: str = ""


def describe(language: str, syntax: Syntax, nodes: tuple[Node, ...]) -> Description:
    """What the last of the nodes is; those before it are attributes and decorators."""
    node = unwrapped(syntax, nodes[-1])
    kind = _kind(language, syntax, node)
    if kind == "import":
        return Description(kind, compact(node), node, leaves=tuple(leaves(language, node)))
    if kind == "type" and language == "Go":
        kind = "field"
    names = _names(language, kind, node)
    if kind in ("other", "preamble", "section", "conditional") or not names:
        names = tuple(_inner_names(language, syntax, node)) if kind == "conditional" else names
        return Description(kind, " ".join(map(compact, nodes)), node, names, _needed(language, node))
    key = _key(language, syntax, kind, node, nodes[-1], names)
    if language == "Rust":  # may define one name several times, each under a condition of its own
        key = "".join(f"{compact(other)} " for other in nodes[:-1] if "cfg" in text_of(other)) + key
    if syntax.overloads and kind == "routine" and language in ("Java", "C#", "C++", "C or C++ header"):
        names = tuple(f"{name}()" for name in names)
    uses = frozenset(tokens(node)) - set(names) if kind == "field" and syntax.ordered else _needed(language, node)
    return Description(kind, key, node, names, uses, (), node.type in syntax.signatures, _group(language, node, names))


def unwrapped(syntax: Syntax, node: Node) -> Node:
    """The definition inside `export`, `template <…>` and their kin."""
    while node.type in syntax.wrappers:
        inner = field(node, "declaration") or next(reversed(node.named_children), None)
        if inner is None or inner.type in ("export_clause", "string"):
            break
        node = inner
    return node


def _kind(language: str, syntax: Syntax, node: Node) -> Kind:
    if sections_name(language, node) is not None:
        return "section"
    if language in ("C++", "C or C++ header") and (special := _cpp_kind(node)):
        return special
    if language == "Ruby" and (special := ruby_nodes.kind_of(node)):
        return special
    if node.type == "import_spec":
        return "import"
    table: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("import", syntax.imports),
        ("type", syntax.types | syntax.atoms),
        ("routine", syntax.routines),
        ("field", syntax.fields),
        ("space", syntax.spaces),
        ("preamble", syntax.preamble),
        ("conditional", syntax.conditionals),
    )
    return next((kind for kind, types in table if node.type in types), "other")


def _cpp_kind(node: Node) -> Kind | None:
    if node.type in ("field_declaration", "declaration") and function_declarator(node) is not None:
        return "routine"
    if node.type in ("field_declaration", "declaration") and field(node, "declarator") is None:
        inner = field(node, "type")
        return "other" if inner is not None and inner.child_count else None
    # A class that is only announced is defined elsewhere.
    return "other" if node.type in ("class_specifier", "struct_specifier") and field(node, "body") is None else None


def _names(language: str, kind: Kind, node: Node) -> tuple[str, ...]:
    if language == "Ruby":
        return ruby_nodes.names_of(node)
    if language in ("C++", "C or C++ header") and kind == "routine":
        found = function_declarator(node)
        return (compact(field(found, "declarator")),) if found is not None else (compact(node)[:80],)
    if node.type == "impl_item":
        trait = f"{compact(field(node, 'trait'))} for " if field(node, "trait") is not None else ""
        generics = "".join(f"{compact(each)} " for each in node.named_children if each.type in _GENERICS)
        return (f"impl {generics}{trait}{compact(field(node, 'type'))}",)
    if node.type in ("operator_declaration", "conversion_operator_declaration", "indexer_declaration"):
        words = (compact(child) for child in node.children if child.type not in ("modifier", "attribute_list"))
        return (" ".join(words)[:80],)
    if language == "Go" and (receiver := field(node, "receiver")) is not None:
        return (f"({_receiver(receiver)}) {text_of(field(node, 'name'))}",)
    if node.type == "assignment_expression":
        left = field(node, "left")
        return ("".join(tokens(left)),) if left is not None else ()
    name = field(node, "name") or field(node, "property")
    if name is not None:
        return (text_of(name),)
    return tuple(declared(node)) or ((compact(node),) if kind == "field" else ())


def _key(language: str, syntax: Syntax, kind: Kind, node: Node, outer: Node, names: tuple[str, ...]) -> str:
    if kind != "routine":
        generics = next((each for each in node.children if each.type == "type_parameter_list"), None)
        return ", ".join(names) + (f"<{'T' * len(generics.named_children)}>" if generics is not None else "")
    if language in ("JavaScript", "TypeScript", "TSX"):
        words = [each.type for each in node.children if each.type in _ACCESS]
        signature = f"({compact(field(node, 'parameters'))})" if node.type in syntax.signatures else ""
        return " ".join([*words, *names]) + signature
    if language in ("C++", "C or C++ header"):
        return _cpp_key(node, outer, names[0])
    if language == "PHP":
        return names[0].casefold()
    if syntax.overloads:
        explicit = "".join(compact(each) for each in node.children if each.type == "explicit_interface_specifier")
        arity = compact(field(node, "type_parameters")).count(",") + 1 if field(node, "type_parameters") else 0
        generic = f"<{arity}>" if arity and language == "C#" else ""
        owner = "~" if node.type == "destructor_declaration" else ""
        # A class may have a constructor for its objects and one for itself.
        modifiers = [text_of(child) for child in node.children if child.type == "modifier"]
        owner = "static " if node.type == "constructor_declaration" and "static" in modifiers else owner
        listed = "" if node.type == "property_declaration" else f"({parameters(field(node, 'parameters'))})"
        return f"{explicit}{owner}{names[0]}{generic}{listed}"
    return names[0]


def _cpp_key(node: Node, outer: Node, name: str) -> str:
    found = function_declarator(node)
    if found is None:
        return compact(outer)
    qualifiers = [compact(each) for each in found.named_children if each.type in ("type_qualifier", "ref_qualifier")]
    key = " ".join([f"{name}({parameters(field(found, 'parameters'))})", *qualifiers])
    if outer.type != "template_declaration":
        return key
    # Templates may differ in nothing but their parameters, constraints and result.
    before = compact(outer).split(compact(field(node, "declarator")))[0]
    return f"{before}{key}"


def _receiver(node: Node) -> str:
    name = compact(node).strip("() ").replace("*", "").split("[")[0].strip()
    return re.sub(r"\[.*|^.*?(?=\w+$)", "", name).split(" ")[-1]


def _group(language: str, node: Node, names: tuple[str, ...]) -> str:
    """Methods of a Go type stand below it, one after the other."""
    if language != "Go":
        return ""
    receiver = field(node, "receiver")
    return _receiver(receiver) if receiver is not None else names[0] if node.type == "type_declaration" else ""


def _needed(language: str, node: Node) -> frozenset[str]:
    return ruby_nodes.references(node) if language == "Ruby" else frozenset()


def _inner_names(language: str, syntax: Syntax, node: Node) -> list[str]:
    """Everything that a conditional block may define."""
    out: list[str] = []
    for child in node.named_children:
        about = describe(language, syntax, (child,))
        if about.kind in ("routine", "type", "field"):
            out += [about.key] if syntax.overloads else about.names
        else:
            out += _inner_names(language, syntax, child)
    return out


def sections_name(language: str, node: Node) -> str | None:
    """The section that begins at a node, or None where none does."""
    if node.type == "access_specifier":
        return text_of(node)
    return ruby_nodes.section_of(node) if language == "Ruby" else None


def opened(language: str, node: Node) -> tuple[int, list[Node], Node, str] | None:
    """Of a body: the line it opens on, what it holds, what closes it, and the section it begins with."""
    if language == "Ruby":
        return ruby_nodes.body_of(node)
    body = field(node, "body")
    if body is None or not body.children or body.children[-1].type != "}" or body.type.startswith("enum_body"):
        return None
    section = {"class_specifier": "private", "struct_specifier": "public"}.get(node.type, "")
    return body.start_point[0], body.children[1:-1], body.children[-1], section


def is_method(language: str, member: Member) -> bool:
    """Whether a routine outside any class can only be meant for one."""
    if member.kind != "routine" or not isinstance(member.node, tuple):
        return False
    words = set(tokens(member.node[-1]))
    if language == "Rust":
        return member.node[-1].type == "function_item" and bool(words & {"self", "Self"})
    if language in ("C++", "C or C++ header"):
        found = function_declarator(member.node[-1])
        types = {child.type for child in found.children} if found is not None else set[str]()
        const = bool(types & {"type_qualifier", "virtual_specifier"})
        return "::" not in member.key and (const or "virtual" in words)
    return False
