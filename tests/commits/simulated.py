"""A model that judges and writes messages by a rule that tests can foresee."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable

from loopback import Reply, Seen

_ID = re.compile(r"^# Commit (\w+)$", re.M)
_DIFF = re.compile(r"^\[begin diff (\w+) #(\w+)\]\n(.*?)^\[end diff #\2\]", re.M | re.S)

Answer = Callable[[Seen], "Reply | str"]


def asked_about(seen: Seen) -> list[str]:
    """The commits that the first turn of a request is about."""
    return _ID.findall(seen.messages[0][1])


def diffs(seen: Seen) -> dict[str, str]:
    """What was shown of each."""
    return {commit: diff for commit, _, diff in _DIFF.findall(seen.messages[0][1])}


def is_writing(seen: Seen) -> bool:
    return seen.system.startswith("You write")


def is_merging(seen: Seen) -> bool:
    return "messages that were written for its parts" in seen.system


def verdicts(seen: Seen) -> str:
    """An error for every diff that adds a line with HIDDEN in it, and nothing else."""
    shown = diffs(seen)
    return json.dumps({"commits": [_verdict(commit, shown.get(commit, "")) for commit in asked_about(seen)]})


def _verdict(commit: str, diff: str) -> dict[str, object]:
    hidden = re.findall(r"^\+.*HIDDEN (\w+)", diff, re.M)
    issues = [{"rule": "leaves-out", "severity": "error", "explanation": f"It hides {what}."} for what in hidden]
    return {"id": commit, "summary": "It changes things.", "issues": issues, "suggestion": "Say it" if hidden else None}


def messages(seen: Seen) -> str:
    """A message that names the commit."""
    said = [{"id": commit, "summary": "s", "message": f"Say what {commit} does"} for commit in asked_about(seen)]
    return json.dumps({"commits": said})


def right(seen: Seen) -> str:
    """Whatever was asked, answered as it should be."""
    return messages(seen) if is_writing(seen) else verdicts(seen)


class Failing:
    """Answers the first requests as told, each commit's own, and rightly from then on."""

    def __init__(self, *first: Reply | Answer) -> None:
        self._first = list(first)
        self._lock = threading.Lock()

    def __call__(self, seen: Seen) -> Reply | str:
        with self._lock:
            told = self._first.pop(0) if self._first else None
        if told is None:
            return right(seen)
        return told if isinstance(told, Reply) else told(seen)
