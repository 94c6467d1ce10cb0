"""Records as JSON: dataclasses written to a file and read back; whatever does not fit is a ValueError."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Record = TypeVar("_Record")


def encode(record: DataclassInstance, *, sort_keys: bool = False) -> bytes:
    """A record as one line of ASCII."""
    return json.dumps(asdict(record), sort_keys=sort_keys).encode()


def decode(data: bytes | str, kind: type[_Record]) -> _Record:
    """A record of that kind; fields that only a later version knows are ignored."""
    return convert(parse(data), kind)


def parse(data: bytes | str) -> Any:
    """Plain JSON. Not by msgspec, which refuses the lone surrogates that stand for bytes that are not UTF-8."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON: {error}") from None


def convert(plain: object, kind: type[_Record]) -> _Record:
    import msgspec  # late, so that commands that read nothing back start faster

    return msgspec.convert(plain, kind)


def encode_sealed(record: DataclassInstance) -> bytes:
    """A record and, in a second line, its checksum."""
    body = encode(record, sort_keys=True)
    return body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n"


def decode_sealed(data: bytes, kind: type[_Record]) -> _Record:
    """A record whose checksum is right."""
    body, _, checksum = data.partition(b"\n")
    if checksum != hashlib.sha256(body).hexdigest().encode() + b"\n":
        raise ValueError("its checksum does not match")
    return decode(body, kind)
