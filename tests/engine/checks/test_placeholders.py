"""Which lines say "and so on", and which only look like it."""

from __future__ import annotations

import pytest

from inlay.engine.checks.rules.placeholders import is_placeholder


@pytest.mark.parametrize(
    "line",
    [
        "...", "    …", "[...]", "// ...", "# ...", "/* ... */", "<!-- ... -->", "-- ...", "// ... existing code ...",
        "# ... rest of the code unchanged ...", "// rest of code ...",
        "... (rest of the function)", "(rest of methods ...)",
        "{/* ... existing code ... */}", "// existing code", "# rest of file unchanged", "// unchanged",
    ],
)  # fmt: skip
def test_marks(line: str) -> None:
    assert is_placeholder(line)


@pytest.mark.parametrize(
    "line",
    [
        "", "x = ...", "def f(): ...", "...args", "print('...')", "# the existing code path is slow", "# TODO: ...",
        "## Changes to existing functions", "and the rest...", "// other tests", "# other",
        "rest of the day", "// " + "a" * 200,
    ],
)  # fmt: skip
def test_lines_of_their_own(line: str) -> None:
    assert not is_placeholder(line)
