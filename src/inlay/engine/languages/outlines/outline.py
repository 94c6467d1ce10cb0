"""The nouns of extending: a text seen as scopes and their members, whatever its language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "preamble",  # must stay on top: docstring, package clause, include guard
    "import",
    "field",  # short: constants, attributes, properties without a body
    "routine",
    "type",
    "space",  # namespaces, modules: what they hold counts as module level
    "section",  # a marker that sets the visibility of what follows
    "conditional",  # a block that may or may not define what stands in it
    "other",
    "stub",  # stands only because a body may not be empty
]

_ENOUGH = 200  # blocks that show a file's unit of indentation
BLOCKS: frozenset[Kind] = frozenset({"routine", "type", "space", "conditional"})


@dataclass(frozen=True, slots=True)
class Leaf:
    identity: str  #: equal for equal imports, however they are written
    bound: str  #: the name it gets here; empty when it has none
    line: str  #: how to import this alone


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One definition or statement of a scope, in 0-based lines."""

    kind: Kind
    key: str  #: equal keys mean the same member; holds the parameters where the language overloads
    first: int  #: where the comments directly above begin
    start: int  #: where the member itself begins, its decorators included
    end: int  #: one past its last line
    names: tuple[str, ...] = ()  #: what it binds
    node: object = None  #: as its parser sees it
    body: Scope | None = None
    section: str = ""
    uses: frozenset[str] = frozenset()  #: names that must be bound before this member
    avoids: frozenset[str] = frozenset()  #: names that would change its meaning if the scope bound them before it
    leaves: tuple[Leaf, ...] = ()
    header: frozenset[str] = frozenset()  #: the tokens that introduce its body
    overload: bool = False  #: a signature only, which must stand before the implementation
    alone: bool = True  #: no other member shares its lines
    own: str = ""  #: its text without what shares its line; empty when it takes several lines
    group: str = ""  #: members that want to stand together, though no scope holds them
    early: bool = False  #: must go before the other imports

    @property
    def shown(self) -> str:
        """What a person calls it."""
        return self.key if self.key.isprintable() and len(self.key) < 80 else ", ".join(self.names) or "a statement"


@dataclass(frozen=True, slots=True)
class Inline:
    """A body that shares its line with what is around it: columns `start` up to `end` of a line."""

    line: int
    start: int
    end: int
    closer: bool = False  #: a closing word follows


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A body that members stand in: lines `opening` up to `closing`."""

    members: tuple[Member, ...]
    opening: int
    closing: int
    indent: str  #: of its members
    conditional: frozenset[str] = frozenset()  #: names that only a condition defines
    inline: Inline | None = None  #: where the body must be opened up before anything can join it
    module: bool = False
    sound: bool = True  #: the parser had nothing to complain about here
    default_section: str = ""

    def bound(self, name: str) -> list[Member]:
        return [member for member in self.members if name in member.names]

    def keyed(self, key: str) -> list[Member]:
        return [member for member in self.members if member.key == key]


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A whole text: its lines, its members, and what to know to move them."""

    lines: list[str]
    scope: Scope
    canonical: Callable[[Member], str]  #: equal for members that differ in layout and comments only
    verbatim: Callable[[], frozenset[int]]  #: lines that begin inside a string, whose indentation is content
    steps: Callable[[], Iterator[str]]  #: by how much each block is indented
    bare: tuple[Member, ...] = ()  #: members of a class that the text does not name
    faults: int = 0
    blank_lines: int = 1  #: between definitions of a module that shows no habit of its own
    overloading: bool = False  #: one name may stand for several routines
    marker: str = "{}"  #: how a section is announced

    def unit(self) -> str:
        """One level of indentation as most blocks have it; nothing where the text shows none."""
        steps = Counter(islice(filter(None, self.steps()), _ENOUGH))
        return max(sorted(steps, key=len), key=lambda step: steps[step], default="")


def deep(scope: Scope) -> Iterator[tuple[Scope, Member]]:
    """Every member of a module with the scope it stands in; namespaces are looked through."""
    for member in scope.members:
        yield scope, member
        if member.kind == "space" and member.body:
            yield from deep(member.body)


def nested(scope: Scope) -> Iterator[Member]:
    for member in scope.members:
        yield member
        if member.body:
            yield from nested(member.body)
