"""How changes reach the disk: all of them, whole, or none."""

import errno
import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from inlay import (
    Change,
    ChangeSet,
    Create,
    EnvironmentFailure,
    InlayError,
    Reading,
    RepoPath,
    StaleFile,
    Update,
    Workspace,
)
from inlay.storage import commitment


def tree(root: Path) -> dict[str, bytes | None]:
    """Every name below the root with its bytes, so that a left-over of any kind shows."""
    return {str(p.relative_to(root)): None if p.is_dir() else p.read_bytes() for p in sorted(root.rglob("*"))}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py", "src/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"old {name}\n")
    return tmp_path


def changing(workspace: Workspace, *names: str) -> list[Change]:
    snapshot = workspace.resolve(Reading("x", tuple(Update(name, ()) for name in names)))
    return [Change(file.path, file, f"new {file.path}\n") for file in snapshot.files.values()]


def committing(project: Path, *changes: Change) -> Callable[[], object]:
    return lambda: Workspace(project).commit(ChangeSet(changes))


def test_update_create_delete_and_move_land_together(project: Path) -> None:
    workspace = Workspace(project)
    a, b, c = changing(workspace, "a.py", "b.py", "src/c.py")
    changes = (
        a,
        Change(b.path, b.before, None),
        Change(c.path, c.before, c.after, move_to=RepoPath("lib/deep/d.py")),
        Change(RepoPath("new/x.py"), None, "fresh\n"),
    )
    receipt = workspace.commit(ChangeSet(changes))
    assert tree(project) == {
        "a.py": b"new a.py\n",
        "lib": None,
        "lib/deep": None,
        "lib/deep/d.py": b"new src/c.py\n",
        "new": None,
        "new/x.py": b"fresh\n",
        "src": None,
    }
    assert [(str(w.path), w.action, str(w.source or "")) for w in receipt.files] == [
        ("a.py", "updated", ""),
        ("b.py", "deleted", ""),
        ("lib/deep/d.py", "moved", "src/c.py"),
        ("new/x.py", "created", ""),
    ]
    assert all(bool(w.before) == (w.action != "created") for w in receipt.files)
    assert all(bool(w.after) == (w.action != "deleted") for w in receipt.files)


def test_mode_and_bytes_outside_the_edit_are_kept(project: Path) -> None:
    (project / "a.py").write_bytes(b"\xef\xbb\xbfcaf\xc3\xa9\r\n")
    (project / "a.py").chmod(0o751)
    workspace = Workspace(project)
    (change,) = changing(workspace, "a.py")
    assert change.before is not None
    workspace.commit(ChangeSet((Change(change.path, change.before, change.before.text + "x\r\n"),)))
    assert (project / "a.py").read_bytes() == b"\xef\xbb\xbfcaf\xc3\xa9\r\nx\r\n"
    assert stat.S_IMODE((project / "a.py").stat().st_mode) == 0o751


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(project: Path) -> None:
    os.chown(project / "a.py", 12345, 54321)
    workspace = Workspace(project)
    workspace.commit(ChangeSet(tuple(changing(workspace, "a.py"))))
    found = (project / "a.py").stat()
    assert (found.st_uid, found.st_gid) == (12345, 54321)


def test_a_new_file_gets_the_users_default_mode(project: Path) -> None:
    previous = os.umask(0o027)
    try:
        committing(project, Change(RepoPath("x.py"), None, ""))()
    finally:
        os.umask(previous)
    assert stat.S_IMODE((project / "x.py").stat().st_mode) == 0o640


def test_nothing_to_do_writes_nothing(project: Path) -> None:
    workspace = Workspace(project)
    (change,) = changing(workspace, "a.py")
    assert change.before is not None
    inode = (project / "a.py").stat().st_ino
    assert workspace.commit(ChangeSet((Change(change.path, change.before, change.before.text),))).files == ()
    assert (project / "a.py").stat().st_ino == inode


def test_many_files_in_many_directories_need_few_descriptors(project: Path) -> None:
    changes = [Change(RepoPath(f"d{n % 40}/e/f{n}.py"), None, "") for n in range(2000)]
    committing(project, *changes)()
    assert len(list(project.rglob("f*.py"))) == 2000


def test_a_file_that_changed_is_never_overwritten(project: Path) -> None:
    changes = changing(Workspace(project), "a.py", "b.py")
    (project / "b.py").write_text("somebody's work\n")
    before = tree(project)
    with pytest.raises(StaleFile, match=r"b\.py has changed"):
        committing(project, *changes)()
    assert tree(project) == before


def test_a_file_that_went_or_came_is_stale_too(project: Path) -> None:
    (a,) = changing(Workspace(project), "a.py")
    moved = Change(a.path, a.before, a.after, move_to=RepoPath("b.py"))
    with pytest.raises(StaleFile, match=r"b\.py has been created"):
        committing(project, moved)()
    with pytest.raises(StaleFile, match=r"b\.py has been created"):
        committing(project, Change(RepoPath("b.py"), None, "x"))()
    (project / "a.py").unlink()
    with pytest.raises(StaleFile, match=r"a\.py has gone"):
        committing(project, a)()


def test_a_write_protected_file_stays(project: Path) -> None:
    changes = changing(Workspace(project), "a.py")
    (project / "a.py").chmod(0o444)
    with pytest.raises(EnvironmentFailure, match="write-protected"):
        committing(project, *changes)()


