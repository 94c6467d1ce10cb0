"""Decisions that were made elsewhere and come as JSON: from a file, a web page or another program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from inlay.errors import NeedsDecision, PathTraversalError
from inlay.model.change import ChangeSet
from inlay.model.decision import Decision, Need, Strategy, Verdict, fingerprint
from inlay.model.file import RepoPath


@dataclass(frozen=True, slots=True)
class GivenDecisions:
    """Decisions made in advance; they can be passed as `approve`."""

    decisions: tuple[Decision, ...]
    digest: str = ""  #: of the change set they were made about; empty for any

    def __call__(self, needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        """The decisions, unless they were made about other changes."""
        if self.digest and self.digest != fingerprint(changes):
            raise NeedsDecision("the decisions were made about other changes than these; nothing was written")
        return self.decisions


# A misspelt key would change a decision without anyone noticing, so unknown keys are refused.
class _DecisionJson(msgspec.Struct, forbid_unknown_fields=True):
    path: str  #: `*` for every file without a decision of its own
    verdict: Verdict = "approve"
    strategy: Strategy | None = None
    line: int | None = None
    content: str | None = None
    replace_existing: bool = False
    digest: str = ""


class _DecisionsJson(msgspec.Struct, forbid_unknown_fields=True):
    decisions: list[_DecisionJson]
    digest: str = ""


def read_decisions(text: str) -> GivenDecisions:
    """Decisions from JSON; raises ValueError that says what is wrong with it.

    >>> given = read_decisions('{"decisions": [{"path": "a.py", "verdict": "approve", "strategy": "append"}]}')
    >>> given.decisions[0].strategy
    'append'
    """
    try:
        # Not decoded by msgspec: content may have lone surrogates, which stand for bytes that are not UTF-8.
        document = msgspec.convert(json.loads(text), _DecisionsJson)
        decisions = tuple(
            Decision(
                None if given.path == "*" else RepoPath(given.path),
                given.verdict,
                given.strategy,
                given.line,
                given.content,
                given.replace_existing,
                given.digest,
                by="file",
            )
            for given in document.decisions
        )
    except (msgspec.ValidationError, PathTraversalError) as error:
        raise ValueError(f"the decisions cannot be used: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the decisions are not JSON: {error}") from None
    if len({decision.path for decision in decisions}) < len(decisions):
        raise ValueError("there are two decisions on one file")
    return GivenDecisions(decisions, document.digest)
