"""What would be asked about commits: each diff whole if it fits, else split and packed, before any call.

>>> from inlay.commits.chunk_plan import PlanOptions, plan_diff
>>> diff = b"diff --git a/f b/f\\nindex 1..2 100644\\n--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-old\\n+new\\n"
>>> [chunk.paths for chunk in plan_diff("HEAD", diff, PlanOptions(capacity=1000)).chunks]
[('f',)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from inlay.commits.diff.chunk import chunk
from inlay.commits.diff.ignore import Attributes, Ignoring
from inlay.commits.diff.sections import parse
from inlay.commits.diff.split import Measure
from inlay.git.history import CommitPair, Objects, diffs, steps
from inlay.llm import context_budget
from inlay.llm.tokens import measure, plain
from inlay.model.answer import ModelInfo, Usage
from inlay.model.git_diff import Chunk, DiffPiece, FileDiff

_IDS = re.compile(rb"^index ([0-9a-f]+)\.\.([0-9a-f]+)", re.M)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How diffs are measured, how much goes into a chunk, and what a person wants left out."""

    capacity: int  #: tokens of diff in one request
    measure: Measure = plain
    ignoring: Ignoring = field(default_factory=Ignoring)
    model: ModelInfo | None = None  #: for the price

    @classmethod
    def of(cls, model: ModelInfo | None, capacity: int | None, ignore: Iterable[str] = ()) -> PlanOptions:
        """The options for a model, or for a budget without one; a budget given beside a model may only lower its."""
        room = context_budget.room(model) if model else capacity or 0
        return cls(min(room, capacity or room), measure(model), Ignoring(tuple(ignore)), model)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not sent because somebody wants it so."""

    path: str
    pattern: str
    bytes: int
    tokens: int


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """How one commit would be asked about."""

    commit: str
    chunks: tuple[Chunk, ...]
    left_out: tuple[LeftOut, ...] = ()
    merged_at_once: int = context_budget.MERGE_AT_ONCE  #: answers about chunks that one request merges

    @property
    def tokens(self) -> int:
        return sum(chunk.tokens for chunk in self.chunks)

    @property
    def placeholders(self) -> tuple[DiffPiece, ...]:
        """What cannot be sent, with the reasons."""
        return tuple(piece for chunk in self.chunks for piece in chunk.pieces if piece.placeholder)

    @property
    def requests(self) -> int:
        """One for each chunk, and those that merge the answers; a commit without changes takes one too."""
        parts = max(1, len(self.chunks))
        return parts + merges(parts, self.merged_at_once)


def merges(parts: int, at_once: int) -> int:
    """Requests that merge so many partial answers into one."""
    asked = 0
    while parts > 1:
        parts = -(-parts // at_once)
        asked += parts
    return asked


def usage(plan: CommitPlan) -> Usage:
    """The tokens that asking about a commit by itself would take."""
    parts = len(plan.chunks) if len(plan.chunks) > 1 else 0
    fixed = context_budget.Overhead().total * plan.requests
    return Usage(plan.tokens + fixed + parts * context_budget.PART, plan.requests * context_budget.EXPECTED_OUTPUT)


def batches(plans: Iterable[CommitPlan], capacity: int) -> Iterator[tuple[CommitPlan, ...]]:
    """Commits that share a request: small ones one after the other, as many as fit; one of several chunks alone."""
    batch: list[CommitPlan] = []
    used = 0
    for each in plans:
        tokens = _with_message(each)
        if batch and (used + tokens > capacity or len(batch) >= context_budget.BATCH or len(each.chunks) > 1):
            yield tuple(batch)
            batch, used = [], 0
        if len(each.chunks) > 1:
            yield (each,)
        else:
            batch.append(each)
            used += tokens
    if batch:
        yield tuple(batch)


def _with_message(plan: CommitPlan) -> int:
    return plan.tokens + context_budget.COMMIT


class PlanTotals:
    """Sums over the plans of a range, without keeping their diffs."""

    def __init__(self, options: PlanOptions) -> None:
        self._options = options
        self.commits = self.tokens = self.placeholders = self.left_out = self.requests = 0
        self._taken = Usage()
        self._batch: list[CommitPlan] = []

    def add(self, plan: CommitPlan) -> None:
        """Count one more commit."""
        self.commits += 1
        self.tokens += plan.tokens
        self.placeholders += len(plan.placeholders)
        self.left_out += len(plan.left_out)
        if len(plan.chunks) > 1:
            self._count(plan.requests, usage(plan))
            self._close()
        elif len(found := tuple(batches([*self._batch, plan], self._options.capacity))) > 1:
            self._close()
            self._batch = [_light(plan)]
        else:
            self._batch = [_light(each) for each in found[0]]

    def _close(self) -> None:
        if self._batch:
            fixed = context_budget.SYSTEM + context_budget.TEMPLATE + sum(_with_message(each) for each in self._batch)
            self._count(1, Usage(fixed, context_budget.EXPECTED_OUTPUT * len(self._batch)))
        self._batch = []

    def _count(self, requests: int, taken: Usage) -> None:
        self.requests += requests
        self._taken += taken

    def finish(self) -> PlanTotals:
        """After the last commit."""
        self._close()
        return self

    @property
    def cost(self) -> float | None:
        """US dollars; None where no price is known."""
        return self._options.model.price(self._taken) if self._options.model else None


def _light(plan: CommitPlan) -> CommitPlan:
    """The same sizes without the diff."""
    return CommitPlan(plan.commit, tuple(Chunk(chunk.tokens, ()) for chunk in plan.chunks))


def plan(root: str, revision: str, options: PlanOptions) -> Iterator[CommitPlan]:
    """A plan for each commit of a range, oldest first, while git is still writing the later diffs."""
    yield from plan_steps(root, steps(root, revision), options)


def plan_steps(root: str, wanted: Iterable[CommitPair], options: PlanOptions) -> Iterator[CommitPlan]:
    """A plan for each of these commits."""
    with Objects(root) as objects:
        for commit, data in diffs(root, wanted):
            yield plan_diff(commit, data, options, objects)


def plan_diff(commit: str, data: bytes, options: PlanOptions, objects: Objects | None = None) -> CommitPlan:
    """A plan for one diff; `objects` tells how large binaries are and what attributes say."""
    files, left_out = parse(data), tuple[LeftOut, ...]()
    if options.ignoring:
        files, left_out = _without(files, commit, options, objects)
    sizes = [_size(file, objects) for file in files]
    chunks = chunk(files, options.capacity, options.measure, sizes=sizes)
    return CommitPlan(commit, chunks, left_out, context_budget.merged_at_once(options.capacity))


def _without(
    files: Iterable[FileDiff], commit: str, options: PlanOptions, objects: Objects | None
) -> tuple[tuple[FileDiff, ...], tuple[LeftOut, ...]]:
    generated = _generated(commit, options, objects)
    kept, left_out = [], []
    for file in files:
        pattern = options.ignoring.pattern_for(file.path, generated)
        if pattern is None:
            kept.append(file)
        else:
            left_out.append(LeftOut(file.path, pattern, len(file.data), options.measure(file.data)))
    return tuple(kept), tuple(left_out)


def _generated(commit: str, options: PlanOptions, objects: Objects | None) -> Callable[[str], bool]:
    if objects is None or not options.ignoring.asks_for_generated:
        return lambda path: False

    def read(folder: str) -> str | None:
        content = objects.read(f"{commit}:{folder}/.gitattributes" if folder else f"{commit}:.gitattributes")
        return None if content is None else content.decode("utf-8", "surrogateescape")

    return Attributes(read).is_generated


def _size(file: FileDiff, objects: Objects | None) -> int:
    """What a binary weighs: as it is afterwards, or was if it is gone."""
    if not file.binary or objects is None:
        return 0
    found = _IDS.search(file.header)
    if found is None:
        return 0
    return objects.size((found[1] if file.status == "deleted" else found[2]).decode())
