"""Diffs of real commits: how fast they are read and planned, how well they are packed, whether every chunk fits."""

from __future__ import annotations

import argparse
import importlib.util
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bench.appliers import ROOT
from bench.report import table
from inlay.commits.chunk_plan import CommitPlan, PlanOptions, plan_commits
from inlay.commits.diff.chunk import chunk
from inlay.commits.diff.sections import parse
from inlay.git.history import CommitPair, diffs
from inlay.git.repository import open_repository
from inlay.llm.tokens import estimate, is_exact, measure, plain
from inlay.model.answer import ModelInfo

MOST_TIMES, LEAD, MOST_OF_GIT, MOST_CHUNKS, MOST_APART = 3.0, 5.0, 1.5, 1.10, 0.02
LOG = 50_000_000
PEER_BYTES = 3_000_000  # the other readers are slow; their time is scaled to the whole
MODEL = ModelInfo("openai:gpt-5", 400_000, 128_000, tokenizer="o200k")


def main(argv: Sequence[str]) -> int:
    """Measure, print, and say whether every target was reached."""
    parser = argparse.ArgumentParser(prog="python -m bench diffs", description=__doc__)
    parser.add_argument("--repo", type=Path, action="append", help="a git repository, bare or not; may be repeated")
    parser.add_argument("--commits", type=int, default=1000, help="of each repository (default %(default)s)")
    parser.add_argument("--budget", type=int, default=32_000, help="tokens in a chunk (default %(default)s)")
    options = parser.parse_args(argv)
    rows, short = [("what", "measured", "target")], list[str]()
    for name, figure, target, reached in _figures(options.repo or [ROOT], options.commits, options.budget):
        rows.append((name, figure, target))
        short += [] if reached else [f"{name}: {figure}, not {target}"]
    print(table(rows[0], rows[1:]))
    print("\nMISSED\n" + "\n".join(f"- {reason}" for reason in short) if short else "\nEvery target is reached.")
    return 1 if short else 0


Figure = tuple[str, str, str, bool]


def _figures(repositories: Sequence[Path], commits: int, budget: int) -> list[Figure]:
    logs = [(str(root), _recent(str(root), commits)) for root in repositories]
    texts = [data for root, wanted in logs for _, data in diffs(open_repository(root), wanted)]
    found = _reading(_enough(texts), budget)
    for root, wanted in logs:
        found.append(_planning(root, wanted, budget))
    packing = _Packing(budget)
    for root, wanted in logs:
        with open_repository(root) as repo:
            for made in plan_commits(repo, wanted, PlanOptions(budget)):
                packing.add(made)
    return [*found, *packing.figures(), *_fitting(texts, 2_000)]


def _recent(root: str, commits: int) -> tuple[CommitPair, ...]:
    command = ["git", "-C", root, "rev-list", "--parents", f"-n{commits}", "HEAD"]
    listed = subprocess.run(command, capture_output=True, check=True)
    words = [line.split() for line in listed.stdout.decode().splitlines()]
    return tuple(CommitPair(each[0], each[1] if len(each) > 1 else None) for each in words)


def _enough(texts: Sequence[bytes]) -> list[bytes]:
    """Diffs of 50 MB in all, the same ones again where there are not so many."""
    kept, size = list[bytes](), 0
    while texts and size < LOG:
        for text in texts:
            kept.append(text)
            size += len(text)
            if size >= LOG:
                break
    return kept


# Reading.


def _reading(texts: Sequence[bytes], budget: int) -> list[Figure]:
    log = b"".join(texts)
    loop = _cpu(lambda: _bare_loop(log))
    ours = _cpu(lambda: [chunk(parse(text), budget, plain) for text in texts])
    size = f"{len(log) / 1e6:.0f} MB"
    found = [(f"reading and splitting {size}, times a loop over its lines", f"{ours / loop:.2f}", f"<= {MOST_TIMES:g}")]
    figures = [(*row, ours / loop <= MOST_TIMES) for row in found]
    for name, read in _peers().items():
        part = _some(texts)
        theirs = _cpu(lambda read=read, part=part: [read(text) for text in part], runs=1)  # type: ignore[misc]
        mine = _cpu(lambda part=part: [chunk(parse(text), budget, plain) for text in part])  # type: ignore[misc]
        figures.append((f"times faster than {name}", f"{theirs / mine:.0f}", f">= {LEAD:g}", theirs / mine >= LEAD))
    return figures


def _bare_loop(log: bytes) -> None:
    for _ in log.split(b"\n"):
        pass


def _some(texts: Sequence[bytes]) -> list[bytes]:
    kept, size = list[bytes](), 0
    for text in texts:
        if size + len(text) <= PEER_BYTES:
            kept.append(text)
            size += len(text)
    return kept


