"""The render layer: diffs with their headers, receipts without a backup, and briefs that stay short."""

import json

import pytest

from inlay.errors import EditsRefused, Misfit, Nearest
from inlay.model.change import Change
from inlay.model.file import File, RepoPath
from inlay.model.receipt import Contents, Written
from inlay.render.diff import diff_lines, unified_diff
from inlay.render.error import error_brief, error_json
from inlay.render.receipt import contents_change, receipt_diff, written_text

PATH = RepoPath("a.txt")
OLD = File.of("a.txt", "one\ntwo\n")


@pytest.mark.parametrize(
    ("change", "headers"),
    [
        (Change(PATH, None, "one\n"), ["--- /dev/null", "+++ b/a.txt"]),
        (Change(PATH, OLD, None), ["--- a/a.txt", "+++ /dev/null"]),
        (Change(PATH, OLD, "one\n", move_to=RepoPath("b.txt")), ["--- a/a.txt", "+++ b/b.txt"]),
    ],
)
def test_headers_name_the_file_on_either_side(change: Change, headers: list[str]) -> None:
    assert unified_diff(change).split("\n")[:2] == headers


def test_a_diff_is_cut_and_says_so_and_an_unchanged_file_has_none() -> None:
    change = Change(PATH, None, "line\n" * 1000)
    assert len(diff_lines(change, None)) == 1001
    assert diff_lines(change, 200)[-1].startswith("… cut: ")
    assert unified_diff(Change(PATH, OLD, OLD.text)) == ""


def test_a_receipt_shows_only_backups_that_exist_and_are_text() -> None:
    written = Written(PATH, "updated")
    text, lost = Contents(written, b"one\n", b"two\n"), Contents(written, None, None, lost=True)
    binary = Contents(written, b"\0\xff\0", b"two\n")
    assert contents_change(lost) is None
    assert contents_change(binary) is None
    assert receipt_diff((lost, text, binary), 1000) == "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
    assert written_text(Written(RepoPath("b.txt"), "moved", source=PATH)) == "> a.txt → b.txt moved"


def test_a_brief_stays_short_and_the_json_is_complete() -> None:
    lines = tuple("x" * 1000 for _ in range(100))
    misfit = Misfit("not-found", "m" * 5000, "a" * 3000, "p" * 4000, 1, nearest=Nearest(1, lines, lines, (50,)))
    error = EditsRefused(*[misfit] * 30)
    brief = error_brief(error, example="e" * 3000)
    assert len(json.dumps(brief)) <= 4000
    assert brief["code"] == "not-found"
    assert len(error_json(error)["misfits"]) == 30
