"""Chunks are few, full, and keep together what lies together."""

import random
from itertools import pairwise

from inlay.commits.diff.chunk import chunk
from inlay.commits.diff.git_diff import DiffPiece, FileDiff
from inlay.commits.diff.pack import pack
from inlay.commits.diff.sections import parse
from inlay.llm.tokens import plain


def diff(path: str, lines: int) -> FileDiff:
    body = "".join(f"+{path} {n:06}\n" for n in range(lines))
    data = f"diff --git a/{path} b/{path}\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/{path}\n"
    (file,) = parse((data + f"@@ -0,0 +1,{lines} @@\n" + body).encode())
    return file


def piece(tokens: int, section: int) -> DiffPiece:
    return DiffPiece(f"f{section}", b"", tokens, section)


def test_best_fit_decreasing_fills_chunks() -> None:
    groups = [[piece(tokens, number)] for number, tokens in enumerate((20, 60, 50, 40, 30))]
    assert [sorted(p.tokens for p in made.pieces) for made in pack(groups, 100)] == [[20, 30, 50], [40, 60]]
    assert pack([], 100) == ()


def test_a_group_too_large_is_alone() -> None:
    made = pack([[piece(150, 0)], [piece(50, 1)]], 100)
    assert [each.tokens for each in made] == [150, 50]


def test_no_files_no_chunks() -> None:
    assert chunk((), 1000, plain) == ()


def test_trees_stay_whole_where_that_costs_no_request() -> None:
    files = [diff(f"{top}/{low}/{n}.py", 30) for top in "ab" for low in "xy" for n in range(4)]
    total = sum(plain(file.data) for file in files)
    made = chunk(files, total * 6 // 10, plain)
    assert [{path[0] for path in each.paths} for each in made] == [{"a"}, {"b"}]


def test_chunks_are_close_to_the_fewest_possible_and_neighbours_together() -> None:
    rng = random.Random(5)
    chunks = fewest = pairs = separated = 0
    for _ in range(30):
        names = sorted({f"{rng.choice('abc')}/{rng.choice('xyz')}/{rng.randrange(1000)}.py" for _ in range(60)})
        files = [diff(name, int(rng.paretovariate(0.9) * 8) % 2000 + 1) for name in names]
        made = chunk(files, 4_000, plain)
        assert all(each.tokens <= 4_000 for each in made)
        chunks += len(made)
        fewest += -(-sum(plain(file.data) for file in files) // 4_000)
        where: dict[str, set[int]] = {}
        for number, each in enumerate(made):
            for path in each.paths:
                where.setdefault(path, set()).add(number)
        near = [(a, b) for a, b in pairwise(names) if a.rpartition("/")[0] == b.rpartition("/")[0]]
        pairs += len(near)
        separated += sum(not where[a] & where[b] for a, b in near)
    assert chunks <= 1.10 * fewest
    assert separated <= 0.02 * pairs
