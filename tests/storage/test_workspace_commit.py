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
from inlay.storage.paths.file_metadata import Meta
from inlay.storage.state import syscalls


def tree(root: Path) -> dict[str, bytes | None]:
    """Every name below the root with its bytes, so that a left-over of any kind shows."""
    found = {str(p.relative_to(root)): None if p.is_dir() else p.read_bytes() for p in sorted(root.rglob("*"))}
    assert not any(name.startswith(".inlay/pending/") for name in found)
    return {name: data for name, data in found.items() if not name.startswith(".inlay")}


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


def test_the_owner_is_kept(project: Path) -> None:
    owner = (12345, 54321) if os.geteuid() == 0 else (os.getuid(), os.getgid())  # only root may give files away
    os.chown(project / "a.py", *owner)
    workspace = Workspace(project)
    workspace.commit(ChangeSet(tuple(changing(workspace, "a.py"))))
    found = (project / "a.py").stat()
    assert (found.st_uid, found.st_gid) == owner


def test_a_new_file_gets_the_users_default_mode(project: Path) -> None:
    previous = os.umask(0o027)
    try:
        committing(project, Change(RepoPath("x.py"), None, ""))()
    finally:
        os.umask(previous)
    assert stat.S_IMODE((project / "x.py").stat().st_mode) == 0o640


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_mode_is_written_undone_and_redone(project: Path) -> None:
    workspace = Workspace(project)
    (project / "a.py").chmod(0o640)
    (project / "b.py").chmod(0o751)
    a, b, c = changing(workspace, "a.py", "b.py", "src/c.py")
    assert a.before is not None
    changes = (
        Change(a.path, a.before, a.before.text, executable=True),
        Change(b.path, b.before, b.after, executable=False),
        Change(c.path, c.before, c.after, move_to=RepoPath("d.py"), executable=True),
        Change(RepoPath("x.sh"), None, "x\n", executable=True),
    )
    mask = os.umask(0o027)
    try:
        workspace.commit(ChangeSet(changes))
    finally:
        os.umask(mask)
    after = {"a.py": 0o750, "b.py": 0o640, "d.py": 0o755, "x.sh": 0o750}
    assert {name: mode(project / name) for name in after} == after
    workspace.undo()
    before = {"a.py": 0o640, "b.py": 0o751, "src/c.py": 0o644}
    assert {name: mode(project / name) for name in before} == before
    workspace.redo()
    assert {name: mode(project / name) for name in after} == after


def test_a_mode_that_the_file_has_is_nothing_to_do(project: Path) -> None:
    workspace = Workspace(project)
    (project / "a.py").chmod(0o755)
    (a,) = changing(workspace, "a.py")
    assert a.before is not None
    assert workspace.commit(ChangeSet((Change(a.path, a.before, a.before.text, executable=True),))).files == ()


@pytest.mark.parametrize("fixture", ["project", "no_renameat2"])
def test_a_mode_is_taken_back_when_a_later_file_fails(
    project: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, fixture: str
) -> None:
    request.getfixturevalue(fixture)
    workspace = Workspace(project)
    a, b = changing(workspace, "a.py", "b.py")
    assert a.before is not None
    seen: list[str] = []
    modes: list[int] = []

    def hook(call: str) -> None:
        seen.append(call)
        if seen.count("exchange") == 2:
            modes.append(mode(project / "a.py"))
            monkeypatch.setattr(syscalls, "before", lambda _: None)
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(syscalls, "before", hook)
    with pytest.raises(EnvironmentFailure):
        workspace.commit(ChangeSet((Change(a.path, a.before, a.before.text, executable=True), b)))
    assert (modes, mode(project / "a.py")) == ([0o755], 0o644)
    assert tree(project) == {"a.py": b"old a.py\n", "b.py": b"old b.py\n", "src": None, "src/c.py": b"old src/c.py\n"}


def test_nothing_to_do_writes_nothing(project: Path) -> None:
    workspace = Workspace(project)
    (change,) = changing(workspace, "a.py")
    assert change.before is not None
    inode = (project / "a.py").stat().st_ino
    assert workspace.commit(ChangeSet((Change(change.path, change.before, change.before.text),))).files == ()
    assert (project / "a.py").stat().st_ino == inode


@pytest.mark.slow
def test_many_files_in_many_directories_need_few_descriptors(project: Path) -> None:
    changes = [Change(RepoPath(f"d{n % 40}/e/f{n}.py"), None, "") for n in range(2000)]
    committing(project, *changes)()
    assert len(list(project.rglob("f*.py"))) == 2000


