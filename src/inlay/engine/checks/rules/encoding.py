"""Whether new text can be written in the encoding of its file."""

from __future__ import annotations

from inlay.errors import Misfit
from inlay.model.change import Change
from inlay.text.lines import Source


def unwritable(change: Change) -> Misfit | None:
    """Why not: the encoding lacks a character, or is not known, and then only ASCII is certain."""
    try:
        _ = change.content
    except UnicodeEncodeError as error:
        message = f"{change.target} is in {error.encoding}, which has no {error.object[error.start]!r}"
        return Misfit("encoding", message, "Use characters that the file's encoding has.", path=str(change.target))
    before = change.before
    if before is None or not before.encoding.legacy:
        return None
    # Where more letters beyond ASCII were read than bytes that are none, those bytes are mere strays.
    strays = sum("\udc80" <= letter <= "\udcff" for letter in before.text)
    if sum(not letter.isascii() for letter in before.text) > 2 * strays:
        return None
    had = set(Source(before.text).lines)
    if all(line.isascii() for line in Source(change.after or "").lines if line not in had):
        return None
    message = f"{change.target} is not in UTF-8, so new text in it must be ASCII"
    return Misfit("encoding", message, "Use ASCII or escapes in new lines.", path=str(change.target))
