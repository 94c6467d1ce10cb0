"""What was written can be listed, shown, taken back and put in place again, and never costs later work."""

import hashlib
import os
import stat
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay import Change, ChangeSet, EnvironmentFailure, NeedsDecision, Receipt, RepoPath, StaleFile, Workspace
from inlay.errors import UnknownReceipt
from inlay.model.file import decode
from inlay.storage.transaction.journal import Journal, JournalEntry, to_bytes


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("a0\n")
    (tmp_path / "b.py").write_text("b0\n")
    return tmp_path


def write(project: Path, name: str, text: str | None, **options: str) -> str:
    workspace = Workspace(project)
    path = RepoPath(name)
    changes = ChangeSet((Change(path, workspace.read(path), text),))
    return workspace.commit(changes, **options).id  # type: ignore[arg-type]


def texts(project: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(project.glob("*.py"))}


def test_receipts_are_numbered_and_listed_newest_first(project: Path) -> None:
    workspace = Workspace(project)
    assert workspace.history() == ()
    write(project, "a.py", "a1\n", kind="write", summary="first")
    write(project, "b.py", "b1\n")
    newest, first = workspace.history()
    assert (newest.id, first.id, first.kind, first.summary) == ("2", "1", "write", "first")
    assert first.time.endswith("Z")
    assert [(str(file.path), file.action) for file in first.files] == [("a.py", "updated")]
    assert workspace.history(1) == (newest,)
    assert workspace.receipt("1") == first


@pytest.mark.parametrize("number", ["7", "x", "../1", "", "１"])
def test_an_unknown_number_is_said_to_be_one(project: Path, number: str) -> None:
    with pytest.raises(UnknownReceipt):
        Workspace(project).receipt(number)
    write(project, "a.py", "a1\n")
    with pytest.raises(UnknownReceipt):
        Workspace(project).contents(number)
    if number:
        with pytest.raises(UnknownReceipt):
            Workspace(project).undo(number)


def test_contents_are_the_bytes_before_and_after(project: Path) -> None:
    write(project, "a.py", "a1\n")
    write(project, "b.py", None)
    (changed,), (deleted,) = Workspace(project).contents("1"), Workspace(project).contents("2")
    assert (changed.before, changed.after, changed.lost) == (b"a0\n", b"a1\n", False)
    assert (deleted.before, deleted.after, deleted.lost) == (b"b0\n", None, False)


def test_undo_and_redo_walk_back_and_forth(project: Path) -> None:
    write(project, "a.py", "a1\n")
    write(project, "b.py", None)
    write(project, "c.py", "c1\n")
    workspace = Workspace(project)
    workspace.undo()
    assert texts(project) == {"a.py": "a1\n"}
    workspace.undo()
    assert texts(project) == {"a.py": "a1\n", "b.py": "b0\n"}
    workspace.undo()
    assert texts(project) == {"a.py": "a0\n", "b.py": "b0\n"}
    with pytest.raises(NeedsDecision, match="nothing to undo"):
        workspace.undo()
    for _ in range(3):
        workspace.redo()
    assert texts(project) == {"a.py": "a1\n", "c.py": "c1\n"}
    with pytest.raises(NeedsDecision, match="nothing to redo"):
        workspace.redo()
    workspace.undo()
    assert texts(project) == {"a.py": "a1\n"}
    assert [receipt.kind for receipt in workspace.history()[:2]] == ["undo", "redo"]


def test_any_change_can_be_undone_unless_later_work_would_be_lost(project: Path) -> None:
    write(project, "a.py", "a1\n")
    write(project, "b.py", "b1\n")
    write(project, "a.py", "a2\n")
    workspace = Workspace(project)
    with pytest.raises(
        StaleFile, match=r"undoing change 1 would lose later work: a\.py \(line 1\) changed since, by change 3"
    ):
        workspace.undo("1")
    workspace.undo("2")
    assert texts(project) == {"a.py": "a2\n", "b.py": "b0\n"}
    with pytest.raises(NeedsDecision, match="change 2 was undone already, by change 4"):
        workspace.undo("2")
    (project / "a.py").write_text("by hand\n")
    with pytest.raises(StaleFile, match=r"a\.py \(line 1\) changed since; nothing was written"):
        workspace.undo("3")
    assert texts(project)["a.py"] == "by hand\n"


def test_an_undo_can_be_undone_by_its_number(project: Path) -> None:
    write(project, "a.py", "a1\n")
    workspace = Workspace(project)
    number = workspace.undo().id
    workspace.undo(number)
    assert texts(project)["a.py"] == "a1\n"
    workspace.undo("1")
    assert texts(project)["a.py"] == "a0\n"


