"""Separates content from the words of a prompt, by lines that the content's author cannot guess."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from inlay.prompts import sanitise

_DIGITS = 16  # of the nonce, in hex: too many to hit by trying


@dataclass(frozen=True, slots=True)
class Blocks:
    """Writes blocks under one secret key.

    A block's nonce is an authentication code of its content. No content can have its own nonce in it, and the same
    content gets the same one: providers' caches hit, and stored answers are found again.

    >>> print(Blocks(b"secret").block("file", "greet.py", "hello"))
    [begin file greet.py #166fe3defcf40993]
    hello
    [end file #166fe3defcf40993]
    """

    key: bytes = field(repr=False)

    def block(self, kind: str, name: str, content: str) -> str:
        """Content of a kind and a name between two marker lines."""
        return self.verbatim(kind, name, content.replace("\r\n", "\n"))

    def verbatim(self, kind: str, name: str, content: str) -> str:
        """The same with line ends as they are, because a diff may be about them."""
        shown = plain(content)
        title = " ".join(filter(None, (sanitise.line(kind), sanitise.line(name))))
        nonce = hmac.new(self.key, f"{title}\0{shown}".encode(), hashlib.sha256).hexdigest()[:_DIGITS]
        ending = "" if shown.endswith("\n") or not shown else "\n"
        return f"[begin {title} #{nonce}]\n{shown}{ending}[end {sanitise.line(kind)} #{nonce}]"


def plain(content: str) -> str:
    """Content with a question mark for each character that no provider accepts."""
    return content.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")
