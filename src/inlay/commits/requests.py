"""What one request about commits holds: whole commits that share it, or a part of one that is too large."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from inlay.commits.chunk_plan import CommitPlan, batches
from inlay.commits.truncate import Truncator
from inlay.llm import context_budget
from inlay.model.commit import Commit
from inlay.model.git_diff import DiffPiece
from inlay.prompts.commit_parts import ShownPart

_SHORT = 12  # characters of an id: enough to tell commits of one request apart, and cheap to repeat
_LIST = context_budget.SUMMARY // 2  # tokens: half of it for the names of all files, half for what is not shown


@dataclass(frozen=True, slots=True)
class Case:
    """One commit that a model is to be asked about; made anew wherever it is cut otherwise."""

    commit: Commit
    plan: CommitPlan
    replan: Callable[[int], CommitPlan]  #: the same commit within a smaller budget, in tokens
    fitting: Truncator
    files: tuple[str, ...] = field(init=False)
    message: str = field(init=False)  #: as much of it as a request has room for
    unseen: tuple[str, ...] = field(init=False)  #: what no model is shown, and why; nothing is dropped without a name

    def __post_init__(self) -> None:
        files = tuple(dict.fromkeys(path for chunk in self.plan.chunks for path in chunk.paths))
        message = self.fitting.text(self.commit.message, context_budget.MESSAGE)
        object.__setattr__(self, "files", files)
        object.__setattr__(self, "message", message)
        object.__setattr__(self, "unseen", (*_cut(self.commit.message, message), *_unseen(self.plan)))

    @property
    def id(self) -> str:
        return self.commit.id[:_SHORT]

    @property
    def portions(self) -> tuple[Portion, ...]:
        """One for each chunk; a commit without changes has one too."""
        return tuple(Portion(self, number) for number in range(self.parts))

    @property
    def parts(self) -> int:
        return max(1, len(self.plan.chunks))


def _cut(message: str, shown: str) -> Iterator[str]:
    if shown != message:
        yield f"the message is too long; only its beginning is shown ({len(message):,} characters)"


def _unseen(plan: CommitPlan) -> Iterator[str]:
    yield from map(_hidden, plan.placeholders)
    yield from (f"{each.path}: left out by {each.pattern} ({each.bytes:,} bytes)" for each in plan.left_out)


def _hidden(piece: DiffPiece) -> str:
    assert piece.placeholder is not None
    why = "a binary file" if piece.placeholder.reason == "binary" else "a line longer than a request"
    return f"{piece.path}: {why} ({piece.placeholder.bytes:,} bytes)"


@dataclass(frozen=True, slots=True)
class Portion:
    """One chunk of one commit."""

    case: Case
    number: int  #: 0-based

    @property
    def files(self) -> tuple[str, ...]:
        return self.case.plan.chunks[self.number].paths if self.case.plan.chunks else ()

    @property
    def tokens(self) -> int:
        return self.case.plan.chunks[self.number].tokens if self.case.plan.chunks else 0

    @property
    def is_whole(self) -> bool:
        """Whether it is all of its commit."""
        return len(self.case.plan.chunks) <= 1

    def shown(self, sharing: int = 1) -> ShownPart:
        """The portion as a prompt lays it out that so many commits share."""
        case, chunks = self.case, self.case.plan.chunks
        diff = "".join(_text(piece) for piece in chunks[self.number].pieces) if chunks else ""
        files = case.fitting.names(case.files, _LIST) if len(chunks) > 1 else ()
        unseen = case.fitting.names(case.unseen, _LIST // sharing)
        return ShownPart(case.id, case.message, diff, self.number + 1, case.parts, files, unseen)


def _text(piece: DiffPiece) -> str:
    # What stands for something else is short, unless the path alone is longer than a request.
    return piece.text if piece.placeholder is None or piece.tokens < context_budget.LEAST else ""


def grouped(cases: Iterable[Case], capacity: int) -> Iterator[tuple[Case, ...]]:
    """Commits that share a request, as the plan has it."""
    waiting: dict[str, Case] = {}

    def plans() -> Iterator[CommitPlan]:
        for case in cases:
            waiting[case.plan.commit] = case
            yield case.plan

    for batch in batches(plans(), capacity):
        yield tuple(waiting.pop(plan.commit) for plan in batch)