def test_undo_brings_back_mode_place_and_directories(project: Path) -> None:
    (project / "a.py").chmod(0o751)
    workspace = Workspace(project)
    a = workspace.read(RepoPath("a.py"))
    moved = Change(RepoPath("a.py"), a, "a1\n", move_to=RepoPath("deep/er/a.py"))
    workspace.commit(ChangeSet((moved, Change(RepoPath("new/x.py"), None, "x\n"))))
    assert stat.S_IMODE((project / "deep/er/a.py").stat().st_mode) == 0o751
    receipt = workspace.undo()
    assert [(str(file.path), file.action, str(file.source or "")) for file in receipt.files] == [
        ("new/x.py", "deleted", ""),
        ("a.py", "moved", "deep/er/a.py"),
    ]
    assert sorted(path.name for path in project.iterdir()) == [".inlay", "a.py", "b.py"]
    assert stat.S_IMODE((project / "a.py").stat().st_mode) == 0o751
    workspace.redo()
    assert (project / "deep/er/a.py").read_text() == "a1\n"


def test_undo_leaves_a_directory_that_somebody_uses(project: Path) -> None:
    write(project, "new/x.py", "x\n")
    (project / "new/mine.txt").write_text("mine\n")
    Workspace(project).undo()
    assert [path.name for path in (project / "new").iterdir()] == ["mine.txt"]


def test_bytes_that_are_no_text_any_more_come_back(project: Path) -> None:
    (project / "a.py").write_bytes(b"caf\xe9\r\n")
    write(project, "a.py", "plain\n")
    Workspace(project).undo()
    assert (project / "a.py").read_bytes() == b"caf\xe9\r\n"


TEXTS = st.one_of(
    st.binary(max_size=200).filter(lambda data: decode(data) is not None),
    st.text(max_size=50)
    .map(lambda text: text.encode("utf-8", "surrogatepass"))
    .filter(lambda d: decode(d) is not None),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=50).map(
        lambda text: ("\ufeff" + text).encode("utf-16-le")
    ),
    st.lists(st.sampled_from([b"a", b"caf\xe9", b"\r\n", b"\n", b"\r", b"\xef\xbb\xbf"]))
    .map(b"".join)
    .filter(lambda data: decode(data) is not None),
)


@pytest.mark.slow
@given(before=TEXTS, mode=st.sampled_from([0o600, 0o644, 0o755, 0o4711, 0o2750, 0o666]))
def test_property_any_bytes_and_mode_come_back(before: bytes, mode: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "f.txt")
        file.write_bytes(before)
        file.chmod(mode)
        workspace = Workspace(folder)
        read = workspace.read(RepoPath("f.txt"))
        assert read is not None
        workspace.commit(ChangeSet((Change(read.path, read, read.text + "x\r\n"),)))
        assert file.read_bytes() == before + read.encoding.encode("x\r\n").removeprefix(read.encoding.bom)
        assert stat.S_IMODE(file.stat().st_mode) == mode
        workspace.undo()
        assert file.read_bytes() == before
        assert stat.S_IMODE(file.stat().st_mode) == mode


def test_two_files_can_swap_their_places(project: Path) -> None:
    workspace = Workspace(project)
    a, b = (workspace.read(RepoPath(name)) for name in ("a.py", "b.py"))
    assert a is not None
    assert b is not None
    workspace.commit(ChangeSet((Change(a.path, a, a.text, move_to=b.path), Change(b.path, b, b.text, move_to=a.path))))
    assert texts(project) == {"a.py": "b0\n", "b.py": "a0\n"}
    workspace.undo()
    assert texts(project) == {"a.py": "a0\n", "b.py": "b0\n"}


def test_old_backups_go_by_age_and_size_but_never_the_newest(project: Path) -> None:
    for number in range(1, 6):
        write(project, "a.py", f"a{number}\n" * 1000)
    backups = project / ".inlay/backups"
    os.utime(backups / "1.pack", (0, 0))
    workspace = Workspace(project)
    assert workspace.collect(older_than=1).dropped == ("1",)
    size = (backups / "5.pack").stat().st_size
    found = workspace.collect(larger_than=size * 2)
    assert found.dropped == ("3", "2")
    assert found.freed > 0
    assert workspace.collect(older_than=0, larger_than=0).dropped == ("4",)
    assert workspace.collect(older_than=0, larger_than=0).dropped == ()
    assert len(workspace.history()) == 5
    assert workspace.contents("4")[0].lost
    workspace.undo()
    with pytest.raises(NeedsDecision, match=r"change 4 cannot be undone: its backup is gone \(a\.py\)"):
        workspace.undo("4")


def test_a_damaged_receipt_does_not_hide_the_others(project: Path) -> None:
    write(project, "a.py", "a1\n")
    write(project, "b.py", "b1\n")
    receipt = project / ".inlay/receipts/1.json"
    receipt.write_bytes(receipt.read_bytes().replace(b"a.py", b"c.py"))
    workspace = Workspace(project)
    assert "is damaged" in workspace.history()[1].notes[0]
    with pytest.raises(EnvironmentFailure, match=r"1\.json is damaged"):
        workspace.undo("1")
    assert any("is damaged" in problem for problem in workspace.verify_log())


