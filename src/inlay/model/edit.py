"""The edits of a reply as they were written, before any file is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.model.allowance import Allowance

OpKind: TypeAlias = Literal[" ", "-", "+"]
Op: TypeAlias = tuple[OpKind, str]


@dataclass(frozen=True, slots=True)
class Block:
    """FIND and REPLACE as whole lines without their endings; what they share is context."""

    find: tuple[str, ...]
    replace: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hunk:
    """Operations in order: context, removed and added lines, as a diff writes them."""

    ops: tuple[Op, ...]
    #: whether the old and the new side are marked as lacking the final newline
    old_open: bool = False
    new_open: bool = False
    bare: tuple[int, ...] = ()  #: which operations are context that was written without a sign
    endings: tuple[str, ...] = ()  #: of every line, where they are the file's own rather than the reply's


@dataclass(frozen=True, slots=True)
class Splice:
    """Lines `start` to `end` (1-based, inclusive; `end = start - 1` inserts) give way to `new`."""

    start: int
    end: int
    new: tuple[str, ...]


Variant: TypeAlias = Block | Hunk | Splice


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file; several variants where its markup can be read several ways."""

    number: int  #: 1-based position in the reply
    variants: tuple[Variant, ...]
    line: int | None = None  #: 1-based line the reply claims; a hint that only breaks ties
    sections: tuple[str, ...] = ()  #: enclosing lines the reply names after `@@`, outermost first
    at_end: bool = False  #: the reply says the place is the end of the file
    everywhere: bool = False  #: the reply asks for every occurrence
    description: str = ""


@dataclass(frozen=True, slots=True)
class Update:
    """Edits to an existing file, which may move as well."""

    path: str | None  #: as written, stripped of decoration; None when the reply names no file
    edits: tuple[Edit, ...]
    move_to: str | None = None
    base_id: str | None = None  #: the beginning of the git blob id of the text that the edits were made from
    executable: bool | None = None  #: whether the file may be run afterwards; None to leave that as it is
    result_id: str | None = None  #: the same of the text that they make
    commit: int = 0  #: 1-based position in a series of patches; a later one changes what an earlier one made


@dataclass(frozen=True, slots=True)
class Create:
    """A file that must not exist yet."""

    path: str
    content: str
    executable: bool = False
    commit: int = 0  #: as for an update


@dataclass(frozen=True, slots=True)
class Overwrite:
    """The whole new content of a file, whether or not it exists."""

    path: str | None
    content: str


@dataclass(frozen=True, slots=True)
class Delete:
    """A file to delete; it must exist."""

    path: str
    lines: tuple[str, ...] | None = None  #: the content that the reply quotes, if it does
    commit: int = 0  #: as for an update


Part: TypeAlias = Update | Create | Overwrite | Delete


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply asks for, file by file, in the order written."""

    format: str  #: name of the format, or "mixed" where parts differ
    parts: tuple[Part, ...]
    wrapping: tuple[str, ...] = ()  #: text around the edits that was skipped, for --strict
    warnings: tuple[str, ...] = ()
    allow: frozenset[Allowance] = frozenset()  #: what a person declares to be content
