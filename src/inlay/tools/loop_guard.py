"""Notices that the very same call fails again and again, and says so, for a model in a loop does not notice itself."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from inlay.tools.tool import Outcome

_TOO_OFTEN = 3
_MOST = 256  # calls remembered
_INSTEAD = {
    "write_patch": "apply_edits with line numbers from read_file",
    "apply_edits": "replace_text, after read_file has shown the lines as they are",
    "replace_text": "read_file and then apply_edits with line numbers",
    "apply_reply": "apply_edits or write_patch",
    "write_file": "apply_edits, which leaves the rest of the file alone",
}


class Repeats:
    """How often each call has failed since it last succeeded."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def noted(self, tool: str, arguments: object, outcome: Outcome) -> Outcome:
        """The outcome, with a word about repetition where it has failed three times in the same way."""
        key = hashlib.sha256(repr((tool, arguments)).encode("utf-8", "surrogatepass")).hexdigest()
        with self._lock:
            times = self._failures.pop(key, 0) + 1 if outcome.is_error else 0
            if times:
                self._failures[key] = times
            if len(self._failures) > _MOST:
                self._failures.popitem(last=False)
        return _remarked(tool, outcome, times) if times >= _TOO_OFTEN else outcome


def _remarked(tool: str, outcome: Outcome, times: int) -> Outcome:
    instead = _INSTEAD.get(tool)
    advice = f"Do not send it again. Use {instead}." if instead else "Do not send it again; tell the person."
    message = f"This exact call has now failed {times} times. {outcome.structured.get('message', '')}"
    return replace(outcome, structured={**outcome.structured, "message": message, "advice": advice, "repeated": times})
