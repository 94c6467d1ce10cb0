"""The imperative mood is asked for only where its absence is certain."""

import pytest

from inlay.commits.messages import Applied, Ruleset, check, parse

RULES = Ruleset((Applied("subject-imperative", "warning"),))


@pytest.mark.parametrize(
    "subject",
    [
        "Added tests", "Fixed a typo", "Adding the parser", "Removes dead code", "Fixes the build", "Updates the docs",
        "feat: added a flag", "chore: updates the lock file", "Refactored x", "Renames a to b", "updated CHANGELOG",
    ],
)  # fmt: skip
def test_what_is_certain_is_said(subject: str) -> None:
    (issue,) = check(parse(subject), RULES)
    assert "says what the commit does" in issue.explanation


@pytest.mark.parametrize(
    "subject",
    [
        "Add tests", "Fixes #12", "Fixes for 1.2", "Updates to the docs", "Changes in the API", "Fixed width integers",
        "Fixed-size arrays", "Deleted files are kept", "Adding is slow", "Resolves #3", "Formatting", "Testing helpers",
        "fix: deleted rows shown", "fix: adding twice", "Updates", "Added", "Uses for maps", "Moved-from objects",
        "Embed fonts", "Speed up", "Feed the parser", "Changing of the guard", "Moves in chess", "String handling",
    ],
)  # fmt: skip
def test_what_may_be_a_noun_is_left_alone(subject: str) -> None:
    assert check(parse(subject), RULES) == ()
