"""The path that was probably meant: the same name elsewhere, or nearly the same name."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterable

_MOST = 3
_CLOSE = 0.75  # of the letters of a name
_LONGEST_SEARCH = 50_000  # names compared letter by letter; more would take seconds


def nearby(path: str, files: Iterable[str]) -> tuple[str, ...]:
    """Up to three files that a wrong path may mean, the likeliest first."""
    files = list(files)
    wanted = posixpath.basename(path)
    candidates = [file for file in files if posixpath.basename(file).lower() == wanted.lower()]
    if len(candidates) > _MOST:  # a name that every folder has says nothing without its folder
        folder = posixpath.basename(posixpath.dirname(path))
        candidates = [file for file in candidates if posixpath.basename(posixpath.dirname(file)) == folder]
    elif not candidates:
        names = {posixpath.basename(file) for file in files}
        similar = [name for name in names if abs(len(name) - len(wanted)) <= 4][:_LONGEST_SEARCH]
        close = set(difflib.get_close_matches(wanted, similar, _MOST, _CLOSE))
        candidates = [file for file in files if posixpath.basename(file) in close]

    def rank(file: str) -> tuple[float, str]:
        return -difflib.SequenceMatcher(None, path, file).ratio(), file

    return tuple(sorted(candidates, key=rank)[:_MOST])


def did_you_mean(path: str, files: Iterable[str]) -> str:
    """The same as a sentence; empty where nothing is near."""
    names = " or ".join(f"`{file}`" for file in nearby(path, files))
    return f"Did you mean {names}?" if names else ""
