"""What happens while commits are checked or get new messages, for those who show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from inlay.commits.messages import Ruleset
from inlay.model.answer import Usage
from inlay.model.commit import Verdict
from inlay.model.history_rewrite import NewMessage


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What asking a model took so far."""

    requests: int
    usage: Usage
    cost: float | None  #: US dollars; None where no price is known


@dataclass(frozen=True, slots=True)
class RulesRead:
    rules: Ruleset


@dataclass(frozen=True, slots=True)
class AskStarted:
    model: str
    commits: int


@dataclass(frozen=True, slots=True)
class CommitDone:
    """One more commit is checked, or has a message; they come in order."""

    result: Verdict | NewMessage
    done: int
    total: int
    spent: ModelUse | None = None  #: None where no model is asked


@dataclass(frozen=True, slots=True)
class AskEnded:
    model: str
    spent: ModelUse


CommitEvent: TypeAlias = RulesRead | AskStarted | CommitDone | AskEnded
OnCommitEvent: TypeAlias = Callable[[CommitEvent], None]
