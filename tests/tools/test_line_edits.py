"""`apply_edits`: lines replaced, inserted and deleted, and everything that cannot be meant refused."""

from pathlib import Path
from typing import Any

import pytest

from inlay.tools import Outcome, Toolbox


def edit(start: int, end: int, new: str, old: str | None = None) -> dict[str, Any]:
    record: dict[str, Any] = {"range": {"start": start, "end": end}, "newText": new}
    return record if old is None else {**record, "oldText": old}


@pytest.fixture
def lines(project: Path) -> Path:
    (project / "n.txt").write_text("one\ntwo\nthree\nfour\nfive\n")
    return project / "n.txt"


def apply(box: Toolbox, *edits: dict[str, Any], **more: Any) -> Outcome:
    return box.call("apply_edits", {"path": "n.txt", "edits": list(edits), **more})


@pytest.mark.parametrize(
    ("edits", "after"),
    [
        ([edit(2, 2, "2")], "one\n2\nthree\nfour\nfive\n"),
        ([edit(2, 3, "2\n3")], "one\n2\n3\nfour\nfive\n"),
        ([edit(2, 3, "2\n3\n")], "one\n2\n3\nfour\nfive\n"),
        ([edit(1, 0, "zero")], "zero\none\ntwo\nthree\nfour\nfive\n"),
        ([edit(3, 2, "2.5")], "one\ntwo\n2.5\nthree\nfour\nfive\n"),
        ([edit(6, 5, "six")], "one\ntwo\nthree\nfour\nfive\nsix\n"),
        ([edit(2, 4, "")], "one\nfive\n"),
        ([edit(1, 5, "all")], "all\n"),
        ([edit(1, 1, "1"), edit(5, 5, "5"), edit(3, 2, "2.5")], "1\ntwo\n2.5\nthree\nfour\n5\n"),
        ([edit(5, 5, "5"), edit(1, 1, "1")], "1\ntwo\nthree\nfour\n5\n"),
    ],
)
def test_lines_of_the_file_as_it_is(box: Toolbox, lines: Path, edits: list[Any], after: str) -> None:
    outcome = apply(box, *edits)
    assert outcome.structured["kind"] == "applied", outcome.text
    assert lines.read_text() == after
    assert outcome.structured["diff"].startswith("--- a/n.txt\n+++ b/n.txt\n@@ ")


@pytest.mark.parametrize(
    ("edits", "code"),
    [
        ([edit(6, 6, "x")], "range"),
        ([edit(2, 9, "x")], "range"),
        ([edit(7, 6, "x")], "range"),
        ([edit(4, 2, "x")], "range"),
        ([edit(0, 0, "x")], "invalid-arguments"),
        ([edit(1, 3, "x"), edit(3, 4, "y")], "overlap"),
        ([edit(2, 2, "x"), edit(2, 2, "y")], "overlap"),
        ([edit(2, 2, "x", "no such line")], "not-found"),
        ([], "invalid-arguments"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_lands(
    box: Toolbox, lines: Path, edits: list[Any], code: str
) -> None:
    outcome = apply(box, *edits)
    assert outcome.structured["code"] == code, outcome.text
    assert outcome.structured["kind"] == "patch_error"
    assert '"range"' in outcome.structured["example"]
    assert lines.read_text() == "one\ntwo\nthree\nfour\nfive\n"


def test_one_bad_edit_keeps_the_good_ones_out(box: Toolbox, lines: Path) -> None:
    outcome = apply(box, edit(1, 1, "1"), edit(9, 9, "x"), edit(2, 2, "x", "nonsense"))
    assert outcome.is_error
    assert lines.read_text().startswith("one\n")


def test_old_text_found_once_decides_and_the_range_is_a_hint(box: Toolbox, lines: Path) -> None:
    outcome = apply(box, edit(1, 1, "4", "four"))
    assert outcome.structured["files"][0]["edits"][0]["line"] == 4
    assert lines.read_text() == "one\ntwo\nthree\n4\nfive\n"


def test_old_text_in_several_places_needs_the_exact_range(box: Toolbox, project: Path) -> None:
    def change(start: int, end: int) -> Outcome:
        edits = [edit(start, end, "    return 2", "    return 1")]
        return box.call("apply_edits", {"path": "a.py", "edits": edits})

    for start, end in ((3, 3), (6, 7), (5, 6), (1, 6)):
        outcome = change(start, end)
        assert outcome.structured["code"] == "ambiguous", (start, end, outcome.text)
        assert outcome.structured["candidates"] == [2, 6]
    assert change(6, 6).structured["kind"] == "applied"
    assert (project / "a.py").read_text().endswith("    return 2\n")


def test_the_hash_that_read_file_gave_must_still_hold(box: Toolbox, lines: Path) -> None:
    seen = box.call("read_file", {"path": "n.txt"}).structured["hash"]
    done = apply(box, edit(1, 1, "1"), expect=seen)
    assert done.structured["kind"] == "applied"
    outcome = apply(box, edit(2, 2, "2"), expect=seen)
    assert outcome.structured["code"] == "changed"
    assert done.structured["files"][0]["hash"] in outcome.structured["message"]
    assert lines.read_text() == "1\ntwo\nthree\nfour\nfive\n"


def test_the_log_knows_the_difference_by_its_digest(box: Toolbox, lines: Path) -> None:
    apply(box, edit(1, 2, "1"))
    intent = next(record.event for record in box.workspace.records() if record.event.state == "intent")
    assert intent.detail.startswith("apply_edits: +1 -2, diff ")


@pytest.mark.parametrize(
    "arguments",
    [
        {"file_path": "n.txt", "edits": [edit(1, 1, "1")]},
        {"path": "n.txt", "edits": edit(1, 1, "1")},
        {"path": "n.txt", "edits": '[{"range": {"start": 1, "end": 1}, "newText": "1"}]'},
        {"path": "n.txt", "edits": [{"range": {"start": 1.0, "end": 1.0}, "new_text": "1"}]},
        {"path": "n.txt", "edits": [{"range": {"start": 1, "end": 1}, "old_string": "one", "new_string": "1"}]},
    ],
)
def test_mistakes_in_the_arguments_are_corrected(box: Toolbox, lines: Path, arguments: dict[str, Any]) -> None:
    assert box.call("apply_edits", arguments).structured["kind"] == "applied"
    assert lines.read_text().startswith("1\ntwo\n")


def test_bytes_that_no_edit_touches_stay(box: Toolbox, project: Path) -> None:
    (project / "n.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo \r\n\tthree\nf\xc3\xbcr")
    assert apply(box, edit(2, 2, "2")).structured["kind"] == "applied"
    assert (project / "n.txt").read_bytes() == b"\xef\xbb\xbfone\r\n2\r\n\tthree\nf\xc3\xbcr"
