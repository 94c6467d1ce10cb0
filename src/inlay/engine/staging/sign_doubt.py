"""Whether added lines may have kept a part of a hunk's signs, where no removed line shows how they are meant."""

from __future__ import annotations

import re

from inlay.model.edit import Op
from inlay.text.lines import Source

_ODD = re.compile(r"^ (?:  )*+[^ \n]", re.M)
_PLUS = re.compile(r"^\+", re.M)


def sign_doubt(source: Source, ops: tuple[Op, ...]) -> str:
    """Why the added lines may not be meant as they are; empty where nothing speaks against them."""
    added = [text for kind, text in ops if kind == "+" and text.strip()]
    if not added or any(kind == "-" for kind, _ in ops):
        return ""
    if all(text.startswith("+") for text in added) and not _PLUS.search(source.norm):
        return "every added line begins with a second +, and no line of the file begins so"
    if all(_ODD.match(text) for text in added) and not _ODD.search(source.norm):
        return "every added line has a blank more than any line of the file is indented by"
    return ""
