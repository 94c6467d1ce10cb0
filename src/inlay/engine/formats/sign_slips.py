"""Other ways to read the signs of a hunk: a blank too many after them, none before context, every sign doubled.

Only the file can tell a slip from content, so these readings count where they fit it exactly and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inlay.model.edit import Hunk, Op


def readings(hunk: Hunk) -> tuple[Hunk, ...]:
    """What else the lines of a hunk can mean."""
    return tuple(replace(hunk, ops=ops) for ops in dict.fromkeys(_readings(hunk)) if ops != hunk.ops)


def _readings(hunk: Hunk) -> Iterator[tuple[Op, ...]]:
    ops, bare = hunk.ops, set(hunk.bare)
    solid = [op for op in ops if op[1].strip()]
    changed = [op for op in solid if op[0] != " "]
    if len(changed) == len(solid) and not any(kind == "-" for kind, _ in changed):
        return  # nothing that the file could prove
    # Context as it is in the file, with no sign before it.
    yield tuple((k, f" {text}" if k == " " and text and n not in bare else text) for n, (k, text) in enumerate(ops))
    if changed and all(text.startswith(" ") for _, text in changed):
        yield tuple((kind, text[1:] if kind != " " else text) for kind, text in ops)
        if all(text.startswith(" ") for _, text in solid):
            yield tuple((kind, text[1:]) for kind, text in ops)
    if changed and all(text.startswith(kind) for kind, text in changed):
        yield tuple((kind, text[1:] if kind != " " else text) for kind, text in ops)
        yield tuple((kind, text[1:] if kind != " " or text.startswith(" ") else text) for kind, text in ops)
