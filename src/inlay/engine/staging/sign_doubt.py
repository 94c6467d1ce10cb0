"""Whether added lines may have kept a part of a hunk's signs, where no removed line shows how they are meant."""

from __future__ import annotations

import re

from inlay.engine.staging.located import LocatedOps
from inlay.engine.staging.weave import indentation_of
from inlay.text.lines import Source

_ODD = re.compile(r"^ (?:  )*+[^ \n]", re.M)
_MIXED = re.compile(r"^ \t", re.M)
_LONE_BLANK = re.compile(r"^ $", re.M)
_PLUS = re.compile(r"^\+", re.M)


def sign_doubt(source: Source, step: LocatedOps) -> str:
    """Why the added lines may not be meant as they are; empty where nothing speaks against them."""
    written = [text for kind, text in step.ops if kind == "+"]
    added = [text for text in written if text.strip()]
    if not written or not step.stands:
        return ""
    if not added:
        odd = all(text == " " for text in written) and _LONE_BLANK.search(source.norm) is None
        return "every added line is a lone blank, and no line of the file is" if odd else ""
    indentation = indentation_of(source, step.ops, step.place)
    if indentation is not None and indentation.rest.add == " ":
        return "the unchanged lines of the hunk seem to lack the blank that marks them"
    if any(kind == "-" and text for kind, text in step.ops):
        return ""
    if all(text.startswith("+") for text in added) and not _PLUS.search(source.norm):
        return "every added line begins with a second +, and no line of the file begins so"
    for shape in (_ODD, _MIXED):
        if all(shape.match(text) for text in added) and not shape.search(source.norm):
            return "every added line has a blank more than any line of the file is indented by"
    return ""
