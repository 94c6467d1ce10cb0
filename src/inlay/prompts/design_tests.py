"""The instruction that asks for the tests of a design document, before there is any code."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.prompts import sanitise

_RULES = """\
Rules:
- One test function for each test of the plan, named as the plan names it where it does.
- Every test calls the code and asserts on what it does. No `assert True`, no test without an assertion, no
  `pytest.fail` in place of a test, no skipped test.
- The code does not exist yet, or does not do it yet: the tests must fail now because of that, and for no other reason.
- Do not write the code itself, and do not put a stand-in for it where the real thing is to be tested.
"""
_ADDED = """\
- Keep every test that is in the file, and every assertion in it.
"""


def instruction(path: str, change: str, planned: Sequence[str], wrong: str = "") -> str:
    """Write one test file; the notes contain the document."""
    verb = "Write the new test file" if change == "add" else "Add the tests to"
    lines = [f"{verb} {sanitise.line(path)} for the test plan of the design document in the notes.", ""]
    if planned:
        lines += ["The tests that belong in this file:", *(f"- {sanitise.line(test)}" for test in planned), ""]
    lines.append(_RULES + (_ADDED if change != "add" else ""))
    if wrong:
        lines += ["An earlier version of the file could not be used:", *sanitise.lines(wrong), ""]
    return "\n".join(lines)
