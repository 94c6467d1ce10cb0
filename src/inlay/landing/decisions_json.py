"""Decisions that were made elsewhere and come as JSON: from a file, a web page or another program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from inlay.errors import NeedsDecision, PathTraversalError
from inlay.model.change import ChangeSet
from inlay.model.decision import Decision, Need, Strategy, Verdict, fingerprint
from inlay.model.file import RepoPath

_KINDS: dict[str, type | tuple[type, ...]] = {
    "path": str,
    "verdict": str,
    "strategy": (str, type(None)),
    "line": (int, type(None)),
    "content": (str, type(None)),
    "replace_existing": bool,
    "digest": str,
}


@dataclass(frozen=True, slots=True)
class GivenDecisions:
    """Answers to one question; they can be handed over wherever `approve` is asked for."""

    decisions: tuple[Decision, ...]
    digest: str = ""  #: of the change set they were made about; empty to answer whatever is asked

    def __call__(self, needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        """The decisions, unless they were made about something else."""
        if self.digest and self.digest != fingerprint(changes):
            raise NeedsDecision("the decisions were made about other changes than these; nothing was written")
        return self.decisions


def read_decisions(text: str) -> GivenDecisions:
    """Decisions from JSON; raises ValueError that says what is wrong with it.

    >>> given = read_decisions('{"decisions": [{"path": "a.py", "verdict": "approve", "strategy": "append"}]}')
    >>> given.decisions[0].strategy
    'append'
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the decisions are not JSON: {error}") from None
    if not isinstance(told, dict) or not isinstance(told.get("decisions"), list):
        raise ValueError('the decisions must be an object with a list "decisions"')
    _require_known(told, {"decisions", "digest"}, "the decisions")
    if not isinstance(told.get("digest", ""), str):
        raise ValueError('"digest" must be a string')
    found = tuple(_decision(item, number) for number, item in enumerate(told["decisions"], 1))
    paths = [decision.path for decision in found]
    if len(set(paths)) < len(paths):
        raise ValueError("there are two decisions on one file")
    return GivenDecisions(found, told.get("digest", ""))


def _decision(item: Any, number: int) -> Decision:
    what = f"decision {number}"
    if not isinstance(item, dict) or "path" not in item:
        raise ValueError(f'{what} must be an object with a "path"')
    _require_known(item, set(_KINDS), what)
    for key, value in item.items():
        if not isinstance(value, _KINDS[key]) or (key == "line" and isinstance(value, bool)):
            raise ValueError(f'{what}: "{key}" is not of the right type')
    verdict, strategy = item.get("verdict", "approve"), item.get("strategy")
    _require_one_of(verdict, get_args(Verdict), f'{what}: "verdict"')
    _require_one_of(strategy or "replace", get_args(Strategy), f'{what}: "strategy"')
    return Decision(
        _path(item["path"], what),
        verdict,
        strategy,
        item.get("line"),
        item.get("content"),
        item.get("replace_existing", False),
        item.get("digest", ""),
        by="file",
    )


def _path(name: str, what: str) -> RepoPath | None:
    """`*` stands for every file without a decision of its own."""
    try:
        return None if name == "*" else RepoPath(name)
    except PathTraversalError as error:
        raise ValueError(f"{what}: {error}") from None


def _require_known(told: dict[str, Any], known: set[str], what: str) -> None:
    # A misspelt key would change a decision without anybody noticing.
    if unknown := sorted(told.keys() - known):
        raise ValueError(f"{what}: there is no key {unknown[0]!r}; known are {', '.join(sorted(known))}")


def _require_one_of(value: str, known: tuple[str, ...], what: str) -> None:
    if value not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}")
