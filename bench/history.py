"""Where edits come from: the changes to text files in the history of any git repository."""

from __future__ import annotations

import random
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from bench.passages import FileChange, Span

_TEXT = (
    "c cc cpp cs css ex exs go h hpp html java js json jsx kt md mjs php py rb rs scss sh svelte swift toml ts tsx"
    " txt vue xml yaml yml"
)
SUFFIXES = frozenset(_TEXT.split())
SHORTEST, LONGEST, MOST_CHANGED = 12, 20_000, 200
_COMMITS = 3000  #: of a long history only so many are looked at
_PER_PATH = 4  #: one file's history must not crowd out the others
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class _Candidate(NamedTuple):
    old: str
    new: str
    path: str


def changes(repositories: Sequence[Path], wanted: int, seed: int) -> list[FileChange]:
    """Up to `wanted` changes, spread over repositories and kinds of file; the same for the same seed and history."""
    share = -(-wanted // max(1, len(repositories)))
    found = list(chain.from_iterable(_of_one(path, share, seed) for path in repositories))
    random.Random(seed).shuffle(found)
    return found[:wanted]


def _of_one(repository: Path, wanted: int, seed: int) -> Iterator[FileChange]:
    rng = random.Random(f"{seed}:{repository.name}")
    label = repository.name if repository.name not in ("repo", "") else repository.parent.name
    got, per_path = 0, defaultdict[str, int](int)
    for candidate in _spread(list(_candidates(repository, rng)), rng):
        if got >= wanted:
            return
        if per_path[candidate.path] < _PER_PATH and (change := _load(repository, candidate, label)):
            per_path[candidate.path] += 1
            got += 1
            yield change


def _candidates(repository: Path, rng: random.Random) -> Iterator[_Candidate]:
    commits = git(repository, "rev-list", "--no-merges", "HEAD").split()
    chosen = rng.sample(commits, min(_COMMITS, len(commits)))
    options = ("--stdin", "--no-walk=unsorted", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=M", "-z")
    log = git(repository, "log", *options, "--format=%x01", stdin=b"\n".join(chosen)).decode("utf-8", "replace")
    for commit in log.split("\x01")[1:]:
        fields = [part.strip("\n") for part in commit.split("\0")]
        for facts, path in pairwise(fields):
            if facts.startswith(":100") and path.rpartition(".")[2].lower() in SUFFIXES:
                _, _, old, new, _ = facts.split()
                yield _Candidate(old, new, path)


def _spread(candidates: list[_Candidate], rng: random.Random) -> Iterator[_Candidate]:
    """One of each kind of file in turn, so that a common language does not crowd out the others."""
    kinds: dict[str, list[_Candidate]] = defaultdict(list)
    rng.shuffle(candidates)
    for candidate in {(one.old, one.new): one for one in candidates}.values():
        kinds[candidate.path.rpartition(".")[2]].append(candidate)
    for row in zip_longest(*(kinds[kind] for kind in sorted(kinds))):
        yield from (candidate for candidate in row if candidate is not None)


def _load(repository: Path, candidate: _Candidate, label: str) -> FileChange | None:
    before, after = (text_lines(git(repository, "cat-file", "blob", blob)) for blob in candidate[:2])
    if before is None or after is None:
        return None
    spans = _spans(git(repository, "diff", "-U0", "--no-color", "--no-ext-diff", candidate.old, candidate.new))
    if not 1 <= sum(span.gone + span.come for span in spans) <= MOST_CHANGED:
        return None
    return FileChange(f"{label}:{candidate.old[:7]}-{candidate.new[:7]}", candidate.path, before, after, spans)


def text_lines(data: bytes) -> tuple[str, ...] | None:
    """Plain LF text of a sensible length; slips bring in every other kind themselves."""
    if not data.endswith(b"\n") or b"\r" in data or b"\0" in data or data.startswith(b"\xef\xbb\xbf"):
        return None
    try:
        lines = tuple(data.decode().split("\n")[:-1])
    except UnicodeDecodeError:
        return None
    return lines if SHORTEST <= len(lines) <= LONGEST and max(map(len, lines)) < 1000 else None


def _spans(diff: bytes) -> tuple[Span, ...]:
    out = []
    for match in _HUNK.finditer(diff):
        old, gone, new, come = (1 if group is None else int(group) for group in match.groups())
        # git names the line before an empty side, and the first line of one that is not.
        out.append(Span(old - (gone > 0), gone, new - (come > 0), come))
    return tuple(out)


def git(repository: Path, *args: str, stdin: bytes = b"") -> bytes:
    """What git says."""
    done = subprocess.run(["git", "-C", str(repository), *args], input=stdin, capture_output=True, check=True)
    return done.stdout
