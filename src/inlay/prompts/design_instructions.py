"""The instructions for the files of a design document: its tests, its code, repairs, and tests of uncovered lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inlay.prompts import sanitise

_TESTS_RULES = """\
Rules:
- One test function for each test of the plan, named as the plan names it where it does.
- Every test calls the code and asserts on what it does. No `assert True`, no test without an assertion, no
  `pytest.fail` in place of a test, no skipped test.
- The code does not exist yet, or does not do it yet: the tests must fail now because of that, and for no other reason.
- Do not write the code itself, and do not put a stand-in for it where the real thing is to be tested.
"""
_KEEP_TESTS = "- Keep every test that is in the file, and every assertion in it.\n"
_CODE_RULES = """\
Rules:
- Write all of the code: no stub, no placeholder, no comment in place of code, no summary in place of code.
- Keep to the names and signatures that the document gives.
- The tests are {tests}. They decide whether the work is done, and they cannot be changed.
- Handle errors as the document says. Nothing is gained by leaving out what is hard to test.
- Other files of the document are written separately; rely on what it says about them.
"""
_MOST_NAMED = 20
_REPAIR_RULES = """\
Rules:
- Find the cause in this file and fix it there. The tests ({tests}) are right and cannot be changed.
- Do not work around a test: no special case for its input, no error swallowed, no check removed.
- Keep to the design document in the notes, and keep what already works.
"""
_COVERAGE_RULES = """\
Rules:
- Add tests to the file and change nothing that is in it.
- Every test asserts on what the code does, for the reason the design document in the notes gives.
- The code is right and cannot be changed: a test that fails against it is not used.
"""


def write_tests(path: str, change: str, planned: Sequence[str], wrong: str = "") -> str:
    """Write one test file before there is any code; the notes have the document."""
    verb = "Write the new test file" if change == "add" else "Add the tests to"
    lines = [f"{verb} {sanitise.line(path)} for the test plan of the design document in the notes.", ""]
    if planned:
        lines += ["The tests that belong into this file:", *(f"- {sanitise.line(test)}" for test in planned), ""]
    lines.append(_TESTS_RULES + (_KEEP_TESTS if change != "add" else ""))
    if wrong:
        lines += ["An earlier version of the file could not be used:", *sanitise.lines(wrong), ""]
    return "\n".join(lines)


def write_code(path: str, change: str, description: str, tests: Sequence[str]) -> str:
    """Implement one file; the notes have the document."""
    verb = "Write the new file" if change == "add" else "Change the file"
    about = f": {sanitise.line(description)}" if description else ""
    rules = _CODE_RULES.format(tests=", ".join(map(sanitise.line, tests)))
    return f"{verb} {sanitise.line(path)} as the design document in the notes says{about}\n\n{rules}"


def repair(path: str, tests: Sequence[str], failing: Sequence[str]) -> str:
    """Fix one file; the notes have the document and, at their end, what the failing tests printed."""
    shown = [f"- {sanitise.line(test)}" for test in failing[:_MOST_NAMED]]
    if len(failing) > _MOST_NAMED:
        shown.append(f"- and {len(failing) - _MOST_NAMED} more")
    head = f"Fix {sanitise.line(path)} so that these tests pass; what they printed is at the end of the notes:"
    return "\n".join([head, *shown, "", _REPAIR_RULES.format(tests=", ".join(map(sanitise.line, tests)))])


def cover(path: str, uncovered: Mapping[str, Sequence[str]]) -> str:
    """More tests; `uncovered` names, by file, the lines that no test runs, as ranges or with their text."""
    lines = [f"Add tests to {sanitise.line(path)} that run these lines of the code, which no test runs yet:", ""]
    for name, missing in uncovered.items():
        lines += [f"{sanitise.line(name)}:", *(f"    {sanitise.line(text)}" for text in missing)]
    return "\n".join([*lines, "", _COVERAGE_RULES])
