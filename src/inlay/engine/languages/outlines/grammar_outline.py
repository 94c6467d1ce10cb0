"""Reads every language with a tree-sitter grammar as scopes and members."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from inlay.engine.languages import Language, grammar
from inlay.engine.languages.outlines import ruby_nodes
from inlay.engine.languages.outlines.grammar_keys import Description, describe, opened, sections_name
from inlay.engine.languages.outlines.grammar_names import compact, text_of, tokens
from inlay.engine.languages.outlines.outline import Inline, Member, Outline, Scope, nested
from inlay.engine.languages.outlines.syntaxes import SYNTAXES, Syntax
from inlay.errors import MergeRefused, Misfit
from inlay.text.lines import Source, indent_of, is_blank

if TYPE_CHECKING:
    from tree_sitter import Node

_STRINGS = ("string", "heredoc", "template", "text_block", "raw")


def can_read(language: Language) -> bool:
    return language.name in SYNTAXES and grammar.installed(language)


def read(language: Language, text: str, whose: str) -> Outline:
    outline = parsed(language, text)
    if outline is not None and (whose != "the existing file" or not outline.faults):
        return outline
    # An existing file may have faults, as long as something that can be joined was read without one.
    if outline is None or not any(member.body and member.body.sound for member in nested(outline.scope)):
        raise MergeRefused(Misfit("unreadable", f"{whose} cannot be read as {language.name}"))
    return outline


def parsed(language: Language, text: str) -> Outline | None:
    """The outline of a text, faults and all; None when no grammar is installed."""
    norm = Source(text).norm
    root = grammar.tree(language, norm)
    if root is None:
        return None
    lines = norm.split("\n")
    if not lines[-1]:
        lines.pop()
    reader = _Reader(language.name, SYNTAXES[language.name], lines)
    return Outline(
        lines,
        reader.module(root),
        reader.canonical,
        partial(verbatim, root),
        partial(steps, root, lines),
        faults=sum(1 for _ in faults(root)) + (len(ruby_nodes.strays(root)) if language.name == "Ruby" else 0),
        overloading=SYNTAXES[language.name].overloads,
        marker=SYNTAXES[language.name].marker,
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    language: str
    syntax: Syntax
    lines: list[str]

    def canonical(self, member: Member) -> str:
        return " ".join(map(compact, member.node if isinstance(member.node, tuple) else ()))

    def module(self, root: Node) -> Scope:
        last = root.named_children[-1] if root.named_children else root
        # An include guard ends the module before the file does.
        guard = last.children[-1] if len(list(_flat([last]))) > 1 and last.children[-1].type == "#endif" else None
        closing = guard.start_point[0] if guard is not None else len(self.lines)
        return self._scope(root.children, 0, closing, "", _is_whole(root.children), module=True)

    def _scope(
        self, nodes: list[Node], opening: int, closing: int, section: str, sound: bool, module: bool = False
    ) -> Scope:
        members = tuple(self._members(nodes, opening, section))
        names = frozenset(name for each in members if each.kind == "conditional" for name in each.names)
        begins = [each for each in members if each.alone and each.kind != "section"]
        indent = "" if module or not begins else indent_of(self.lines[begins[0].start])
        return Scope(members, opening, closing, indent, names, None, module, sound, section)

    def _members(self, nodes: list[Node], floor: int, section: str) -> Iterator[Member]:
        comments: set[int] = set()
        waiting: list[Node] = []
        solid = [node for node in _flat(nodes) if node.is_named and node.type != "ERROR"]
        for n, node in enumerate(solid):
            if node.type in self.syntax.attached:
                if self._begins(node):
                    comments.update(range(node.start_point[0], _end(node)))
                waiting += [node] if node.type in ("decorator", "attribute_item") else []
                continue
            if (named := sections_name(self.language, node)) is not None:
                section = named
            below = next((each for each in islice(solid, n + 1, None) if each.type not in self.syntax.attached), None)
            member = self._member((*waiting, node), floor, section, comments, below)
            waiting = []
            yield member
            floor = max(floor, member.end)

    def _begins(self, node: Node) -> bool:
        line = self.lines[node.start_point[0]].encode("utf-8", "replace")
        return not line[: node.start_point[1]].strip()

    def _member(
        self, nodes: tuple[Node, ...], floor: int, section: str, comments: set[int], below: Node | None
    ) -> Member:
        node = nodes[-1]
        about: Description = describe(self.language, self.syntax, nodes)
        start, end = nodes[0].start_point[0], max(_end(node), node.start_point[0] + 1)
        first = start
        while first > floor and first - 1 in comments:
            first -= 1
        apart = below is None or below.start_point[0] >= end
        # Some grammars leave the semicolon outside the node.
        tail = ";" if node.next_sibling is not None and node.next_sibling.type == ";" else ""
        return Member(
            about.kind,
            about.key,
            start if first == 0 and about.kind in ("import", "preamble") else first,
            start,
            end,
            names=about.names,
            node=nodes,
            body=self._body(about.node) if about.kind in ("type", "space") else None,
            section=section,
            uses=about.uses,
            leaves=about.leaves,
            header=_header(about.node) if about.kind == "type" else frozenset(),
            overload=about.overload,
            alone=start >= floor and apart and self._begins(nodes[0]),
            own=text_of(node) + tail if len(nodes) == 1 and start + 1 == end else "",
            group=about.group,
        )

    def _body(self, node: Node) -> Scope | None:
        found = opened(self.language, node)
        if found is None:
            return None
        head, nodes, closer, section = found
        row, column = closer.start_point
        # Faults inside a member's own body leave the class readable, when its end stands where it should.
        header, end = (indent_of(self.lines[edge.start_point[0]]) for edge in (node, closer))
        whole = self._begins(closer) and header == end and _is_whole([*nodes, closer])
        scope = self._scope(nodes, head + 1, row, section, whole or not node.has_error)
        if self._begins(closer) and row > head:
            return scope
        at = len(self.lines[row].encode("utf-8", "replace")[:column].decode("utf-8", "replace"))
        return replace(scope, inline=Inline(row, at, at, closer=True), opening=min(head + 1, row))


def _flat(nodes: list[Node]) -> Iterator[Node]:
    """The include guard of a header and the list of Go's imports are looked through."""
    for node in nodes:
        if node.type == "preproc_ifdef" and node.prev_named_sibling in (None, *_comments_above(node)):
            guarded = node.named_children
            if len(guarded) > 2 and guarded[1].type == "preproc_def" and text_of(guarded[0]) in text_of(guarded[1]):
                yield from guarded[2:]
                continue
        if node.type == "import_declaration" and (node.named_children or [node])[0].type == "import_spec_list":
            yield from node.named_children[0].named_children
            continue
        yield node


