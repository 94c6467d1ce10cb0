"""The instruction that asks for one file of a design document."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.prompts import sanitise

_RULES = """\
Rules:
- Write all of the code: no stub, no placeholder, no comment in place of code, no summary.
- Keep to the names and signatures that the document gives.
- The tests are {tests}. They decide whether the work is done, and they cannot be changed.
- Handle errors as the document says. Nothing is gained by leaving out what is hard to test.
- Other files of the document are written separately; rely on what it says about them.
"""


def instruction(path: str, change: str, description: str, tests: Sequence[str]) -> str:
    """Implement one file; the notes contain the document."""
    verb = "Write the new file" if change == "add" else "Change the file"
    about = f": {sanitise.line(description)}" if description else ""
    named = ", ".join(map(sanitise.line, tests))
    return f"{verb} {sanitise.line(path)} as the design document in the notes says{about}\n\n" + _RULES.format(
        tests=named
    )