def _peers() -> dict[str, Callable[[bytes], object]]:
    """Readers that happen to be installed beside us."""
    found: dict[str, Callable[[bytes], object]] = {}
    if importlib.util.find_spec("unidiff"):
        from unidiff import PatchSet

        found["unidiff"] = lambda text: PatchSet(io.StringIO(text.decode("utf-8", "replace"), newline="\n"))
    if importlib.util.find_spec("whatthepatch"):
        from whatthepatch import parse_patch

        found["whatthepatch"] = lambda text: list(parse_patch(text.decode("utf-8", "replace")))
    return found


def _cpu(work: Callable[[], object], runs: int = 4) -> float:
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


# Planning.


def _planning(root: str, wanted: Sequence[CommitPair], budget: int) -> Figure:
    """The command as a person runs it, all its processes together, against git alone; each the best of three.

    Processor time, as other work on the machine hardly shows in it. On the clock the two overlap.
    """
    revisions = f"{wanted[-1].commit}..{wanted[0].commit}" if len(wanted) > 1 else wanted[0].commit
    ours = [sys.executable, "-m", "inlay", "commits", "plan", revisions, "-C", root, "--budget", str(budget)]
    listed = f"git -C {root} rev-list --parents {revisions} | cut -d' ' -f1,2"
    git = ["sh", "-c", f"{listed} | git -C {root} diff-tree --stdin --root -r -p -M"]
    pairs = [(_tree_cpu(git), _tree_cpu(ours)) for _ in range(3)]
    ratio = min(mine for _, mine in pairs) / min(theirs for theirs, _ in pairs)
    name = f"planning {len(wanted):,} commits of {Path(root).parent.name or root}, times git's own time"
    return name, f"{ratio:.2f}", f"<= {MOST_OF_GIT:g}", ratio <= MOST_OF_GIT


def _tree_cpu(command: Sequence[str]) -> float:
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


# Packing.


@dataclass
class _Packing:
    """Sums over the commits that do not fit one chunk."""

    budget: int
    commits: int = 0
    chunks: int = 0
    fewest: int = 0
    pairs: int = 0
    apart: int = 0

    def add(self, made: CommitPlan) -> None:
        if len(made.chunks) < 2:
            return
        self.commits += 1
        self.chunks += len(made.chunks)
        # Of the sections as git wrote them: headers that are repeated in pieces do not count.
        self.fewest += -(-_once(made) // self.budget)
        self._neighbours(made)

    def _neighbours(self, made: CommitPlan) -> None:
        where, paths = dict[int, set[int]](), dict[int, str]()
        for number, each in enumerate(made.chunks):
            for piece in each.pieces:
                where.setdefault(piece.section, set()).add(number)
                paths[piece.section] = piece.path
        for one, other in pairwise(sorted(paths)):
            if paths[one].rpartition("/")[0] == paths[other].rpartition("/")[0]:
                self.pairs += 1
                self.apart += not where[one] & where[other]

    def figures(self) -> list[Figure]:
        if not self.commits:
            return []
        times, apart = self.chunks / self.fewest, self.apart / max(1, self.pairs)
        name = f"chunks of {self.commits} commits over {self.budget:,} tokens, times the fewest possible"
        return [
            (name, f"{times:.3f}", f"<= {MOST_CHUNKS:.2f}", times <= MOST_CHUNKS),
            (f"neighbours of {self.pairs:,} set apart", f"{apart:.2%}", f"<= {MOST_APART:.0%}", apart <= MOST_APART),
        ]


def _once(made: CommitPlan) -> int:
    headers = {piece.section: piece.data.find(b"\n@@") for each in made.chunks for piece in each.pieces}
    pieces = sum(len(piece.data) for each in made.chunks for piece in each.pieces)
    parts = sum(1 for each in made.chunks for _ in each.pieces)
    repeated = (parts - len(headers)) * (sum(headers.values()) / max(1, len(headers)))
    return int((pieces - repeated) / 3)


# Fitting.


def _fitting(texts: Sequence[bytes], budget: int) -> list[Figure]:
    """Ten thousand real pieces: is what we say of their tokens so, and does any chunk hold more than it may?"""
    if not is_exact(MODEL):
        return [("tokens", "bpe-openai is not installed", "-", True)]
    count, guess = measure(MODEL), estimate(MODEL)
    pieces = over = under = 0
    for text in texts:
        for each in chunk(parse(text), budget, guess):
            pieces += len(each.pieces)
            real = count(b"".join(piece.data for piece in each.pieces))
            over += real > budget and not all(piece.placeholder for piece in each.pieces)
            under += real > each.tokens
        if pieces >= 10_000:
            break
    figures = [(f"chunks over budget by the tokenizer, of {pieces:,} estimated pieces", str(over), "0", over == 0)]
    return [*figures, (f"chunks estimated too low, of {pieces:,} pieces", str(under), "0", under == 0)]
