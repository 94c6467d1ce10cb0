"""The instruction that asks for a file to be mended until its tests pass."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.prompts import sanitise

_MOST_NAMED = 20
_RULES = """\
Rules:
- Find the cause in this file and mend it there. The tests ({tests}) are right and cannot be changed.
- Do not work around a test: no special case for its input, no error swallowed, no check removed.
- Keep to the design document in the notes, and keep what already works.
"""


def instruction(path: str, tests: Sequence[str], failing: Sequence[str]) -> str:
    """Mend one file; the notes hold the document and, at their end, what the failing tests printed."""
    shown = [f"- {sanitise.line(each)}" for each in failing[:_MOST_NAMED]]
    if len(failing) > _MOST_NAMED:
        shown.append(f"- and {len(failing) - _MOST_NAMED} more")
    head = f"Mend {sanitise.line(path)}, so that these tests pass; what they printed stands at the end of the notes:"
    named = ", ".join(map(sanitise.line, tests))
    return "\n".join([head, *shown, "", _RULES.format(tests=named)])
