"""Changes made up from a repository's present files, for when its history is too short to draw from."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.history import SHORTEST, SUFFIXES, git, text_lines
from bench.passages import FileChange, Span

_WORD = re.compile(r"[A-Za-z_]{4,}")


def invented(repositories: Sequence[Path], wanted: int, seed: int) -> list[FileChange]:
    """Up to `wanted` changes to files as they stand: names replaced, lines taken out, lines put in."""
    rng = random.Random(f"{seed}:invented")
    files = [(path, text) for root in repositories for path, text in _files(root)]
    out: list[FileChange] = []
    for number in range(wanted if files else 0):
        path, lines = files[number % len(files)]
        out.append(invent(f"invented:{number}", path, lines, rng))
    return out


def invent(name: str, path: str, lines: Sequence[str], rng: random.Random) -> FileChange:
    """One to three changes, well apart, to one file."""
    after: list[str] = []
    spans: list[Span] = []
    at = 0
    for row in sorted(rng.sample(range(2, len(lines) - 3), min(3, rng.randint(1, 3), len(lines) // 12))):
        if row < at + 3 and spans:
            continue
        after += lines[at:row]
        gone, come = _change(list(lines[row : row + 2]), rng)
        spans.append(Span(row, gone, len(after), len(come)))
        after += come
        at = row + gone
    return FileChange(name, path, tuple(lines), (*after, *lines[at:]), tuple(spans))


def _change(two: list[str], rng: random.Random) -> tuple[int, list[str]]:
    """How many of the two lines go, and what comes instead; never what was there already."""
    word = f"{rng.choice(['amended', 'revised', 'renewed'])}_{rng.randrange(1000)}"
    indent = two[0][: len(two[0]) - len(two[0].lstrip())]
    kind = rng.choice(("rename", "rename", "add", "remove", "rewrite"))
    if kind == "rename" and (match := _WORD.search(two[0])):
        return 1, [two[0][: match.start()] + word + two[0][match.end() :]]
    if kind == "remove" and two[0].strip() and two[0] != two[1]:
        return 1, []
    if kind == "rewrite":
        return 2, [f"{indent}{word} = first", f"{indent}{word} += second"]
    return 0, [f"{indent}{word}()"]


def _files(repository: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Files as last committed: what is being worked on would give other trials with every run."""
    for path in git(repository, "ls-tree", "-rz", "--name-only", "HEAD").decode("utf-8", "replace").split("\0"):
        if path.rpartition(".")[2] in SUFFIXES:
            lines = text_lines(git(repository, "show", f"HEAD:{path}"))
            if lines is not None and len(lines) >= 2 * SHORTEST:
                yield path, lines
