"""The front door: order, cost and calm on any input."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inlay.engine import checks
from inlay.engine.checks.added_lines import added_lines
from inlay.model.change import Change, ChangeSet
from inlay.model.file import File, RepoPath
from inlay.model.match import Match

_PATHS = st.sampled_from(
    ["a.py", "a.json", "a.js", "a.tsx", "a.yaml", "a.toml", "a.html", "a.c", "Gemfile", "x", "a.md"]
)
_PIECES = [
    "{",
    "}",
    "(",
    "\n",
    "\r\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    "# ...\n",
    "\u202e",
    "a",
    " ",
    "\0",
    "</invoke>\n",
]
_TEXTS = st.text() | st.lists(st.sampled_from(_PIECES)).map("".join)


def _change(path: str, before: str | None, after: str | None) -> Change:
    file = None if before is None else File(RepoPath(path), before)
    return Change(RepoPath(path), file, after, (Match(1, "exact", 1, 1),))


@pytest.mark.slow
@given(path=_PATHS, before=st.none() | _TEXTS, after=st.none() | _TEXTS)
@settings(max_examples=500, deadline=None)
def test_no_text_makes_a_check_raise(path: str, before: str | None, after: str | None) -> None:
    for finding in checks.run(ChangeSet((_change(path, before, after),))):
        assert after is not None
        assert 0 <= finding.line <= after.count("\n") + 1


@given(before=_TEXTS, after=_TEXTS)
def test_added_lines_are_those_that_the_old_text_lacks(before: str, after: str) -> None:
    old = [line.strip() for line in before.split("\n")]
    new = [line.strip() for line in after.split("\n")]
    expected = sum(max(new.count(text) - old.count(text), 0) for text in set(new))
    assert len(added_lines(_change("a", before, after))) == expected


def test_of_equal_lines_the_one_inside_the_edit_is_the_added_one() -> None:
    added = added_lines(_change("a", "x\n}\ny\n}\n", "x\n}\n}\ny\n}\n"))
    assert [line.number for line in added] == [3]


def test_findings_come_by_path_and_line() -> None:
    changes = ChangeSet((_change("b.xyz", None, "# ...\n>>>>>>> x\n"), _change("a.xyz", "", "<<<<<<< HEAD\n# ...\n")))
    found = [(str(finding.path), finding.line) for finding in checks.run(changes)]
    assert found == [("a.xyz", 1), ("a.xyz", 2), ("b.xyz", 1), ("b.xyz", 2)]


def test_a_deleted_file_is_not_looked_at() -> None:
    assert checks.run(ChangeSet((_change("a.py", "def (:\n", None),))) == ()


def test_a_moved_file_is_reported_at_its_new_path() -> None:
    change = Change(RepoPath("a.xyz"), File.of("a.xyz", "a\n"), "a\n# ...\n", (), RepoPath("b.xyz"))
    assert [finding.path for finding in checks.run(ChangeSet((change,)))] == [RepoPath("b.xyz")]


def test_a_hundred_thousand_lines_are_quick() -> None:
    before = "".join(f"line {number} of many\n" for number in range(100_000))
    after = before.replace("line 50000 of many\n", "changed\n# new\n")
    change = ChangeSet((_change("a.xyz", before, after),))
    best = min(_seconds(change) for _ in range(3))
    assert best < 0.25  # about 0.04 of CPU time; what is guarded against is anything quadratic


def test_a_file_full_of_suspects_is_quick() -> None:
    text = "=======\n<<<<<<< SEARCH\n</invoke>\n\u200f\n" * 5_000
    assert _seconds(ChangeSet((_change("a.xyz", "", text),))) < 2


def _seconds(changes: ChangeSet) -> float:
    start = time.process_time()
    checks.run(changes)
    return time.process_time() - start