def test_a_file_that_changed_is_never_overwritten(project: Path) -> None:
    changes = changing(Workspace(project), "a.py", "b.py")
    (project / "b.py").write_text("somebody's work\n")
    before = tree(project)
    with pytest.raises(StaleFile, match=r"b\.py changed"):
        committing(project, *changes)()
    assert tree(project) == before


def test_a_file_that_went_or_came_is_stale_too(project: Path) -> None:
    (a,) = changing(Workspace(project), "a.py")
    moved = Change(a.path, a.before, a.after, move_to=RepoPath("b.py"))
    with pytest.raises(StaleFile, match=r"b\.py was created"):
        committing(project, moved)()
    with pytest.raises(StaleFile, match=r"b\.py was created"):
        committing(project, Change(RepoPath("b.py"), None, "x"))()
    (project / "a.py").unlink()
    with pytest.raises(StaleFile, match=r"a\.py was removed"):
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


def once(call: str, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Do something at the first call of a name."""
    done: list[str] = []

    def hook(name: str) -> None:
        if name == call and not done:
            done.append(name)
            act()

    monkeypatch.setattr(syscalls, "before", hook)


def test_a_file_created_meanwhile_survives_and_all_is_taken_back(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(project)
    once("rename_new", lambda: (project / "new/x.py").write_text("somebody's work\n"), monkeypatch)
    with pytest.raises(StaleFile, match=r"new/x\.py was created while"):
        committing(project, *all_kinds(project))()
    assert tree(project) == {**before, "new": None, "new/x.py": b"somebody's work\n"}


@pytest.mark.parametrize("call", ["exchange", "rename_new"])
def test_a_file_changed_in_the_last_moment_survives(project: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    a, b = changing(Workspace(project), "a.py", "b.py")
    changes = [a, b] if call == "exchange" else [a, Change(b.path, b.before, None)]
    once(call, lambda: (project / "b.py").write_text("somebody's longer work\n"), monkeypatch)
    with pytest.raises(StaleFile, match=r"b\.py changed while"):
        committing(project, *changes)()
    assert tree(project)["a.py"] == b"old a.py\n"
    assert tree(project)["b.py"] == b"somebody's longer work\n"


@pytest.mark.parametrize("call", ["exchange", "rename_new"])
def test_a_file_that_goes_in_the_last_moment_is_a_conflict(
    project: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    (b,) = changing(Workspace(project), "b.py")
    once(call, (project / "b.py").unlink, monkeypatch)
    with pytest.raises(StaleFile, match=r"b\.py changed while"):
        committing(project, b if call == "exchange" else Change(b.path, b.before, None))()


def test_a_file_that_somebody_has_open_for_writing_is_a_conflict(project: Path) -> None:
    changes = changing(Workspace(project), "a.py")
    with (project / "a.py").open("r+") as stream:
        with pytest.raises(StaleFile, match=r"a\.py changed while"):
            committing(project, *changes)()
        stream.write("late")
    assert (project / "a.py").read_text().startswith("late")


@pytest.mark.parametrize("kind", ["fifo", "link", "directory"])
def test_whatever_is_put_in_a_files_place_comes_back(project: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    target = project / "a.py"
    put = {"fifo": lambda: os.mkfifo(target), "link": lambda: target.symlink_to("b.py"), "directory": target.mkdir}
    changes = changing(Workspace(project), "a.py")

    def swap() -> None:
        target.unlink()
        put[kind]()

    once("exchange", swap, monkeypatch)
    with pytest.raises(StaleFile):
        committing(project, *changes)()
    assert {"fifo": target.is_fifo, "link": target.is_symlink, "directory": target.is_dir}[kind]()


def test_what_somebody_wrote_after_us_is_left_and_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = changing(Workspace(project), "a.py", "b.py")
    seen: list[str] = []

    def hook(call: str) -> None:
        seen.append(call)
        if seen.count("exchange") == 2:
            monkeypatch.setattr(syscalls, "before", seen.append)
            (project / "a.py").write_text("somebody's work\n")
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(syscalls, "before", hook)
    with pytest.raises(EnvironmentFailure, match=r"input/output error.*another program wrote to a\.py.*\.inlay/kept-1"):
        committing(project, *changes)()
    assert tree(project)["a.py"] == b"somebody's work\n"
    assert tree(project)["b.py"] == b"old b.py\n"
    kept = {path.read_bytes() for path in (project / ".inlay/kept-1").glob("*.file")}
    assert b"old a.py\n" in kept


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_between_two_names_takes_all_back(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def leave(*_: object) -> None:
        raise SystemExit(143)

    held = signal.signal(signal.SIGTERM, leave)
    changes, before = all_kinds(project), tree(project)
    once("rename_new", lambda: os.kill(os.getpid(), number), monkeypatch)
    try:
        with pytest.raises(KeyboardInterrupt if number == signal.SIGINT else SystemExit):
            committing(project, *changes)()
    finally:
        signal.signal(signal.SIGTERM, held)
    assert tree(project) == before


def test_an_interrupt_while_staging_leaves_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, before = all_kinds(project), tree(project)
    once("fsync", lambda: os.kill(os.getpid(), signal.SIGINT), monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        committing(project, *changes)()
    assert tree(project) == before


# Where the system cannot do in one step what it should.


@pytest.fixture
def no_renameat2(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*args: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(syscalls, "_renameat2", unsupported)


@pytest.mark.usefixtures("no_renameat2")
def test_without_an_exchange_everything_lands_and_says_so(project: Path) -> None:
    workspace = Workspace(project)
    receipt = workspace.commit(ChangeSet(tuple(all_kinds(project))))
    assert "cannot swap two files in one step" in receipt.notes[0]
    assert tree(project).keys() == {"a.py", "lib", "lib/deep", "lib/deep/d.py", "new", "new/x.py", "src"}
    workspace.undo()
    assert tree(project)["b.py"] == b"old b.py\n"


@pytest.mark.usefixtures("no_renameat2")
def test_without_an_exchange_a_failure_is_taken_back_from_the_backup(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "a.py").chmod(0o700)
    changes, before = changing(Workspace(project), "a.py", "b.py"), tree(project)
    seen: list[str] = []

    def hook(call: str) -> None:
        seen.append(call)
        if seen.count("exchange") == 2:
            monkeypatch.setattr(syscalls, "before", seen.append)
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(syscalls, "before", hook)
    with pytest.raises(EnvironmentFailure):
        committing(project, *changes)()
    assert tree(project) == before
    assert stat.S_IMODE((project / "a.py").stat().st_mode) == 0o700


@pytest.mark.usefixtures("no_renameat2")
def test_without_an_exchange_a_changed_file_is_a_conflict_too(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = changing(Workspace(project), "a.py")
    once("exchange", lambda: (project / "a.py").write_text("somebody's work\n"), monkeypatch)
    with pytest.raises(StaleFile):
        committing(project, *changes)()
    assert tree(project)["a.py"] == b"somebody's work\n"


# What belongs to a file besides its bytes.


def test_extended_attributes_are_kept(project: Path) -> None:
    try:
        os.setxattr(project / "a.py", "user.origin", b"somewhere")
    except OSError:
        (project / "a.py").touch()  # this file system has none; then there is nothing to lose
    before = {name: os.getxattr(project / "a.py", name) for name in os.listxattr(project / "a.py")}
    workspace = Workspace(project)
    (a,) = changing(workspace, "a.py")
    workspace.commit(ChangeSet((Change(a.path, a.before, a.after, move_to=RepoPath("moved.py")),)))
    assert {name: os.getxattr(project / "moved.py", name) for name in os.listxattr(project / "moved.py")} == before
    workspace.undo()
    assert {name: os.getxattr(project / "a.py", name) for name in os.listxattr(project / "a.py")} == before


def test_a_new_file_takes_the_group_that_its_directory_hands_down(project: Path) -> None:
    group = 4242 if os.geteuid() == 0 else os.getegid()
    os.chown(project / "src", -1, group)
    (project / "src").chmod(0o2755)
    committing(project, Change(RepoPath("src/x.py"), None, ""))()
    assert (project / "src/x.py").stat().st_gid == group


def test_an_owner_that_cannot_be_kept_is_a_refusal(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def foreign(descriptor: int) -> Meta:
        return Meta(0o644, os.geteuid() + 1, os.getegid(), {})

    def failing(*args: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    changes, before = changing(Workspace(project), "a.py"), tree(project)
    monkeypatch.setattr("inlay.storage.paths.file_metadata.of", foreign)
    monkeypatch.setattr(syscalls, "set_owner", failing)
    with pytest.raises(EnvironmentFailure, match=r"a\.py belongs to another user"):
        committing(project, *changes)()
    assert tree(project) == before


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
