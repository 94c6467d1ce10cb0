"""What one request about commits holds: whole commits that share it, or a part of one that is too large."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from inlay.flows.plan import CommitPlan, batches
from inlay.model.commit import Commit
from inlay.model.diff import Piece
from inlay.prompts.commit_parts import ShownPart

_SHORT = 12  # characters of an id: enough to tell commits of one request apart, and cheap to repeat


@dataclass(frozen=True, slots=True)
class Case:
    """One commit that a model is to be asked about."""

    commit: Commit
    plan: CommitPlan
    replan: Callable[[int], CommitPlan]  #: the same commit within a smaller budget, in tokens

    @property
    def id(self) -> str:
        return self.commit.id[:_SHORT]

    @property
    def portions(self) -> tuple[Portion, ...]:
        """One for each chunk; a commit without changes has one too."""
        return tuple(Portion(self, number) for number in range(max(1, len(self.plan.chunks))))

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for chunk in self.plan.chunks for path in chunk.paths))

    @property
    def unseen(self) -> tuple[str, ...]:
        """What no model is shown, and why; nothing is dropped without being named."""
        left_out = (f"{each.path}: left out by {each.pattern} ({each.bytes:,} bytes)" for each in self.plan.left_out)
        return (*(_hidden(piece) for piece in self.plan.placeholders), *left_out)


def _hidden(piece: Piece) -> str:
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

    @property
    def shown(self) -> ShownPart:
        """The portion as a prompt lays it out."""
        case, chunks = self.case, self.case.plan.chunks
        diff = "".join(piece.text for piece in chunks[self.number].pieces) if chunks else ""
        parts = max(1, len(chunks))
        return ShownPart(case.id, case.commit.message, diff, self.number + 1, parts, case.files, case.unseen)


def grouped(cases: Iterable[Case], capacity: int) -> Iterator[tuple[Case, ...]]:
    """Commits that share a request, as the plan has it."""
    waiting: dict[str, Case] = {}

    def plans() -> Iterator[CommitPlan]:
        for case in cases:
            waiting[case.plan.commit] = case
            yield case.plan

    for batch in batches(plans(), capacity):
        yield tuple(waiting.pop(plan.commit) for plan in batch)
