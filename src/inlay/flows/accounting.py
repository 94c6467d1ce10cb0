"""What a job took, for the metrics: counts and kinds of errors, never content."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from inlay.flows.proposal import Proposal
from inlay.model.answer import Usage
from inlay.model.metric import Metric
from inlay.model.task import Attempt
from inlay.storage import Workspace, metrics


def usage_of(attempts: Iterable[Attempt]) -> Usage:
    """All tokens together."""
    return sum((attempt.usage for attempt in attempts), Usage())


def cost_of(attempts: Iterable[Attempt]) -> float | None:
    """US dollars; None where an answer had no known price."""
    answered = [attempt.cost for attempt in attempts if attempt.usage.total]
    known = [cost for cost in answered if cost is not None]
    return sum(known) if len(known) == len(answered) else None


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
