"""The instruction that asks to fix a file so that its tests pass."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.prompts import sanitise

_MAX_NAMED = 20
_RULES = """\
Rules:
- Find the cause in this file and fix it there. The tests ({tests}) are right and cannot be changed.
- Do not work around a test: no special case for its input, no error swallowed, no check removed.
- Keep to the design document in the notes, and keep what already works.
"""


def instruction(path: str, tests: Sequence[str], failing: Sequence[str]) -> str:
    """Fix one file; the notes contain the document and, at their end, what the failing tests printed."""
    shown = [f"- {sanitise.line(test)}" for test in failing[:_MAX_NAMED]]
    if len(failing) > _MAX_NAMED:
        shown.append(f"- and {len(failing) - _MAX_NAMED} more")
    head = f"Fix {sanitise.line(path)} so that these tests pass; what they printed is at the end of the notes:"
    named = ", ".join(map(sanitise.line, tests))
    return "\n".join([head, *shown, "", _RULES.format(tests=named)])
