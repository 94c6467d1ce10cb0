"""Results: every answer with its verdict, counted, and the bar they are held to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.draft import Outcome
from bench.judging import Answer, Deed, Verdict, deed, verdict
from bench.trials import Trial

#: Below so many trials one miss says nothing about a share of 97%.
ENOUGH = 34
EXACT_OVERALL, EXACT_IN_CLASS, NEAR_APPLIED = 0.995, 0.97, 0.80


@dataclass(frozen=True, slots=True)
class Result:
    """One answer, judged."""

    applier: str
    id: str
    format: str
    slip: str
    outcome: Outcome
    deed: Deed
    verdict: Verdict
    ms: float
    rule: str
    error: str
    note: str

    @classmethod
    def of(cls, applier: str, trial: Trial, answer: Answer) -> Result:
        """Judge an answer."""
        done = deed(trial, answer)
        judged = verdict(trial.outcome, done)
        facts = (trial.id, trial.format, trial.slip, trial.outcome)
        return cls(applier, *facts, done, judged, answer.ms, answer.rule, answer.error[:300], trial.note)


@dataclass(frozen=True, slots=True)
class Count:
    """How a group of trials went."""

    total: int
    ok: int
    harm: int
    miss: int
    exact: int

    @classmethod
    def of(cls, results: Iterable[Result]) -> Count:
        """Count a group."""
        rows = list(results)
        by = {kind: sum(r.verdict == kind for r in rows) for kind in ("ok", "harm", "miss")}
        return cls(len(rows), by["ok"], by["harm"], by["miss"], sum(r.deed == "exact" for r in rows))

    def share(self, part: int) -> float:
        """A part of the whole, 1.0 when there is nothing to count."""
        return part / self.total if self.total else 1.0


def grouped(results: Iterable[Result], key: Callable[[Result], tuple[str, ...]]) -> dict[tuple[str, ...], list[Result]]:
    """Results by key, in order of first appearance."""
    out: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        out.setdefault(key(result), []).append(result)
    return out


def shortfalls(results: Sequence[Result]) -> list[str]:
    """Every way in which one applier's results miss the bar; empty when they clear it."""
    out = []
    for outcome, what in (("refuse", "must-refuse edits were applied"), ("", "edits did harm")):
        harm = sum(r.verdict == "harm" and (not outcome or r.outcome == outcome) for r in results)
        if harm:
            out.append(f"{harm} {what}")
    must = [r for r in results if r.outcome == "apply"]
    overall = Count.of(must)
    if overall.share(overall.exact) < EXACT_OVERALL:
        out.append(f"must-apply edits exact: {overall.share(overall.exact):.2%} < {EXACT_OVERALL:.1%}")
    return (
        out + _in_classes(must, EXACT_IN_CLASS) + _in_classes([r for r in results if r.outcome == "near"], NEAR_APPLIED)
    )


def _in_classes(results: Sequence[Result], bar: float) -> list[str]:
    out = []
    for (format, slip), group in grouped(results, lambda r: (r.format, r.slip)).items():
        count = Count.of(group)
        if count.total >= ENOUGH and count.share(count.exact) < bar:
            out.append(f"{format} {slip}: {count.exact} of {count.total} exact, below {bar:.0%}")
    return out
