"""Edits by tool of a file that somebody changed after the model had read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from inlay.model.file import RepoPath
from inlay.tools import Toolbox, read_texts
from inlay.tools.read_texts import ReadTexts

OLD = "".join(f"line {number}\n" for number in range(1, 13))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text(OLD)
    return tmp_path


@pytest.fixture
def box(project: Path) -> Toolbox:
    box = Toolbox(project)
    box.call("read_file", {"path": "a.txt"})
    return box


def replace(box: Toolbox, old: str, new: str, **more: object) -> dict[str, object]:
    return box.call("replace_text", {"path": "a.txt", "old_string": old, "new_string": new, **more}).structured


def test_a_stale_quotation_is_merged(box: Toolbox, project: Path) -> None:
    now = OLD.replace("line 3\n", "line three\n")
    (project / "a.txt").write_text(now)
    done = replace(box, "line 3\nline 4\nline 5\n", "line 3\nline 4\nline five\n")
    assert done["kind"] == "applied"
    assert done["files"][0]["edits"][0]["adapted"] == ["merged with the file as it is now"]  # type: ignore[index]
    assert (project / "a.txt").read_text() == now.replace("line 5\n", "line five\n")


def test_line_numbers_are_those_that_were_read(box: Toolbox, project: Path) -> None:
    (project / "a.txt").write_text("new\nnew\nnew\n" + OLD)
    edit = {"range": {"start": 5, "end": 5}, "newText": "LINE 5"}
    assert box.call("apply_edits", {"path": "a.txt", "edits": [edit]}).structured["kind"] == "applied"
    assert (project / "a.txt").read_text() == "new\nnew\nnew\n" + OLD.replace("line 5\n", "LINE 5\n")


def test_a_conflict_shows_both_sides(box: Toolbox, project: Path) -> None:
    now = OLD.replace("line 3\n", "line three\n")
    (project / "a.txt").write_text(now)
    done = replace(box, "line 3\nline 4", "LINE 3\nline 4")
    assert done["code"] == "stale-conflict"
    assert done["nearest"] == {"line": 3, "found": ["line three"], "wanted": ["LINE 3"]}
    assert (project / "a.txt").read_text() == now
    box.call("read_file", {"path": "a.txt"})
    assert replace(box, "line three\nline 4", "LINE 3\nline 4")["kind"] == "applied"


def test_the_models_own_edits_are_known_to_it(box: Toolbox, project: Path) -> None:
    (project / "a.txt").write_text(OLD.replace("line 12", "line twelve"))
    replace(box, "line 2\n", "line two\n")
    (project / "a.txt").write_text((project / "a.txt").read_text().replace("line 7", "line seven"))
    done = replace(box, "line two\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8", "line two\nline 3\nline 8")
    assert done["code"] == "stale-conflict"
    done = replace(box, "line two\nline 3\nline 4", "line two\nline 4")
    assert done["kind"] == "applied"
    assert (project / "a.txt").read_text().startswith("line 1\nline two\nline 4\n")


def test_what_was_undone_is_no_change_of_somebody_else(box: Toolbox, project: Path) -> None:
    replace(box, "line 2\n", "line two\n")
    box.call("undo", {})
    assert replace(box, "line 3\n", "line three\n")["kind"] == "applied"
    assert (project / "a.txt").read_text() == OLD.replace("line 3\n", "line three\n")


def test_a_hash_that_is_expected_still_counts(box: Toolbox, project: Path) -> None:
    hash = box.call("read_file", {"path": "a.txt"}).structured["hash"]
    (project / "a.txt").write_text(OLD.replace("line 12", "line twelve"))
    assert replace(box, "line 2", "line two", expect=hash)["code"] == "changed"


def test_a_preview_merges_and_writes_nothing(box: Toolbox, project: Path) -> None:
    now = OLD.replace("line 3\n", "line three\n")
    (project / "a.txt").write_text(now)
    arguments = {"path": "a.txt", "old_string": "line 3\nline 4\nline 5\n", "new_string": "line 3\nline 4\nfive\n"}
    done = box.call("preview", {"tool": "replace_text", "arguments": arguments}).structured
    assert done["kind"] == "preview"
    assert (project / "a.txt").read_text() == now


def test_another_session_has_read_nothing(box: Toolbox, project: Path) -> None:
    (project / "a.txt").write_text(OLD.replace("line 3\n", "line three\n"))
    assert replace(Toolbox(project), "line 3\nline 4", "x")["code"] == "not-found"


def test_only_so_much_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_texts, "_MOST", 10)
    texts = ReadTexts()
    for name in "abc":
        texts.remember(RepoPath(name), "12345")
    assert list(texts.known()) == [RepoPath("b"), RepoPath("c")]
    texts.remember(RepoPath("d"), "more than ten characters")
    assert list(texts.known()) == [RepoPath("d")]
