"""How much room a request leaves for diffs: constants, and a factor learnt from what providers report."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.errors import EnvironmentFailure
from inlay.llm.tokens import is_exact
from inlay.model.answer import ModelInfo, Usage

OUTPUT = 4_000  #: the longest useful answer about one commit
EXPECTED_OUTPUT = 600  #: of an average answer, for the price
SYSTEM = 2_500  #: the system prompt, guidelines of the repository and an example included
TEMPLATE = 500  #: the text of the request itself
ENVELOPE = 100  #: the marker lines around a block
METADATA = 200  #: id, author, date, branch of one commit
MESSAGE = 600  #: the existing message
SUMMARY = 2_500  #: the list of files; a longer one is cut
COMMIT = ENVELOPE + METADATA + MESSAGE  #: what one more commit takes in a request, beside its diff
PART = 500  #: what one chunk's answer takes in the request that merges them
LEAST = 1_000  #: with less room for a diff, a model cannot be used
BATCH = 20  #: small commits that share a request at most; more than that and answers get careless
MERGE_AT_ONCE = 40  #: partial answers that one request merges at most
_SLACK_COUNTED = 1.01  # of a count: what providers add around messages
_SLACK_ESTIMATED = 1.0  # an estimate is an upper bound already
_ENOUGH = 5  # answers after which a calibration counts
_MARGIN = 1.1  # between what was seen and what may come


@dataclass(frozen=True, slots=True)
class Overhead:
    """Tokens of everything in a request that is not a diff."""

    system: int = SYSTEM
    template: int = TEMPLATE
    envelope: int = ENVELOPE
    metadata: int = METADATA
    message: int = MESSAGE
    summary: int = SUMMARY

    @property
    def total(self) -> int:
        return self.system + self.template + self.envelope + self.metadata + self.message + self.summary


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the tokens that a provider reports compare to our count, for one model; the caller stores it."""

    factor: float = 1.0
    seen: int = 0

    def observed(self, expected: int, usage: Usage) -> Calibration:
        """The calibration after one answer: up at once, so that no second request is too long; down slowly."""
        if expected <= 0 or usage.input <= 0:
            return self
        ratio = usage.input / expected
        if ratio >= self.factor or not self.seen:
            return Calibration(max(ratio, self.factor) if self.seen else ratio, self.seen + 1)
        return Calibration(self.factor + (ratio - self.factor) / 10, self.seen + 1)

    @property
    def safe(self) -> float:
        """What to multiply our count with. An estimate counts as too high only after a few answers."""
        return self.factor * _MARGIN if self.seen >= _ENOUGH else max(1.0, self.factor)


def room(
    info: ModelInfo, overhead: Overhead | None = None, *, output: int = OUTPUT, calibration: Calibration | None = None
) -> int:
    """Tokens of diff that fit into one request, as we count them; raises where the model is too small for any."""
    answer = min(output, info.max_output)
    left = info.context - answer - (overhead or Overhead()).total
    slack = _SLACK_COUNTED if is_exact(info) else _SLACK_ESTIMATED
    capacity = int(left / slack / (calibration or Calibration()).safe)
    if capacity < LEAST:
        raise EnvironmentFailure(
            f"{info.name} has {info.context:,} tokens; besides {answer:,} for the answer and the text of the "
            f"request, that leaves {max(capacity, 0):,} for a diff, less than {LEAST:,}"
        )
    return capacity


def merged_at_once(capacity: int) -> int:
    """Partial answers that one request merges, where so many tokens of diff would fit."""
    return max(2, min(MERGE_AT_ONCE, capacity // PART))
