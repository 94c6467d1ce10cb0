"""Detects that the same call fails again and again, which a model in a loop does not notice."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock

from inlay.tools.tool import Outcome

_TOO_OFTEN = 3
_MOST_CALLS = 256  # to remember
_INSTEAD = {
    "write_patch": "apply_edits with line numbers from read_file",
    "apply_edits": "replace_text, after read_file has shown the lines as they are",
    "replace_text": "read_file and then apply_edits with line numbers",
    "apply_reply": "apply_edits or write_patch",
    "write_file": "apply_edits, which leaves the rest of the file alone",
}


class LoopGuard:
    """Counts how often each call has failed since it last succeeded."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def check(self, tool: str, arguments: object, outcome: Outcome) -> Outcome:
        """The outcome, with the advice to use another tool once the call has failed three times."""
        key = hashlib.sha256(repr((tool, arguments)).encode("utf-8", "surrogatepass")).hexdigest()
        with self._lock:
            times = self._failures.pop(key, 0) + 1 if outcome.is_error else 0
            if times:
                self._failures[key] = times
            if len(self._failures) > _MOST_CALLS:
                self._failures.popitem(last=False)
        if times < _TOO_OFTEN:
            return outcome
        instead = _INSTEAD.get(tool)
        advice = f"Do not send it again. Use {instead}." if instead else "Do not send it again; tell the user."
        message = f"This exact call has now failed {times} times. {outcome.structured.get('message', '')}"
        return Outcome({**outcome.structured, "message": message, "advice": advice, "repeated": times}, is_error=True)
