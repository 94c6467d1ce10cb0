"""The journal of one commit, which becomes its receipt when it is sealed: what each name held and is to hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inlay.errors import EnvironmentFailure, InlayError
from inlay.model.file import RepoPath
from inlay.model.receipt import Receipt
from inlay.storage.audit_log import Anchor
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.state import record_codec

NAME = "journal"  #: of the file, until it is sealed


def receipt_name(number: str) -> str:
    """The file of a sealed journal."""
    return f"{number}.json"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One name: the digest of what it held and of what it is to hold, empty for no file."""

    path: RepoPath
    old: str
    new: str
    old_meta: Meta | None = None
    new_meta: Meta | None = None  #: None for a new file with the user's defaults


@dataclass(frozen=True, slots=True)
class Journal:
    """Everything needed to roll a commit back or, once it is sealed, to know what it did."""

    receipt: Receipt
    entries: tuple[JournalEntry, ...]
    made: tuple[RepoPath, ...] = ()  #: directories to make, outermost first
    removed: tuple[RepoPath, ...] = ()  #: directories to remove if they are empty, innermost first
    anchor: Anchor = field(default_factory=Anchor)


def to_bytes(journal: Journal) -> bytes:
    """As JSON with a checksum, ASCII only."""
    import msgspec

    # Not `asdict`, which takes long for a hundred files.
    plain = _with_paths(msgspec.to_builtins(journal), lambda path: path and path["value"])
    body = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    return b'{"checksum":"' + hashlib.sha256(body).hexdigest().encode() + b'",\n"journal":' + body + b"}\n"


def from_bytes(data: bytes, name: str) -> Journal:
    """A journal as it was written; raises EnvironmentFailure where a single bit differs."""
    try:
        plain = _with_paths(record_codec.parse(data)["journal"], lambda path: path and {"value": path})
        journal = record_codec.convert(plain, Journal)
        if to_bytes(journal) != data:
            raise ValueError("its checksum does not match")
    except (ValueError, KeyError, TypeError, InlayError, RecursionError) as error:
        raise EnvironmentFailure(f"{name} is damaged: {error}") from None
    return journal


def _with_paths(plain: dict[str, Any], convert: Callable[[Any], Any]) -> dict[str, Any]:
    """A journal with every path converted: on the disk it is a string, to msgspec an object."""
    receipt = plain["receipt"]
    files = [{**file, "path": convert(file["path"]), "source": convert(file["source"])} for file in receipt["files"]]
    return {
        **plain,
        "receipt": {**receipt, "files": files},
        "entries": [{**entry, "path": convert(entry["path"])} for entry in plain["entries"]],
        "made": [convert(path) for path in plain["made"]],
        "removed": [convert(path) for path in plain["removed"]],
    }
