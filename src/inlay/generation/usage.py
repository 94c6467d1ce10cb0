"""What a job used, for the metrics: counts and kinds of errors, never content."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from inlay.model.answer import Usage
from inlay.model.change import ChangeSet
from inlay.model.statistics import Metric
from inlay.model.task import Attempt
from inlay.storage import Workspace
from inlay.storage.stores import metrics

if TYPE_CHECKING:
    from inlay.generation.propose import Proposal

_LEAST, _USUAL, _MOST = 1 / 6, 1 / 4, 1 / 2  # tokens to a byte of code


def total_cost(attempts: Iterable[Attempt]) -> float | None:
    """US dollars; None where an answer had no known price."""
    costs = [attempt.cost for attempt in attempts if attempt.usage.total]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def whole_tokens(changes: ChangeSet, usage: Usage, answered: int) -> int:
    """What writing the changed files whole would have taken, by this model's own rate of tokens to bytes."""
    rate = usage.output / answered if answered and usage.output else _USUAL
    rate = min(max(rate, _LEAST), _MOST)  # what a model thinks before it answers counts as output, too
    after = [change.after for change in changes.changes if change.after and not change.is_noop]
    return round(sum(len(text.encode("utf-8", "replace")) for text in after) * rate)


def record(workspace: Workspace, job: str, proposal: Proposal, outcome: Literal["done", "failed"]) -> None:
    """Store the figures of a job; the proposal of a failed one has what was tried."""
    metric = Metric(
        datetime.now(UTC).isoformat(timespec="seconds"),
        job,
        proposal.model,
        proposal.format,
        outcome,
        len(proposal.attempts),
        tuple(attempt.error for attempt in proposal.attempts if attempt.error),
        proposal.usage.input,
        proposal.usage.output,
        proposal.cost,
        round(proposal.seconds, 3),
        proposal.whole_tokens if outcome == "done" else None,
    )
    metrics.record(workspace.root, metric)
