"""What needs a decision, and what becomes of the changes when there is one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inlay import (
    Approve,
    Change,
    ChangeSet,
    Decision,
    EditsRefused,
    File,
    LandOptions,
    MergeRefused,
    Need,
    NeedsDecision,
    RepoPath,
    SafeFileWriteError,
    Workspace,
    Write,
    fingerprint,
    land,
    preview,
    write,
    write_all,
)
from inlay.landing.approval_policy import needs
from inlay.model.match import Match
from inlay.model.protection import Protection


def lines(count: int, word: str = "value") -> str:
    return "".join(f"{word}_{n} = {n}\n" for n in range(count))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "long.py").write_text(lines(150))
    (tmp_path / "other.py").write_text(lines(150, "other"))
    (tmp_path / "short.py").write_text(lines(10))
    return tmp_path


class Nothing:
    """Guards no path."""

    def protection(self, path: RepoPath) -> Protection:
        return Protection()


def codes(before: str | None, after: str | None, *, located: bool = False, threshold: int = 100) -> list[str]:
    path = RepoPath("some.py")
    file = File.of("some.py", before) if before is not None else None
    change = Change(path, file, after, (Match(1, "exact", 1, 1),) if located else ())
    found = needs(ChangeSet((change,)), (), Nothing(), threshold)
    return [reason.code for need in found for reason in need.reasons]


@pytest.mark.parametrize(
    ("before", "after", "located", "expected"),
    [
        (None, lines(500), False, []),
        (lines(100), lines(100, "new"), False, []),
        (lines(101), lines(101, "new"), False, ["large-replacement"]),
        (lines(101), lines(101) + "x\n", False, ["large-replacement"]),
        (lines(101), lines(101), False, []),
        (lines(100) + "no end", lines(1), False, ["large-replacement"]),
        (lines(1), None, False, ["deletion"]),
        (lines(300), lines(200), True, []),
        (lines(300), lines(199), True, ["large-removal"]),
        (lines(300), lines(100) + lines(101, "new") + lines(300).partition("value_201")[2], True, ["large-removal"]),
        (lines(300), lines(300).replace("value", "    value"), True, []),
        (lines(300), "".join(reversed(lines(300).splitlines(True))), True, []),
        (lines(40), lines(20), True, []),
        (lines(40), lines(19), True, ["large-removal"]),
        (lines(20), lines(2), True, []),
        (lines(300), lines(300) + lines(300, "more"), True, []),
    ],
)
def test_what_needs_a_decision(before: str | None, after: str | None, located: bool, expected: list[str]) -> None:
    assert codes(before, after, located=located) == expected


def test_what_must_not_be_written_is_not_even_asked_about() -> None:
    class Closed(Nothing):
        def protection(self, path: RepoPath) -> Protection:
            return Protection("deny", "somebody else's")

    change = Change(RepoPath("a.py"), None, "x", move_to=RepoPath("b.py"))
    with pytest.raises(EditsRefused) as caught:
        needs(ChangeSet((change,)), (), Closed(), 100)
    assert [(misfit.code, misfit.path) for misfit in caught.value.misfits] == [
        ("path-protected", "a.py"),
        ("path-protected", "b.py"),
    ]


def test_the_threshold_is_the_callers() -> None:
    assert codes(lines(11), lines(11, "new"), threshold=10) == ["large-replacement"]
    assert codes(lines(11), lines(3), located=True, threshold=5) == ["large-removal"]
    assert codes(lines(500), lines(500, "new"), threshold=500) == []


def test_the_check_of_a_large_file_takes_less_than_ten_milliseconds() -> None:
    before = lines(10_000)
    file = File.of("some.py", before)
    for change in (
        Change(file.path, file, lines(10_000, "new")),
        Change(file.path, file, before.replace("value_5000", "other"), (Match(1, "exact", 1, 1),)),
        Change(file.path, None, before),
    ):
        times = []
        for _ in range(5):
            started = time.process_time()
            needs(ChangeSet((change,)), (), Nothing(), 100)
            times.append(time.process_time() - started)
        assert min(times) < 0.010


def test_without_anybody_to_ask_everything_that_waits_is_listed_and_nothing_written(project: Path) -> None:
    writes = [Write("long.py", "x = 1\n"), Write("short.py", "x = 1\n"), Write("other.py", "x = 1\n")]
    with pytest.raises(SafeFileWriteError) as caught:
        write_all(writes, Workspace(project))
    assert [str(need.path) for need in caught.value.needs] == ["long.py", "other.py"]
    assert caught.value.exit_code == 4
    assert (project / "short.py").read_text() == lines(10)


def deciding(*decisions: Decision) -> Approve:
    return lambda needs, changes: decisions


def test_skipping_drops_one_file_and_says_so(project: Path) -> None:
    writes = [Write("long.py", "x = 1\n"), Write("short.py", "x = 1\n")]
    landing = write_all(writes, Workspace(project), approve=deciding(Decision.of("long.py", "skip")))
    assert landing.skipped == (RepoPath("long.py"),)
    assert landing.changes.warnings == ("long.py was skipped, as decided",)
    assert (project / "long.py").read_text() == lines(150)
    assert (project / "short.py").read_text() == "x = 1\n"


def test_a_file_that_needs_no_decision_may_be_skipped_as_well(project: Path) -> None:
    writes = [Write("long.py", "x = 1\n"), Write("short.py", "x = 1\n")]
    approve = deciding(Decision(None), Decision.of("short.py", "skip"))
    assert write_all(writes, Workspace(project), approve=approve).skipped == (RepoPath("short.py"),)
    assert (project / "short.py").read_text() == lines(10)


def test_abort_keeps_everything_out(project: Path) -> None:
    writes = [Write("long.py", "x = 1\n"), Write("short.py", "x = 1\n")]
    with pytest.raises(NeedsDecision, match="stopped by your decision"):
        write_all(writes, Workspace(project), approve=deciding(Decision(None, "abort")))
    assert (project / "short.py").read_text() == lines(10)


def test_half_an_answer_is_none(project: Path) -> None:
    writes = [Write("long.py", "x = 1\n"), Write("other.py", "x = 1\n")]
    with pytest.raises(SafeFileWriteError, match=r"other\.py"):
        write_all(writes, Workspace(project), approve=deciding(Decision.of("long.py")))
    assert (project / "long.py").read_text() == lines(150)


def test_a_hundred_files_are_one_question(project: Path) -> None:
    asked: list[int] = []

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        asked.append(len(needs))
        return [Decision(None, strategy="append")]

    for n in range(100):
        (project / f"f{n}.py").write_text(lines(120))
    landing = write_all([Write(f"f{n}.py", "x = 1\n") for n in range(100)], Workspace(project), approve=approve)
    assert asked == [100]
    assert landing.receipt is not None
    assert len(landing.receipt.files) == 100


def test_a_merged_result_passes_the_same_checks(project: Path) -> None:
    (project / "long.py").write_text(lines(150) + "if True:\n")
    (project / "long.json").write_text("[\n" + "1,\n" * 150 + "1]\n")
    with pytest.raises(EditsRefused) as caught:
        write("long.json", "[2]\n", Workspace(project), approve=deciding(Decision(None, strategy="append")))
    assert [misfit.code for misfit in caught.value.misfits] == ["syntax"]


def test_what_an_edited_version_brings_in_is_asked_about_once_more(project: Path) -> None:
    asked: list[frozenset[str]] = []
    edited = Decision(RepoPath("long.py"), strategy="edit", content="x = '\u202e'\n")

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        asked.append(needs[0].codes)
        return [edited]

    write("long.py", lines(140), Workspace(project), approve=approve)
    assert asked == [frozenset({"large-replacement"}), frozenset({"large-replacement", "bidi"})]
    assert (project / "long.py").read_text() == "x = '\u202e'\n"


def test_answers_that_are_repeated_mean_the_same_again(project: Path) -> None:
    approve = deciding(
        Decision.of("other.py", "skip"), Decision(RepoPath("long.py"), strategy="edit", content="x = '\u202e'\n")
    )
    landing = write_all(
        [Write("long.py", lines(140)), Write("other.py", lines(140))], Workspace(project), approve=approve
    )
    assert landing.skipped == (RepoPath("other.py"),)
    assert (project / "long.py").read_text() == "x = '\u202e'\n"


@settings(max_examples=30, deadline=None)
@given(
    before=st.lists(st.sampled_from(["a", "b", "", "  c"]), min_size=1, max_size=12),
    new=st.lists(st.sampled_from(["x", "", "  y"]), min_size=1, max_size=6),
    ending=st.sampled_from(["\n", "\r\n"]),
    is_open=st.booleans(),
    strategy=st.sampled_from(["append", "insert", "replace", "edit", None]),
    line=st.integers(1, 13),
)
def test_property_the_approved_bytes_are_the_written_bytes(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[str],
    new: list[str],
    ending: str,
    is_open: bool,
    strategy: Any,
    line: int,
) -> None:
    root = tmp_path_factory.mktemp("project")
    text = ending.join(before) + ("" if is_open else ending)
    (root / "file.txt").write_bytes(text.encode())
    previewed: list[bytes | None] = []

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        at = min(line, needs[0].existing_lines + 1)
        decision = Decision(needs[0].path, strategy=strategy, line=at, content="edited\n")
        result, _ = preview(changes.changes[0], decision)
        previewed.append(result.content)
        return [replace(decision, digest=result.digest)]

    content = "\n".join(new) + "\n"
    write("file.txt", content, Workspace(root), options=LandOptions(threshold=0), approve=approve)
    if previewed:
        assert (root / "file.txt").read_bytes() == previewed[-1]


def test_approval_is_bound_to_the_bytes_that_were_seen(project: Path) -> None:
    decision = Decision(RepoPath("long.py"), strategy="append", digest="0" * 64)
    with pytest.raises(NeedsDecision, match="not what was approved"):
        write("long.py", "x = 1\n", Workspace(project), approve=deciding(decision))
    assert (project / "long.py").read_text() == lines(150)


def test_a_strategy_for_edits_at_their_places_is_refused(project: Path) -> None:
    file = File.of("some.py", lines(3))
    located = Change(file.path, file, lines(2), (Match(1, "exact", 1, 1),))
    for strategy in ("append", "insert", "extend"):
        with pytest.raises(MergeRefused, match="needs whole new content"):
            preview(located, Decision(file.path, strategy=strategy))  # type: ignore[arg-type]
    with pytest.raises(MergeRefused, match="needs its content"):
        preview(Change(file.path, file, None), Decision(file.path, strategy="edit", content="x"))
    assert preview(located, Decision(file.path, strategy="replace"))[0] == located


def test_a_fingerprint_changes_with_anything_that_is_written_or_expected() -> None:
    file, other = File.of("a.py", "x = 1\n"), File.of("a.py", "x = 2\n")
    sets = [
        ChangeSet((Change(file.path, file, "y\n"),)),
        ChangeSet((Change(file.path, file, "z\n"),)),
        ChangeSet((Change(file.path, other, "y\n"),)),
        ChangeSet((Change(file.path, None, "y\n"),)),
        ChangeSet((Change(file.path, file, None),)),
        ChangeSet((Change(file.path, file, "y\n", move_to=RepoPath("b.py")),)),
    ]
    assert len({fingerprint(changes) for changes in sets}) == len(sets)


def test_invisible_characters_wait_even_where_checks_are_off(project: Path) -> None:
    for check in (True, False):
        with pytest.raises(SafeFileWriteError) as caught:
            write("new.txt", "safe\u202e\n", Workspace(project), options=LandOptions(check=check))
        assert [need.codes for need in caught.value.needs] == [{"bidi"}]
    write("new.txt", "safe\u202e\n", Workspace(project), options=LandOptions(force=True))


def test_a_move_onto_a_guarded_path_waits(project: Path) -> None:
    moved = "*** Update File: short.py\n*** Move to: .husky/pre-push\n@@\n-value_0 = 0\n+x = 1\n"
    reply = f"*** Begin Patch\n{moved}*** End Patch\n"
    with pytest.raises(SafeFileWriteError) as caught:
        land(reply, Workspace(project))
    assert [need.codes for need in caught.value.needs] == [{"protected"}]


def test_a_file_is_written_once_at_most(project: Path) -> None:
    with pytest.raises(EditsRefused, match="written twice"):
        write_all([Write("a.py", "x = 1\n"), Write("a.py", "x = 2\n")], Workspace(project))


def test_a_legacy_encoding_takes_ascii_only(project: Path) -> None:
    (project / "old.txt").write_bytes(b"caf\xe9\n")
    write("old.txt", "plain\n", Workspace(project), strategy="append")
    assert (project / "old.txt").read_bytes() == b"caf\xe9\nplain\n"
    with pytest.raises(EditsRefused, match="not in UTF-8"):
        write("old.txt", "fran\u00e7ais\n", Workspace(project), strategy="append")


def test_a_headline_fits_what_happens() -> None:
    path = RepoPath("a.py")
    assert Need(path, (), 0, 3, ("replace",)).headline == "About to create a file of 3 lines"
    assert Need(path, (), 1, 0).headline == "About to delete 1 line"
    assert Need(path, (), 50, 100, ("replace",)).headline == "About to replace 50 lines with 100 lines (+50)"
