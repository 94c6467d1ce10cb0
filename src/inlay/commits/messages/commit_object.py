"""The bytes of a commit object: parsed, and rewritten with other parents and another message.

A commit is headers, one a line (a line that begins with a blank continues the one before), an empty line, and the
message. Only the parents and the message are rewritten; every other byte is copied, whatever it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from inlay.commits.messages.cleanup import tidied
from inlay.model.commit import Commit, Person

_PERSON = re.compile(rb"(?P<name>.*?) ?<(?P<email>[^>]*)> ?(?P<when>.*)", re.DOTALL)
_SIGNATURES = (b"gpgsig", b"gpgsig-sha256")
_DEFAULT = "utf-8"


def read(commit_id: str, data: bytes) -> Commit:
    headers, message = split(data)
    values: dict[bytes, list[bytes]] = {}
    for name, value in fields(headers):
        values.setdefault(name, []).append(value)

    def first(name: bytes) -> bytes:
        return values.get(name, [b""])[0]

    encoding = _ascii(first(b"encoding"))
    return Commit(
        id=commit_id,
        tree=_ascii(first(b"tree")),
        parents=tuple(_ascii(parent) for parent in values.get(b"parent", ())),
        author=_person(first(b"author"), encoding),
        committer=_person(first(b"committer"), encoding),
        message=decoded(message, encoding),
        encoding=encoding,
        is_signed=any(name in values for name in _SIGNATURES),
    )


def split(data: bytes) -> tuple[bytes, bytes]:
    """The headers with their last line break, and the message."""
    end = data.find(b"\n\n")
    return (data, b"") if end < 0 else (data[: end + 1], data[end + 2 :])


def fields(headers: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Every header with its value, continuation lines included."""
    name, value = b"", b""
    for line in headers.split(b"\n"):
        if line.startswith(b" "):
            value += b"\n" + line[1:]
            continue
        if name:
            yield name, value
        name, _, value = line.partition(b" ")
    if name:
        yield name, value


def rewritten(
    data: bytes, parents: Mapping[str, str], message: str | None = None, *, drop_signatures: bool = False
) -> bytes:
    """The object with its parents replaced where `parents` has another, and with the message where there is one.

    Raises UnicodeEncodeError where the message cannot be written in the encoding that the commit declares.
    """
    headers, text = split(data)
    if message is not None:
        text = encoded(tidied(message), read("", data).encoding)
    name, lines = b"", list[bytes]()
    for line in headers.split(b"\n")[:-1]:  # by line feed only: a carriage return is content
        if not line.startswith(b" "):
            name = line.split(b" ", 1)[0]
        if drop_signatures and name in _SIGNATURES:
            continue
        old = _ascii(line[7:]) if line.startswith(b"parent ") else ""
        lines.append(b"parent " + parents[old].encode("ascii") if old in parents else line)
    return b"\n".join([*lines, b"", text])


def kept(data: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """What a rewrite must not change: every header but parents and signatures."""
    return tuple(field for field in fields(split(data)[0]) if field[0] not in (b"parent", *_SIGNATURES))


def encoded(message: str, encoding: str) -> bytes:
    """A message as bytes in the encoding of a commit; like git, an unknown encoding is taken for UTF-8."""
    return message.encode(_DEFAULT, "surrogateescape") if _is_utf8(encoding) else message.encode(encoding)


def decoded(data: bytes, encoding: str) -> str:
    """A message as text; bytes that are not valid in the encoding become surrogates, one for each."""
    if _is_utf8(encoding):
        return data.decode(_DEFAULT, "surrogateescape")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("ascii", "surrogateescape")


def _is_utf8(encoding: str) -> bool:
    try:
        "".encode(encoding or _DEFAULT)
    except (LookupError, ValueError):
        return True
    return encoding.lower().replace("_", "-") in ("", "utf-8", "utf8")


def _person(value: bytes, encoding: str) -> Person:
    person = _PERSON.fullmatch(value)
    if person is None:
        return Person(decoded(value, encoding), "")
    return Person(decoded(person["name"], encoding).strip(), decoded(person["email"], encoding), _ascii(person["when"]))


def _ascii(value: bytes) -> str:
    return value.decode("ascii", "surrogateescape")