def all_kinds(project: Path) -> list[Change]:
    a, b, c = changing(Workspace(project), "a.py", "b.py", "src/c.py")
    moved = Change(c.path, c.before, c.after, move_to=RepoPath("lib/deep/d.py"))
    return [a, Change(RepoPath("new/x.py"), None, "fresh\n"), Change(b.path, b.before, None), moved]


CALLS = ("open", "replace", "link", "unlink", "fsync", "mkdir", "fchmod")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_whichever_call_fails_the_project_is_as_before(
    project: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    before, real = tree(project), getattr(os, call)
    for nth in range(1, 100):
        workspace, changes, count = Workspace(project), all_kinds(project), 0

        def failing(*args: object, _nth: int = nth, **kwargs: object) -> object:
            nonlocal count
            count += 1
            if count == _nth:
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        with monkeypatch.context() as patched:
            patched.setattr(os, call, failing)
            try:
                workspace.commit(ChangeSet(tuple(changes)))
            except EnvironmentFailure:
                assert tree(project) == before
                continue
        break
    assert nth > 1
    after = {name: data for name, data in tree(project).items() if not name.startswith(".inlay-")}
    assert after.keys() == {"a.py", "lib", "lib/deep", "lib/deep/d.py", "new", "new/x.py", "src"}


def test_a_file_created_meanwhile_survives_and_all_is_taken_back(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes, real = all_kinds(project), os.replace

    def replacing(*args: object, **kwargs: object) -> None:
        (project / "new/x.py").write_text("somebody's work\n")
        real(*args, **kwargs)  # type: ignore[arg-type]

    before = tree(project)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replacing)
        with pytest.raises(StaleFile, match=r"new/x\.py has been created while"):
            committing(project, *changes)()
    assert tree(project) == {**before, "new": None, "new/x.py": b"somebody's work\n"}


def test_a_file_changed_while_staging_survives(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, real = changing(Workspace(project), "a.py", "b.py"), os.replace

    def replacing(*args: object, **kwargs: object) -> None:
        (project / "b.py").write_text("somebody's longer work\n")
        real(*args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replacing)
        with pytest.raises(StaleFile, match=r"b\.py has changed while"):
            committing(project, *changes)()
    assert (project / "a.py").read_text() == "old a.py\n"
    assert (project / "b.py").read_text() == "somebody's longer work\n"


def test_where_there_are_no_hard_links_new_files_are_renamed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    committing(project, Change(RepoPath("x.py"), None, "x\n"))()
    assert (project / "x.py").read_text() == "x\n"
    with pytest.raises(StaleFile):
        commitment._place_by_rename(os.open(project, os.O_RDONLY), "b.py", RepoPath("x.py"))


def test_what_cannot_be_put_back_is_named_and_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, real, calls = changing(Workspace(project), "a.py", "b.py"), os.replace, 0

    def failing(*args: object, **kwargs: object) -> None:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise OSError(errno.EIO, "Input/output error")
        real(*args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", failing)
        with pytest.raises(EnvironmentFailure, match=r"could not be put back: a\.py \(its old content is in") as caught:
            committing(project, *changes)()
    kept = next(project.glob(".inlay-*.tmp"))
    assert kept.name in str(caught.value)
    assert kept.read_text() == "old a.py\n"


def test_an_interrupt_between_two_renames_takes_all_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, before, real, sent = all_kinds(project), tree(project), os.replace, False

    def interrupting(*args: object, **kwargs: object) -> None:
        nonlocal sent
        real(*args, **kwargs)  # type: ignore[arg-type]
        if not sent:
            sent = True
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", interrupting)
        with pytest.raises(KeyboardInterrupt):
            committing(project, *changes)()
    assert tree(project) == before


def test_what_somebody_wrote_after_us_is_not_taken_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, real = changing(Workspace(project), "a.py", "b.py"), os.replace

    def followed(source: str, name: str, **kwargs: int) -> None:
        if name == "b.py":
            raise OSError(errno.EIO, "Input/output error")
        real(source, name, **kwargs)
        (project / "a.py").unlink()
        (project / "a.py").write_text("somebody's work\n")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", followed)
        with pytest.raises(EnvironmentFailure):
            committing(project, *changes)()
    assert tree(project)["a.py"] == b"somebody's work\n"
    assert tree(project)["b.py"] == b"old b.py\n"


def test_a_link_swapped_in_for_a_directory_is_not_followed(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "c.py").write_text("old src/c.py\n")
    changes = changing(Workspace(project), "src/c.py")
    (project / "src/c.py").unlink()
    (project / "src").rmdir()
    (project / "src").symlink_to(outside)
    with pytest.raises(InlayError):
        committing(project, *changes)()
    assert tree(outside) == {"c.py": b"old src/c.py\n"}
    with pytest.raises(InlayError):
        committing(project, Change(RepoPath("src/new.py"), None, "x"))()
    assert tree(outside) == {"c.py": b"old src/c.py\n"}


def test_creating_what_the_reply_creates(project: Path) -> None:
    snapshot = Workspace(project).resolve(Reading("x", (Create("deep/er/x.py", ""),)))
    committing(project, Change(snapshot.names["deep/er/x.py"], None, "x\n"))()
    assert (project / "deep/er/x.py").read_text() == "x\n"
