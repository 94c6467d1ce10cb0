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
    known = list(files)
    wanted = posixpath.basename(path)
    twins = [file for file in known if posixpath.basename(file).lower() == wanted.lower()]
    if len(twins) > _MOST:  # a name that every folder has says nothing without its folder
        folder = posixpath.basename(posixpath.dirname(path))
        twins = [file for file in twins if posixpath.basename(posixpath.dirname(file)) == folder]
        return tuple(sorted(twins, key=lambda file: (-_alike(path, file), file))[:_MOST])
    if twins:
        return tuple(sorted(twins, key=lambda file: (-_alike(path, file), file))[:_MOST])
    names = {posixpath.basename(file) for file in known}
    similar = [name for name in names if abs(len(name) - len(wanted)) <= 4][:_LONGEST_SEARCH]
    close = set(difflib.get_close_matches(wanted, similar, _MOST, _CLOSE))
    found = [file for file in known if posixpath.basename(file) in close]
    return tuple(sorted(found, key=lambda file: (-_alike(path, file), file))[:_MOST])


def did_you_mean(path: str, files: Iterable[str]) -> str:
    """The same as a sentence; empty where nothing is near."""
    found = nearby(path, files)
    return f"Did you mean {' or '.join(f'`{file}`' for file in found)}?" if found else ""


def _alike(first: str, second: str) -> float:
    return difflib.SequenceMatcher(None, first, second).ratio()