def test_a_damaged_backup_is_never_written(project: Path) -> None:
    write(project, "a.py", "a1\n")
    backup = project / ".inlay/backups/1.pack"
    data = bytearray(backup.read_bytes())
    for position in range(len(data)):
        data[position] ^= 1
        backup.write_bytes(data)
        found = Workspace(project).contents("1")[0]
        assert found.before in (None, b"a0\n")
        assert found.after in (None, b"a1\n")
        data[position] ^= 1


# The directory that all this is in.


def test_the_directory_is_private_and_ignored_by_git(project: Path) -> None:
    write(project, "a.py", "a1\n")
    home = project / ".inlay"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert (home / ".gitignore").read_text() == "*\n"
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in home.rglob("*"))


def test_a_directory_that_became_public_is_closed_again(project: Path) -> None:
    write(project, "a.py", "a1\n")
    (project / ".inlay").chmod(0o755)
    write(project, "a.py", "a2\n")
    assert stat.S_IMODE((project / ".inlay").stat().st_mode) == 0o700


def test_a_directory_of_somebody_else_is_not_trusted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, "a.py", "a1\n")
    if os.geteuid() == 0:
        os.chown(project / ".inlay", 4242, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 4243)
    with pytest.raises(EnvironmentFailure, match="belongs to another user"):
        Workspace(project)


def test_reading_makes_no_directory(project: Path) -> None:
    workspace = Workspace(project)
    assert (workspace.history(), workspace.records(), workspace.verify_log(), workspace.recover()) == ((), (), (), ())
    assert workspace.read(RepoPath("a.py")) is not None
    assert not (project / ".inlay").exists()


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_directory_that_is_none_is_not_followed(
    project: Path, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    if kind == "link":
        (project / ".inlay").symlink_to(elsewhere)
    else:
        (project / ".inlay").write_text("")
    with pytest.raises(EnvironmentFailure, match="not a directory of ours"):
        write(project, "a.py", "a1\n")
    assert list(elsewhere.iterdir()) == []
    assert texts(project)["a.py"] == "a0\n"


def test_a_second_writer_waits_and_then_says_so(project: Path) -> None:
    import fcntl

    write(project, "a.py", "a1\n")
    with (project / ".inlay/lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        workspace = Workspace(project, wait=0.05)
        begun = time.monotonic()
        with pytest.raises(EnvironmentFailure, match=r"another process has been writing .* for 0\.05 seconds"):
            workspace.undo()
        assert time.monotonic() - begun < 2
    workspace.undo()


def test_a_commit_in_progress_is_not_taken_for_one_cut_short(project: Path) -> None:
    import fcntl

    write(project, "a.py", "a1\n")
    (project / ".inlay/pending/2").mkdir()
    with (project / ".inlay/lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert Workspace(project).read(RepoPath("a.py")) is not None
        assert (project / ".inlay/pending/2").exists()
    assert [recovery.id for recovery in Workspace(project).recover()] == ["2"]
    assert not (project / ".inlay/pending/2").exists()


def test_a_forged_journal_reaches_no_further_than_a_reply(project: Path) -> None:
    write(project, "a.py", "a1\n")
    (project / ".git").mkdir()
    (project / ".git/config").write_text("mine\n")
    digest = hashlib.sha256(b"mine\n").hexdigest()
    forged = Journal(Receipt(id="2"), (JournalEntry(RepoPath(".git/config"), "", digest),))
    (project / ".inlay/pending/2").mkdir()
    (project / ".inlay/pending/2/journal").write_bytes(to_bytes(forged))
    with pytest.raises(EnvironmentFailure, match=r"pending/2/journal is not ours: it names '\.git/config'"):
        Workspace(project)
    assert (project / ".git/config").read_text() == "mine\n"


def test_a_damaged_journal_is_not_believed(project: Path) -> None:
    write(project, "a.py", "a1\n")
    sealed = (project / ".inlay/receipts/1.json").read_bytes()
    (project / ".inlay/pending/2").mkdir()
    (project / ".inlay/pending/2/journal").write_bytes(sealed.replace(b"a.py", b"b.py"))
    with pytest.raises(EnvironmentFailure, match=r"pending/2/journal is damaged"):
        Workspace(project)
    assert texts(project) == {"a.py": "a1\n", "b.py": "b0\n"}


@pytest.mark.slow
def test_many_past_changes_do_not_slow_the_next(project: Path) -> None:
    write(project, "a.py", "a1\n")

    def quickest() -> float:
        return min(_timed(project, f"{n}\n") for n in range(7))

    few = quickest()
    receipts = project / ".inlay/receipts"
    sealed = (receipts / "1.json").read_bytes()
    for number in range(100, 10_100):
        (receipts / f"{number}.json").write_bytes(sealed)
        (project / f".inlay/backups/{number}.pack").write_bytes(b"")
    assert quickest() < few * 3 + 0.01


def _timed(project: Path, text: str) -> float:
    workspace = Workspace(project)
    path = RepoPath("a.py")
    changes = ChangeSet((Change(path, workspace.read(path), text),))
    begun = time.process_time()
    workspace.commit(changes)
    return time.process_time() - begun
