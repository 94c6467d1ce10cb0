"""Edits of a file that has changed since the model saw it: merged, or refused with both sides."""

from __future__ import annotations

import pytest

from inlay.engine.staging import stage
from inlay.errors import EditsRefused, Misfit
from inlay.model.change import Change
from inlay.model.edit import Edit, Reading, Update
from inlay.model.file import BaseText, RepoPath, Snapshot
from tests.engine.staging.test_update import block, hunk, numbered

SEEN = "import os\n\ndef one():\n    return 1\n\ndef two():\n    value = 2\n    return value\n"


def staged(now: str | bytes, seen: str, *edits: Edit) -> Change:
    snapshot = Snapshot.of({"a.py": now})
    snapshot = Snapshot(snapshot.names, snapshot.files, bases={RepoPath("a.py"): BaseText(seen)})
    return stage(Reading("x", (Update("a.py", numbered(*edits)),)), snapshot).changes[0]


def refused(now: str, seen: str, *edits: Edit) -> tuple[Misfit, ...]:
    with pytest.raises(EditsRefused) as caught:
        staged(now, seen, *edits)
    return caught.value.misfits


def test_a_block_whose_context_has_changed_is_merged() -> None:
    now = SEEN.replace("def two():", "def two() -> int:")
    edit = block("def two():\n    value = 2\n    return value", "def two():\n    value = 2\n    return value + 1")
    change = staged(now, SEEN, edit)
    assert change.after == now.replace("return value", "return value + 1")
    assert change.matches[0].adapted == ("merged with the file as it is now",)


def test_lines_are_those_of_the_file_as_it_is() -> None:
    now = "# one\n# two\n" + SEEN.replace("def two():", "def two() -> int:")
    edit = block("def two():\n    value = 2\n    return value", "def two():\n    value = 2\n    return 0")
    match = staged(now, SEEN, edit).matches[0]
    assert (match.line, match.end_line) == (8, 10)


def test_the_base_decides_although_a_copy_fits_elsewhere() -> None:
    copy = "    x = 1\n    y = 2\n    return x\n"
    seen = f"def f():\n    first()\n    second()\n    third()\n    fourth()\n{copy}\nclass C:\n    pass\n"
    now = seen.replace("x = 1", "x = 10") + f"\ndef g():\n{copy}"
    change = staged(now, seen, block(copy.rstrip("\n"), copy.rstrip("\n").replace("return x", "return -x")))
    assert change.after == now.replace("return x", "return -x", 1)


def test_the_same_line_changed_differently_is_refused_with_both_sides() -> None:
    now = SEEN.replace("value = 2", "value = 22")
    (misfit,) = refused(now, SEEN, block("    value = 2", "    value = 3"))
    assert misfit.code == "stale-conflict"
    assert misfit.edit == 1
    assert misfit.nearest is not None
    assert (misfit.nearest.line, misfit.nearest.found, misfit.nearest.wanted) == (
        7,
        ("    value = 22",),
        ("    value = 3",),
    )


def test_every_conflict_is_listed_with_its_edit() -> None:
    now = SEEN.replace("value = 2", "value = 22").replace("return 1", "return 11")
    misfits = refused(now, SEEN, block("    return 1", "    return -1"), block("    value = 2", "    value = 3"))
    assert [(misfit.code, misfit.edit) for misfit in misfits] == [("stale-conflict", 1), ("stale-conflict", 2)]


def test_a_change_of_the_next_line_is_a_conflict() -> None:
    now = SEEN.replace("    return value", "    return value * 2")
    assert refused(now, SEEN, block("    value = 2", "    value = 3"))[0].code == "stale-conflict"


def test_an_addition_is_not_made_again_next_to_itself() -> None:
    seen = "0.1\n===\n- first\n"
    entry = "0.2\n===\n- second\n\n"
    edit = hunk("+0.2", "+===", "+- second", "+", " 0.1", " ===", " - first")
    assert staged(entry + seen, seen, edit).is_noop
    assert refused("0.3\n===\n- third\n\n" + entry + seen, seen, edit)[0].code == "stale-conflict"


def test_what_was_made_meanwhile_is_already_applied() -> None:
    now = SEEN.replace("value = 2", "value = 3").replace("import os", "import re")
    change = staged(now, SEEN, block("    value = 2", "    value = 3"))
    assert change.is_noop
    assert change.matches[0].rule == "already applied"


def test_an_edit_that_quotes_the_file_as_it_is_needs_no_base() -> None:
    now = SEEN.replace("value = 2", "value = 22")
    assert staged(now, SEEN, block("    value = 22", "    value = 23")).after == now.replace("22", "23")


def test_a_block_that_the_model_saw_twice_stays_ambiguous() -> None:
    seen = "x = 1\ny\nx = 1\n"
    assert [misfit.code for misfit in refused("x = 1\ny\nx = 2\n", seen, block("x = 1", "x = 3"))] == ["ambiguous"]


def test_line_endings_of_the_base_may_differ() -> None:
    now = SEEN.replace("import os", "import re").replace("\n", "\r\n").encode()
    change = staged(now, SEEN, hunk(" def one():", "-    return 1", "+    return 2"))
    assert change.content == now.replace(b"return 1", b"return 2")


def test_a_byte_order_mark_is_kept() -> None:
    now = b"\xef\xbb\xbf" + SEEN.replace("import os", "import re").encode()
    assert staged(now, SEEN, block("    return 1", "    return 2")).content == now.replace(b"return 1", b"return 2")
