"""The bytes of a commit object: what they say, and the same with other parents and another message.

A commit is headers, one a line (a line that begins with a blank goes on), an empty line, and the message. Nothing but
the parents and the message is ever written anew; every other byte is carried over, known or not.
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
    """What a commit object says."""
    headers, message = split(data)
    found: dict[bytes, list[bytes]] = {}
    for name, value in fields(headers):
        found.setdefault(name, []).append(value)
    encoding = _ascii(found.get(b"encoding", [b""])[0])
    return Commit(
        id=commit_id,
        tree=_ascii(found.get(b"tree", [b""])[0]),
        parents=tuple(_ascii(parent) for parent in found.get(b"parent", ())),
        author=_person(found.get(b"author", [b""])[0], encoding),
        committer=_person(found.get(b"committer", [b""])[0], encoding),
        message=decoded(message, encoding),
        encoding=encoding,
        is_signed=any(name in found for name in _SIGNATURES),
    )


def split(data: bytes) -> tuple[bytes, bytes]:
    """The headers with their last line break, and the message."""
    end = data.find(b"\n\n")
    return (data, b"") if end < 0 else (data[: end + 1], data[end + 2 :])


def fields(headers: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Every header with its value, the lines that go on included."""
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
    """The object with its parents replaced where `parents` knows another, and a new message where there is one.

    Raises UnicodeEncodeError where the message cannot be said in the encoding that the commit declares.
    """
    headers, said = split(data)
    if message is not None:
        said = encoded(tidied(message), read("", data).encoding)
    return b"".join(_lines(headers, parents, drop_signatures)) + b"\n" + said


def _lines(headers: bytes, parents: Mapping[str, str], drop_signatures: bool) -> Iterator[bytes]:
    name = b""
    for line in _kept_lines(headers):
        if not line.startswith(b" "):
            name = line.split(b" ", 1)[0].rstrip(b"\n")
        if drop_signatures and name in _SIGNATURES:
            continue
        old = _ascii(line[7:].rstrip(b"\n")) if name == b"parent" and line.startswith(b"parent ") else ""
        yield b"parent " + parents[old].encode("ascii") + b"\n" if old in parents else line


def _kept_lines(headers: bytes) -> list[bytes]:
    """Lines by line feed only: a carriage return is content."""
    return [line + b"\n" for line in headers.split(b"\n")[:-1]]


def kept(data: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """What a rewriting must leave as it is: every header but parents and signatures."""
    return tuple(field for field in fields(split(data)[0]) if field[0] not in (b"parent", *_SIGNATURES))


def encoded(message: str, encoding: str) -> bytes:
    """A message as it stands in a commit of that encoding; git takes one that nobody knows for UTF-8."""
    if _is_utf8(encoding):
        return message.encode(_DEFAULT, "surrogateescape")
    return message.encode(encoding)


def decoded(data: bytes, encoding: str) -> str:
    """A message as text; what is no text in that encoding stays as surrogates, one for each byte."""
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
    found = _PERSON.fullmatch(value)
    if not found:
        return Person(decoded(value, encoding), "")
    name, email, when = found["name"], found["email"], found["when"]
    return Person(decoded(name, encoding).strip(), decoded(email, encoding), _ascii(when))


def _ascii(value: bytes) -> str:
    return value.decode("ascii", "surrogateescape")