def _is_whole(nodes: list[Node]) -> bool:
    return not any(node.is_error or node.is_missing for node in nodes)


def _comments_above(node: Node) -> list[Node]:
    found = []
    at = node.prev_named_sibling
    while at is not None and at.type == "comment":
        found.append(at)
        at = at.prev_named_sibling
    return found if at is None else []


def _end(node: Node) -> int:
    """One past a node's last line; some nodes take the line break with them."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point[0] else row + 1


def _header(node: Node) -> frozenset[str]:
    body = node.child_by_field_name("body")
    before = takewhile(lambda child: child != body and child.type not in ("body_statement", "end", "{"), node.children)
    return frozenset(word for child in before for word in tokens(child))


def faults(root: Node) -> Iterator[Node]:
    """Everything the parser could not read, or had to make up."""
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        waiting.extend(each for each in node.children if each.has_error or each.is_missing)


def verbatim(root: Node) -> frozenset[int]:
    """The lines that begin inside a string."""
    kept: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        first, last = node.start_point[0], node.end_point[0]
        if first == last:
            continue
        if any(word in node.type for word in _STRINGS):
            kept.update(range(first + (node.start_point[1] > 0), last + 1))
        waiting.extend(node.children)
    return frozenset(kept)


def steps(root: Node, lines: list[str]) -> Iterator[str]:
    """How much deeper than its closing bracket or word each block is."""
    waiting = deque([root])
    while waiting:
        node = waiting.popleft()
        if node.start_point[0] == node.end_point[0]:
            continue
        waiting.extend(node.children)
        closer, row = node.children[-1] if node.children else None, node.start_point[0] + 1
        if closer is not None and closer.type in ("}", "end") and row < closer.start_point[0]:
            outer, inner = (indent_of(lines[n]) for n in (closer.start_point[0], row))
            if not is_blank(lines[row]) and inner.startswith(outer):
                yield inner[len(outer) :]
