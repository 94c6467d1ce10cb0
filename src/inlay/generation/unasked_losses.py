"""Which definitions a model's change drops although nobody asked for that: the model is asked once, then a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from inlay.engine.checks.rules.shrinkage import loss, lost_definitions
from inlay.model.change import Change, ChangeSet
from inlay.model.finding import Finding

_SENTENCE = re.compile(r"[.;!?](?=\s)|\n")
_REMOVAL = re.compile(
    r"\b(?:remov|delet|drop|renam|replac|inlin|mov|merg|eliminat|extract|split|strip|unif|combin|consolidat"
    r"|unused|obsolete|dead|get rid|clean)",
    re.I,
)
_REFUSAL = re.compile(r"\b(?:not|never|no|keep|kept|leave|preserve|retain|except|unchanged|untouched)\b|n't\b", re.I)


def with_unasked_losses(changes: ChangeSet, findings: Iterable[Finding], asked: str) -> tuple[Finding, ...]:
    """The findings, with one for each file that loses definitions which the task, `asked`, does not give up.

    What the task gives up is no longer found.
    """
    kept = [finding for finding in findings if finding.code != "shrinkage" or not _is_judged(finding, changes)]
    judged = (finding for change in changes.changes for finding in _losses(change, asked))
    return tuple(sorted([*kept, *judged], key=lambda finding: (finding.path, finding.line, finding.code)))


def _is_judged(finding: Finding, changes: ChangeSet) -> bool:
    return any(change.woven and change.target == finding.path for change in changes.changes)


def _losses(change: Change, asked: str) -> Iterator[Finding]:
    if change.before is None or change.after is None or change.is_noop:
        return
    lost = lost_definitions(change.path, change.before.text, change.after)
    given_up = frozenset(name for name in lost if _is_given_up(name, asked))
    message = loss(change, given_up) if change.woven else ""
    if not message and (names := [name for name in lost if name not in given_up]):
        message = f"drops what the task does not give up: {', '.join(names)}"
    if message:
        yield Finding("shrinkage", "error", change.target, 0, message)


def _is_given_up(name: str, asked: str) -> bool:
    """Whether a sentence of the task names the definition and speaks of removing it; one that forbids it does not."""
    word = re.compile(rf"(?<!\w){re.escape(re.split(r'[. ]', name)[-1])}(?!\w)")
    return any(
        word.search(sentence) and _REMOVAL.search(sentence) and not _REFUSAL.search(sentence)
        for sentence in _SENTENCE.split(asked)
    )
