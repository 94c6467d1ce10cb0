"""Where runs are kept: numbered, by content, driven by one process at a time."""

from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure, UnknownRun
from inlay.model.run import RunOptions, RunProgress
from inlay.storage.stores import runs


def create(root: Path) -> runs.RunFolder:
    return runs.create(str(root), "design.md", "# A document\n", RunOptions(auto=True, max_cost=1.5))


def test_runs_are_numbered_and_described(tmp_path: Path) -> None:
    first, second = create(tmp_path), create(tmp_path)
    assert (first.id, second.id) == ("1", "2")
    described = runs.find(str(tmp_path), "2").describe()
    assert (described.document, described.options) == ("design.md", RunOptions(auto=True, max_cost=1.5))
    assert second.text(described.spec) == "# A document\n"
    assert [run.id for run in runs.newest_first(str(tmp_path))] == ["2", "1"]
    assert (tmp_path / ".inlay").stat().st_mode & 0o077 == 0


def test_a_run_without_its_description_is_not_there(tmp_path: Path) -> None:
    first = create(tmp_path)
    (first.path / "run.json").unlink()
    assert runs.newest_first(str(tmp_path)) == ()
    for name in ("1", "7", "../1", "x"):
        with pytest.raises(UnknownRun):
            runs.find(str(tmp_path), name)
    assert create(tmp_path).id == "2"


def test_contents_are_kept_once_and_believed_only_whole(tmp_path: Path) -> None:
    folder = create(tmp_path)
    digest = folder.put("text \udce9")
    assert folder.put("text \udce9") == digest
    assert folder.text(digest) == "text \udce9"
    (folder.path / "contents" / digest).write_bytes(b"other")
    with pytest.raises(EnvironmentFailure, match="damaged"):
        folder.get(digest)
    with pytest.raises(EnvironmentFailure, match="lost"):
        folder.get("0" * 64)


def test_what_nobody_drives_was_interrupted(tmp_path: Path) -> None:
    folder = create(tmp_path)
    assert folder.progress().status == "interrupted"
    folder.report_progress(RunProgress("running", "green", tokens=5, files=("a.py",)))
    assert folder.progress().status == "interrupted"
    with folder.driving():
        again = runs.find(str(tmp_path), "1")
        assert (again.progress().status, again.progress().files) == ("running", ("a.py",))
        with pytest.raises(EnvironmentFailure, match="another process is busy with run 1"), again.driving():
            pass
    (folder.path / "run.json").write_text("{")
    with pytest.raises(EnvironmentFailure, match=r"run\.json cannot be read"):
        folder.describe()


def test_the_last_run_that_can_go_on(tmp_path: Path) -> None:
    with pytest.raises(UnknownRun, match="no run to resume"):
        runs.find(str(tmp_path))
    first, second = create(tmp_path), create(tmp_path)
    second.report_progress(RunProgress("green"))
    assert runs.find(str(tmp_path)).id == first.id
    second.report_progress(RunProgress("waiting"))
    assert runs.find(str(tmp_path)).id == second.id
