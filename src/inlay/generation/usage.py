"""What a job took, for the metrics: counts and kinds of errors, never content."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from inlay.generation.proposal import Proposal
from inlay.model.answer import Usage
from inlay.model.change import ChangeSet
from inlay.model.statistics import Metric
from inlay.model.task import Attempt
from inlay.storage import Workspace
from inlay.storage.stores import metrics

_LEAST, _USUAL, _MOST = 1 / 6, 1 / 4, 1 / 2  # tokens to a byte of code


def usage_of(attempts: Iterable[Attempt]) -> Usage:
    """All tokens together."""
    return sum((attempt.usage for attempt in attempts), Usage())


def cost_of(attempts: Iterable[Attempt]) -> float | None:
    """US dollars; None where an answer had no known price."""
    answered = [attempt.cost for attempt in attempts if attempt.usage.total]
    known = [cost for cost in answered if cost is not None]
    return sum(known) if len(known) == len(answered) else None


def whole_tokens(changes: ChangeSet, usage: Usage, answered: int) -> int:
    """What writing the changed files whole would have taken, by what this very model makes of a byte."""
    told = usage.output / answered if answered and usage.output else _USUAL
    rate = min(max(told, _LEAST), _MOST)  # what a model thinks before it answers counts as output, too
    after = [change.after for change in changes.changes if change.after and not change.is_noop]
    return round(sum(len(text.encode("utf-8", "replace")) for text in after) * rate)


def done(workspace: Workspace, job: str, proposal: Proposal) -> None:
    """Keep the figures of a job that succeeded."""
    metrics.record(workspace.root, _metric(job, proposal, "done"))


def failed(workspace: Workspace, job: str, proposal: Proposal) -> None:
    """Keep the figures of a job that failed; the proposal holds what was tried."""
    metrics.record(workspace.root, _metric(job, proposal, "failed"))


def _metric(job: str, proposal: Proposal, outcome: str) -> Metric:
    return Metric(
        datetime.now(UTC).isoformat(timespec="seconds"),
        job,
        proposal.model,
        proposal.format,
        "done" if outcome == "done" else "failed",
        len(proposal.attempts),
        tuple(attempt.error for attempt in proposal.attempts if attempt.error),
        proposal.usage.input,
        proposal.usage.output,
        proposal.cost,
        round(proposal.seconds, 3),
        proposal.whole_tokens if outcome == "done" else None,
    )
