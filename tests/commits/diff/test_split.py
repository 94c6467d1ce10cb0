"""Whatever git writes: pieces say the same as the whole, each fits, each stands alone, and together they apply."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from inlay.commits.chunk_plan import CommitPlan, PlanOptions, plan_range
from inlay.commits.diff.git_diff import DiffPiece
from inlay.commits.diff.sections import parse
from inlay.git.repository import open_repository
from inlay.llm.tokens import plain

if TYPE_CHECKING:
    from conftest import History, Repository

HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@[^\n]*\n")
Line = tuple[bytes, int, int, bytes]
BUDGETS = (150, 400, 2000)


def lines_of(diff: bytes, at: int) -> Iterator[tuple[bool, list[Line]]]:
    """Every hunk from `at` on, with the coordinates of its lines; a reader of its own, line by line."""
    while at < len(diff):
        head = HUNK.match(diff, at)
        assert head, diff[at : at + 80]
        at = head.end()
        old_left, new_left = (1 if head[n] is None else int(head[n]) for n in (2, 4))
        old, new = int(head[1]) + (old_left == 0), int(head[3]) + (new_left == 0)
        lines: list[Line] = []
        while old_left or new_left or diff.startswith(b"\\", at):
            end = diff.index(b"\n", at) + 1
            mark, rest = diff[at : at + 1], diff[at + 1 : end]
            at = end
            if mark == b"\\":
                lines[-1] = (*lines[-1][:3], lines[-1][3] + b"\\")
                continue
            assert mark in (b" ", b"+", b"-")
            lines.append((mark, old, new, rest))
            old, old_left = old + (mark != b"+"), old_left - (mark != b"+")
            new, new_left = new + (mark != b"-"), new_left - (mark != b"-")
        yield any(mark != b" " for mark, *_ in lines), lines


def body(diff: bytes) -> int:
    found = diff.find(b"\n@@ ")
    return len(diff) if found < 0 else found + 1


def contents(diff: bytes) -> Counter[Line]:
    return Counter(line for _, lines in lines_of(diff, body(diff)) for line in lines)


def sections(made: CommitPlan) -> dict[int, list[DiffPiece]]:
    found: dict[int, list[DiffPiece]] = {}
    for piece in sorted((p for c in made.chunks for p in c.pieces), key=lambda p: (p.section, p.part)):
        found.setdefault(piece.section, []).append(piece)
    return found


def planned(repository: "Repository", commit: str, budget: int) -> CommitPlan:
    with open_repository(repository.root) as repo:
        (plan,) = plan_range(repo, commit, PlanOptions(capacity=budget))
    return plan


@pytest.mark.slow
def test_nothing_is_lost_and_everything_fits(history: "History") -> None:
    repository, commit = history.repository, history.second
    whole = repository.git("diff-tree", "-p", "-r", "-M", "--full-index", commit + "^", commit)
    names = repository.git("diff-tree", "-r", "-M", "--name-only", "-z", commit + "^", commit).split(b"\0")[:-1]
    files = parse(whole)
    assert {file.path.encode("utf-8", "surrogateescape") for file in files} == set(names)
    for budget in BUDGETS:
        made = planned(repository, commit, budget)
        found = sections(made)
        assert sorted(found) == list(range(len(files)))
        for number, file in enumerate(files):
            missing = contents(file.data) if not file.binary else Counter()
            for piece in found[number]:
                assert piece.path == file.path
                if piece.placeholder is None:
                    part = contents(piece.data)
                    assert part <= missing
                    missing -= part
            hidden = sum(1 for piece in found[number] if piece.placeholder and piece.placeholder.reason == "long-line")
            assert len(missing) == hidden
            around = plain(file.header) + 40  # and an `@@` line with its heading
            assert all(plain(line[3]) + around > budget for line in missing)
        for chunk in made.chunks:
            assert chunk.tokens == sum(piece.tokens for piece in chunk.pieces)
            assert plain(b"".join(piece.data for piece in chunk.pieces)) <= chunk.tokens
            assert chunk.tokens <= budget or all(piece.placeholder for piece in chunk.pieces), (budget, chunk)


@pytest.mark.slow
def test_the_pieces_together_make_the_commit(history: "History") -> None:
    repository, first, commit = history.repository, history.first, history.second
    git = repository.git
    for budget in BUDGETS:
        made = planned(repository, commit, budget)
        git("read-tree", first, index="pieces")
        found = sections(made)
        kept = {n: pieces for n, pieces in found.items() if not any(piece.placeholder for piece in pieces)}
        for number in found.keys() - kept.keys():
            if b"\ndeleted file mode " in found[number][0].data:
                git(
                    "update-index",
                    "-z",
                    "--index-info",
                    stdin=b"0 %040d\t%s\0" % (0, *names(found[number][0])),
                    index="pieces",
                )
        patches = [rejoined(pieces) for pieces in kept.values()]
        # What is gone goes first: a new file may stand where an old one stood.
        for patch in sorted(patches, key=lambda patch: b"\ndeleted file mode " not in patch[: body(patch)]):
            git("apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", "-", stdin=patch, index="pieces")
        left = git("diff-index", "--cached", "-r", "--name-only", "-z", "--no-renames", commit, index="pieces")
        excused = {name for n in found.keys() - kept.keys() for name in names(found[n][0])}
        assert set(left.split(b"\0")[:-1]) <= excused


def names(piece: DiffPiece) -> set[bytes]:
    (file,) = parse(piece.data[: body(piece.data)].partition(b"\n[")[0] + b"\n")
    return {name.encode("utf-8", "surrogateescape") for name in (file.path, file.old_path)}


def rejoined(pieces: list[DiffPiece]) -> bytes:
    """One patch of all pieces: what was cut is put together again by coordinates alone."""
    header = pieces[0].data[: body(pieces[0].data)]
    hunks: list[list[Line]] = []
    for piece in pieces:
        assert piece.data.startswith(header)
        for _, lines in lines_of(piece.data, len(header)):
            if hunks and follows(hunks[-1][-1], lines[0]):
                hunks[-1] += lines
            else:
                hunks.append(lines)
    return header + b"".join(map(rendered, hunks))


def follows(last: Line, first: Line) -> bool:
    return (last[1] + (last[0] != b"+"), last[2] + (last[0] != b"-")) == (first[1], first[2])


def rendered(lines: list[Line]) -> bytes:
    old, new = (sum(mark != other for mark, *_ in lines) for other in (b"+", b"-"))
    head = b"@@ -%d,%d +%d,%d @@\n" % (lines[0][1] - (old == 0), old, lines[0][2] - (new == 0), new)
    return head + b"".join(
        mark + (rest if rest.endswith(b"\n") else rest.removesuffix(b"\\") + b"\\ No newline at end of file\n")
        for mark, _, _, rest in lines
    )


def test_each_piece_applies_alone(history: "History") -> None:
    repository, first, commit = history.repository, history.first, history.second
    git = repository.git
    made = planned(repository, commit, 250)
    git("read-tree", first, index="alone")
    for all_pieces in sections(made).values():
        pieces = [piece for piece in all_pieces if piece.placeholder is None]
        header = pieces[0].data[: body(pieces[0].data)] if pieces else b""
        # Part of a deletion does not delete, and what replaces another kind of file needs that one gone.
        if b"\ndeleted file mode " in header or b"\nnew file mode " in header or len(pieces) < 2:
            continue
        for piece in pieces:
            if any(changes for changes, _ in lines_of(piece.data, len(header))):
                git("apply", "--cached", "--check", "--unidiff-zero", "-", stdin=piece.data, index="alone")
