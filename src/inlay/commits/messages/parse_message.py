"""A parsed message: header, type, scope, subject, body, footer and trailers, each with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from inlay.model.commit import Person

Part: TypeAlias = Literal["header", "type", "scope", "subject", "body", "footer"]

_CONVENTIONAL = re.compile(r"(?P<type>[A-Za-z][\w-]*)(?:\((?P<scope>[^()]*)\))?(?P<breaking>!)?: +(?P<subject>\S.*)")
_BREAKING = re.compile(r"BREAKING[ -]CHANGE(?:: | #)")
_TRAILER = re.compile(r"(?P<key>BREAKING CHANGE|[A-Za-z][A-Za-z0-9-]*)(?P<separator> *: | +#|:$)(?P<value>.*)")
_CHERRY = re.compile(r"\(cherry picked from commit [0-9a-f]{7,64}\)$")
_REFERENCE = re.compile(r"(?i)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|related to)\b[^.]*#\d+")
# Keys that begin no sentence, so even one line of them at the end is a footer.
_KNOWN_KEY = re.compile(
    r"(?i)(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested|helped|co-developed|approved)-by$"
    r"|change-id$|breaking[ -]change$"
)


@dataclass(frozen=True, slots=True)
class Trailer:
    """One `Key: value` line at the end of a message."""

    key: str
    value: str
    line: int  #: 1-based


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """A message and the lines of its parts; a header that is not conventional has a subject and no type."""

    lines: tuple[str, ...]
    type: str | None
    scope: str | None
    subject: str
    is_breaking: bool  #: by an exclamation mark in the header or by a footer
    is_marked: bool  #: by the exclamation mark
    body: tuple[str, ...]
    body_line: int
    footer: tuple[str, ...]
    footer_line: int
    trailers: tuple[Trailer, ...]
    author: Person | None = None

    @property
    def header(self) -> str:
        return self.lines[0] if self.lines else ""

    @property
    def is_conventional(self) -> bool:
        return self.type is not None

    def part(self, part: Part) -> str:
        """The text of one part; empty where the message has none."""
        if part in ("body", "footer"):
            return "\n".join(self.body if part == "body" else self.footer)
        return {"header": self.header, "type": self.type or "", "scope": self.scope or ""}.get(part, self.subject)

    def numbered(self, part: Part) -> list[tuple[int, str]]:
        """The lines of one part with their numbers in the message."""
        if part in ("body", "footer"):
            lines, first = (self.body, self.body_line) if part == "body" else (self.footer, self.footer_line)
            return list(enumerate(lines, first))
        return [(1, self.part(part))]


def parse(text: str, author: Person | None = None) -> CommitMessage:
    """Parse a message; any text is one."""
    lines = tuple(text.rstrip().split("\n")) if text.strip() else ()
    header = lines[0] if lines else ""
    conventional = _CONVENTIONAL.fullmatch(header.strip())
    footer_at = body_end = _footer_start(lines)
    body_at = 1
    while body_at < body_end and not lines[body_at].strip():
        body_at += 1
    while body_end > body_at and not lines[body_end - 1].strip():
        body_end -= 1
    footer = lines[footer_at:]
    is_marked = bool(conventional and conventional["breaking"])
    return CommitMessage(
        lines=lines,
        type=conventional["type"] if conventional else None,
        scope=conventional["scope"] if conventional else None,
        subject=conventional["subject"] if conventional else header.strip(),
        is_breaking=is_marked or any(_BREAKING.match(line) for line in footer),
        is_marked=is_marked,
        body=lines[body_at:body_end],
        body_line=body_at + 1,
        footer=footer,
        footer_line=footer_at + 1,
        trailers=tuple(_trailers(footer, footer_at + 1)),
        author=author,
    )


def _footer_start(lines: Sequence[str]) -> int:
    """Where the footer begins; the number of lines where there is none."""
    start = len(lines)
    while (above := _paragraph(lines, start)) is not None and _is_footer(lines[above[0] : above[1]]):
        start = above[0]
    if start == len(lines):  # Trailers stuck to the end of the body.
        while start > 1 and (trailer := _TRAILER.match(lines[start - 1])) and _KNOWN_KEY.match(trailer["key"]):
            start -= 1
    breaking = (at for at, line in enumerate(lines) if at and _BREAKING.match(line))
    return min([start, *breaking])


def _paragraph(lines: Sequence[str], end: int) -> tuple[int, int] | None:
    """The last paragraph before `end`, the header's own excepted."""
    while end > 1 and not lines[end - 1].strip():
        end -= 1
    start = end
    while start > 1 and lines[start - 1].strip():
        start -= 1
    return (start, end) if 1 < start < end else None


def _is_footer(paragraph: Sequence[str]) -> bool:
    return _is_footer_line(paragraph[0]) and all(_is_footer_line(line) or line[0] in " \t" for line in paragraph)


def _is_footer_line(line: str) -> bool:
    return any(form.match(line) for form in (_TRAILER, _CHERRY, _REFERENCE))


def _trailers(footer: Sequence[str], first: int) -> list[Trailer]:
    trailers: list[Trailer] = []
    for number, line in enumerate(footer, first):
        if match := _TRAILER.match(line):
            trailers.append(Trailer(match["key"], match["value"].strip(), number))
        elif trailers and line[:1] in (" ", "\t"):
            trailers[-1] = replace(trailers[-1], value=f"{trailers[-1].value} {line.strip()}".strip())
    return trailers
