"""The instruction that asks for tests of lines that no test runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inlay.prompts import sanitise

_RULES = """\
Rules:
- Add tests to the file and change nothing that is in it.
- Every test asserts on what the code does, for the reason the design document in the notes gives.
- The code is right and cannot be changed: a test that fails against it is not used.
"""


def instruction(path: str, uncovered: Mapping[str, Sequence[str]]) -> str:
    """More tests; `uncovered` names, by file, the lines that no test runs, as ranges or with their text."""
    lines = [f"Add tests to {sanitise.line(path)} that run these lines of the code, which no test runs yet:", ""]
    for name, missing in uncovered.items():
        lines += [f"{sanitise.line(name)}:", *(f"    {sanitise.line(text)}" for text in missing)]
    return "\n".join([*lines, "", _RULES])
