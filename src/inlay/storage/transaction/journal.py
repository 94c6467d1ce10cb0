"""The journal of one commit, which becomes its receipt when it is sealed: what each name held and is to hold."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from inlay.errors import EnvironmentFailure, InlayError
from inlay.model.file import RepoPath
from inlay.model.receipt import Receipt, Written

NAME = "journal"  #: of the file, until it is sealed


def receipt_name(number: str) -> str:
    """The file in which a sealed journal is kept."""
    return f"{number}.json"


@dataclass(frozen=True, slots=True)
class Meta:
    """What belongs to a file besides its bytes."""

    mode: int
    uid: int
    gid: int
    attributes: Mapping[str, str]  #: extended attributes, base64


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One name: the digest of what it held and of what it is to hold, empty for no file."""

    path: RepoPath
    old: str
    new: str
    old_meta: Meta | None = None
    new_meta: Meta | None = None  #: None for a new file with the user's defaults


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the audit log that can be recognised."""

    chain: str = ""
    records: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Journal:
    """Everything needed to take a commit back or, once it is sealed, to know what it did."""

    receipt: Receipt
    entries: tuple[JournalEntry, ...]
    made: tuple[RepoPath, ...] = ()  #: directories to make, outermost first
    removed: tuple[RepoPath, ...] = ()  #: directories to remove if they are empty, innermost first
    anchor: Anchor = Anchor()


def to_bytes(journal: Journal) -> bytes:
    """As JSON with a checksum, ASCII only."""
    body = _canonical(_plain(journal))
    return b'{"checksum":"' + _checksum(body) + b'",\n"journal":' + body + b"}\n"


def from_bytes(data: bytes, what: str) -> Journal:
    """Back again; raises where a single bit is not as it was written."""
    try:
        found = json.loads(data)
        journal = _journal(found["journal"])
        if to_bytes(journal) != data:
            raise ValueError("the checksum is another")
    except (ValueError, KeyError, TypeError, InlayError, RecursionError) as error:
        raise EnvironmentFailure(f"{what} is damaged: {error}") from None
    return journal


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _plain(journal: Journal) -> dict[str, Any]:
    return {
        "receipt": _fields(journal.receipt, files=[_plain_written(written) for written in journal.receipt.files]),
        "entries": [_plain_entry(entry) for entry in journal.entries],
        "made": [path.value for path in journal.made],
        "removed": [path.value for path in journal.removed],
        "anchor": _fields(journal.anchor),
    }


def _fields(record: Any, **others: Any) -> dict[str, Any]:
    """A record as a dictionary; `asdict` copies all below it, which is felt with a hundred files."""
    return {field.name: getattr(record, field.name) for field in fields(record)} | others


def _plain_written(written: Written) -> dict[str, Any]:
    return _fields(written, path=written.path.value, source=written.source.value if written.source else None)


def _plain_entry(entry: JournalEntry) -> dict[str, Any]:
    metas = {"old_meta": entry.old_meta, "new_meta": entry.new_meta}
    return _fields(entry, path=entry.path.value, **{name: meta and _fields(meta) for name, meta in metas.items()})


def _journal(plain: dict[str, Any]) -> Journal:
    receipt = Receipt(**plain["receipt"])
    files = tuple(_written(file) for file in plain["receipt"]["files"])
    return Journal(
        replace(receipt, files=files, notes=tuple(receipt.notes)),
        tuple(_entry(entry) for entry in plain["entries"]),
        tuple(map(RepoPath, plain["made"])),
        tuple(map(RepoPath, plain["removed"])),
        Anchor(**plain["anchor"]),
    )


def _written(plain: dict[str, Any]) -> Written:
    source = RepoPath(plain["source"]) if plain["source"] else None
    return Written(**{**plain, "path": RepoPath(plain["path"]), "source": source})


def _entry(plain: dict[str, Any]) -> JournalEntry:
    old, new = plain["old_meta"], plain["new_meta"]
    metas = {"old_meta": Meta(**old) if old else None, "new_meta": Meta(**new) if new else None}
    return JournalEntry(**{**plain, "path": RepoPath(plain["path"]), **metas})


def packed(attributes: Mapping[str, bytes]) -> dict[str, str]:
    """Extended attributes as text."""
    return {name: base64.b64encode(value).decode() for name, value in sorted(attributes.items())}


def unpacked(meta: Meta) -> dict[str, bytes]:
    """Extended attributes as they are set."""
    return {name: base64.b64decode(value) for name, value in meta.attributes.items()}
