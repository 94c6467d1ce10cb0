"""The judge: what an answer did to the file, and whether that was right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bench.draft import Outcome
from bench.trials import Trial

Deed = Literal["exact", "untidy", "blanks", "damaged", "misplaced", "idle", "half", "refused", "timeout", "crash"]
DEEDS: dict[Deed, str] = {
    "exact": "byte for byte a right result",
    "untidy": "right but for line endings, trailing blanks, the last newline or a byte order mark",
    "blanks": "the right text with other indentation or blank lines",
    "damaged": "the right region changed into something else",
    "misplaced": "lines outside the region changed",
    "idle": "success claimed, nothing done",
    "half": "failure reported, but the file changed",
    "refused": "the file untouched",
    "timeout": "the file untouched, after too long",
    "crash": "the file untouched, the program gone",
}
Verdict = Literal["ok", "harm", "miss"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an applier made of a trial."""

    status: Literal["applied", "refused", "timeout", "crash"]
    content: str | None = None
    error: str = ""
    rule: str = ""
    ms: float = 0.0


def deed(trial: Trial, answer: Answer) -> Deed:
    """What was done, in terms of bytes."""
    if answer.status in ("timeout", "crash"):
        return answer.status
    content = answer.content
    if answer.status == "refused":
        return "refused" if content is None or content == trial.original else "half"
    if content in trial.accepted:
        return "exact"
    if content is None or content == trial.original:
        return "idle"
    return _wrong(trial, content)


def _wrong(trial: Trial, content: str) -> Deed:
    right = trial.accepted[0]
    if _tidied(content) == _tidied(right):
        return "untidy"
    if "".join(content.split()) == "".join(right.split()):
        return "blanks"
    old, want, got = (_tidied(text) for text in (trial.original, right, content))
    head, tail = _shared(old, want)
    return "damaged" if got[:head] == old[:head] and got[len(got) - tail :] == old[len(old) - tail :] else "misplaced"


def _tidied(text: str) -> list[str]:
    """Lines without anything that a reader cannot see."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    return [line.rstrip() for line in plain.split("\n")]


def _shared(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines the two have in common at the beginning and, of the rest, at the end."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    most -= head
    return head, next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)


def verdict(outcome: Outcome, done: Deed) -> Verdict:
    """Whether the deed was right; only a must-apply edit can be missed."""
    if done in ("refused", "timeout", "crash"):
        return "miss" if outcome == "apply" else "ok"
    return "ok" if done == "exact" and outcome != "refuse" else "harm"
