"""How the diffs of commits are sent: each whole if it fits, else split and packed; planned before any call.

>>> from inlay.commits.chunk_plan import PlanOptions, plan_diff
>>> diff = b"diff --git a/f b/f\\nindex 1..2 100644\\n--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-old\\n+new\\n"
>>> [chunk.paths for chunk in plan_diff("HEAD", diff, PlanOptions(capacity=1000)).chunks]
[('f',)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inlay.commits.diff.chunk import chunk
from inlay.commits.diff.git_diff import Chunk, DiffPiece, FileDiff
from inlay.commits.diff.ignore import Attributes, IgnorePatterns
from inlay.commits.diff.sections import parse
from inlay.commits.diff.split import Measure
from inlay.git.history import CommitPair, diffs, list_commits
from inlay.git.objects import ObjectReader
from inlay.git.repository import Repository
from inlay.llm import context_budget
from inlay.llm.tokens import measure, plain
from inlay.model.answer import ModelInfo, Usage

_IDS = re.compile(rb"^index ([0-9a-f]+)\.\.([0-9a-f]+)", re.M)


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How diffs are measured, how much goes into a chunk, and what is left out."""

    capacity: int  #: tokens of diff in one request
    measure: Measure = plain
    ignore: IgnorePatterns = field(default_factory=IgnorePatterns)
    model: ModelInfo | None = None  #: for the price

    @classmethod
    def of(cls, model: ModelInfo | None, capacity: int | None, ignore: Iterable[str] = ()) -> PlanOptions:
        """The options for a model, or for a budget without one; a budget given beside a model may only lower its."""
        room = context_budget.room(model) if model else capacity or 0
        return cls(min(room, capacity or room), measure(model), IgnorePatterns(tuple(ignore)), model)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not sent because of an ignore pattern."""

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

    @property
    def usage(self) -> Usage:
        """The tokens that asking about the commit by itself would take."""
        parts = len(self.chunks) if len(self.chunks) > 1 else 0
        sent = self.tokens + context_budget.Overhead().total * self.requests + parts * context_budget.PART
        return Usage(sent, self.requests * context_budget.EXPECTED_OUTPUT)


def merges(parts: int, at_once: int) -> int:
    """Requests that merge so many partial answers into one."""
    asked = 0
    while parts > 1:
        parts = -(-parts // at_once)
        asked += parts
    return asked


def ends_batch(plan: CommitPlan, commits: int, used: int, capacity: int) -> bool:
    """Whether a batch of so many commits and tokens ends before this one: it is full, or this one is sent alone."""
    is_full = used + plan.tokens + context_budget.COMMIT > capacity or commits >= context_budget.BATCH
    return commits > 0 and (is_full or len(plan.chunks) > 1)


class PlanTotals:
    """Sums over the plans of a range, without keeping their diffs."""

    def __init__(self, options: PlanOptions) -> None:
        self._options = options
        self.commits = self.tokens = self.placeholders = self.left_out = self.requests = 0
        self._usage = Usage()
        self._batch, self._used = 0, 0  # commits and tokens of the batch that is not full yet

    def add(self, plan: CommitPlan) -> None:
        self.commits += 1
        self.tokens += plan.tokens
        self.placeholders += len(plan.placeholders)
        self.left_out += len(plan.left_out)
        if ends_batch(plan, self._batch, self._used, self._options.capacity):
            self.finish()
        if len(plan.chunks) > 1:
            self.requests += plan.requests
            self._usage += plan.usage
        else:
            self._batch += 1
            self._used += plan.tokens + context_budget.COMMIT

    def finish(self) -> PlanTotals:
        """Count the last batch; to be called after the last commit."""
        if self._batch:
            self.requests += 1
            fixed = context_budget.SYSTEM + context_budget.TEMPLATE
            self._usage += Usage(fixed + self._used, context_budget.EXPECTED_OUTPUT * self._batch)
        self._batch, self._used = 0, 0
        return self

    @property
    def cost(self) -> float | None:
        """US dollars; None where no price is known."""
        return self._options.model.price(self._usage) if self._options.model else None


def plan_range(repo: Repository, revision: str, options: PlanOptions) -> Iterator[CommitPlan]:
    """A plan for each commit of a range, oldest first, while git is still writing the later diffs."""
    return plan_commits(repo, list_commits(repo, revision), options)


def plan_commits(repo: Repository, commits: Iterable[CommitPair], options: PlanOptions) -> Iterator[CommitPlan]:
    return (plan_diff(commit, diff, options, repo.objects) for commit, diff in diffs(repo, commits))


def plan_diff(commit: str, diff: bytes, options: PlanOptions, objects: ObjectReader | None = None) -> CommitPlan:
    """A plan for one diff; `objects` gives the size of binaries and the attributes of files."""
    files, left_out = list[FileDiff](), list[LeftOut]()

    def attributes(folder: str) -> str | None:
        name = f"{folder}/.gitattributes" if folder else ".gitattributes"
        content = objects.blob(f"{commit}:{name}") if objects else None
        return None if content is None else content.decode("utf-8", "surrogateescape")

    is_generated = Attributes(attributes).is_generated if objects and options.ignore.asks_for_generated else None
    for file in parse(diff):
        pattern = options.ignore.pattern_for(file.path, is_generated)
        if pattern is None:
            files.append(file)
        else:
            left_out.append(LeftOut(file.path, pattern, len(file.data), options.measure(file.data)))
    sizes = [_size(file, objects) for file in files]
    chunks = chunk(files, options.capacity, options.measure, sizes=sizes)
    return CommitPlan(commit, chunks, tuple(left_out), context_budget.merged_at_once(options.capacity))


def _size(file: FileDiff, objects: ObjectReader | None) -> int:
    """Bytes of a binary: as it is afterwards, or was if it is gone."""
    ids = _IDS.search(file.header) if file.binary and objects else None
    if ids is None or objects is None:
        return 0
    return objects.size((ids[1] if file.status == "deleted" else ids[2]).decode())
