"""What a workspace opens, under which name, and what it refuses to open."""

import os
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from inlay import (
    Create,
    Delete,
    EditsRefused,
    EnvironmentFailure,
    Overwrite,
    PathTraversalError,
    Reading,
    ReplyRejected,
    RepoPath,
    Update,
    Workspace,
)


def updating(*names: str | None) -> Reading:
    return Reading("search_replace", tuple(Update(name, ()) for name in names))


def meant(root: Path, name: str) -> str:
    snapshot = Workspace(root).resolve(updating(name))
    assert snapshot.names[name] in snapshot.files
    return str(snapshot.names[name])


def refusal(root: Path, reading: Reading) -> ReplyRejected:
    with pytest.raises(ReplyRejected) as caught:
        Workspace(root).resolve(reading)
    return caught.value


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for name in ("src/app.py", "src/cart/models.py", "lib/models.py", "README.md", "docs/guide.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name}\n")
    return root


def test_a_snapshot_holds_text_encoding_digest_and_mode(project: Path) -> None:
    (project / "src/app.py").write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    (project / "src/app.py").chmod(0o755)
    file = Workspace(project).resolve(updating("src/app.py")).files[RepoPath("src/app.py")]
    assert (file.text, file.encoding.bom, file.mode) == ("x = 1\r\n", b"\xef\xbb\xbf", 0o755)
    assert len(file.digest) == 64


@pytest.mark.parametrize(
    "written",
    [
        "src/app.py",
        "./src/app.py",
        "a/src/app.py",
        "b/src/app.py",
        "shop/src/app.py",
        "path/to/src/app.py",
        "app.py",
        "made/up/app.py",
    ],
)
def test_a_wrong_prefix_still_means_the_one_file_that_ends_so(project: Path, written: str) -> None:
    assert meant(project, written) == "src/app.py"


def test_the_longest_common_ending_decides(project: Path) -> None:
    assert meant(project, "backend/cart/models.py") == "src/cart/models.py"


def test_a_name_that_exists_wins_over_every_namesake(project: Path) -> None:
    (project / "models.py").write_text("root\n")
    assert meant(project, "models.py") == "models.py"
    assert meant(project, "a/models.py") == "models.py"


def test_several_files_with_that_ending_are_all_named(project: Path) -> None:
    misfit = refusal(project, updating("models.py")).misfits[0]
    assert misfit.code == "ambiguous-path"
    assert "lib/models.py" in misfit.message
    assert "src/cart/models.py" in misfit.message


def test_a_long_list_of_candidates_is_cut(project: Path) -> None:
    for number in range(15):
        (project / f"d{number}").mkdir()
        (project / f"d{number}" / "same.py").touch()
    assert "and 5 more" in refusal(project, updating("same.py")).misfits[0].message


def test_a_missing_file_is_named_and_all_missing_ones_at_once(project: Path) -> None:
    misfits = refusal(project, updating("nowhere.py", "neither.py", "src/app.py")).misfits
    assert [(misfit.code, misfit.path) for misfit in misfits] == [("missing", "nowhere.py"), ("missing", "neither.py")]


def test_files_that_git_ignores_are_no_candidates(project: Path) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    (project / ".gitignore").write_text("build/\n")
    (project / "build").mkdir()
    (project / "build/app.py").write_text("generated\n")
    assert meant(project, "app.py") == "src/app.py"
    assert meant(project, "build/app.py") == "build/app.py"


def test_a_root_inside_a_repository_is_its_own_project(project: Path) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    assert Workspace(project / "src").files() == ("app.py", "cart/models.py")


def test_outside_git_foreign_directories_are_no_candidates(project: Path) -> None:
    for foreign in ("node_modules", ".venv", ".git"):
        (project / foreign).mkdir()
        (project / foreign / "app.py").touch()
    assert meant(project, "app.py") == "src/app.py"


def test_without_git_on_the_machine_the_directory_is_walked(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert meant(project, "app.py") == "src/app.py"


def test_the_callers_git_variables_lead_nowhere_else(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    assert "src/app.py" in Workspace(project).files()


def test_an_edit_without_a_name_is_refused(project: Path) -> None:
    assert refusal(project, updating(None)).misfits[0].code == "no-path"


# What would overwrite, create or delete proves nothing by its text, so its name must be right.


def test_a_deletion_is_never_guessed(project: Path) -> None:
    misfit = refusal(project, Reading("apply_patch", (Delete("app.py"),))).misfits[0]
    assert "the nearest is src/app.py" in misfit.message
    Workspace(project).resolve(Reading("apply_patch", (Delete("a/src/app.py"),)))


def test_a_whole_file_whose_name_may_be_short_for_another_is_refused(project: Path) -> None:
    misfit = refusal(project, Reading("whole_file", (Overwrite("guide.md", "x\n"),))).misfits[0]
    assert misfit.code == "ambiguous-path"
    assert "docs/guide.md" in misfit.message
    snapshot = Workspace(project).resolve(Reading("whole_file", (Overwrite("./guide.md", "x\n"),)))
    assert (str(snapshot.names["./guide.md"]), snapshot.files) == ("guide.md", {})


def test_a_whole_file_may_be_new_or_replace_one(project: Path) -> None:
    snapshot = Workspace(project).resolve(
        Reading("whole_file", (Overwrite("new/x.md", ""), Overwrite("README.md", ""), Overwrite("b/README.md", "")))
    )
    assert [str(path) for path in snapshot.names.values()] == ["new/x.md", "README.md", "README.md"]
    assert [str(path) for path in snapshot.files] == ["README.md"]


def test_a_new_file_is_where_the_reply_says(project: Path) -> None:
    snapshot = Workspace(project).resolve(Reading("apply_patch", (Create("app.py", ""), Update("app.py", ()))))
    assert str(snapshot.names["app.py"]) == "app.py"


def test_the_target_of_a_move_is_new(project: Path) -> None:
    snapshot = Workspace(project).resolve(Reading("apply_patch", (Update("app.py", (), move_to="src/main.py"),)))
    assert [str(path) for path in snapshot.names.values()] == ["src/app.py", "src/main.py"]


@pytest.mark.parametrize("name", ["src/App.py", "src/notes.", "README.md:x"])
def test_a_new_name_that_some_system_takes_for_another_is_refused(project: Path, name: str) -> None:
    assert refusal(project, Reading("apply_patch", (Create(name, ""),))).misfits[0].code == "path-alias"


def test_a_file_is_no_directory(project: Path) -> None:
    assert (
        refusal(project, Reading("apply_patch", (Create("README.md/x.py", ""),))).misfits[0].code == "not-a-directory"
    )


# What stands there must be a plain file of the project.


def test_names_outside_are_refused_together(project: Path) -> None:
    error = refusal(project, updating("../x.py", "/etc/passwd", ".git/config", "nowhere.py"))
    assert isinstance(error, PathTraversalError)
    assert len(error.misfits) == 4


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.txt").write_text("secret\n")
    return tmp_path / "outside"


def test_links_out_of_the_project_lead_nowhere(project: Path, outside: Path) -> None:
    (project / "out").symlink_to(outside)
    (project / "leaf.txt").symlink_to(outside / "secret.txt")
    (project / "up").symlink_to("../outside")
    (project / "loop").symlink_to("loop")
    error = refusal(project, updating("out/secret.txt", "leaf.txt", "up/secret.txt", "loop", "loop/x"))
    assert isinstance(error, PathTraversalError)
    assert [misfit.code for misfit in error.misfits] == ["path-symlink"] * 5
    assert isinstance(refusal(project, Reading("apply_patch", (Create("out/new.txt", ""),))), PathTraversalError)


def test_links_inside_the_project_mean_the_file_they_lead_to(project: Path) -> None:
    (project / "alias.py").symlink_to("src/app.py")
    (project / "lib2").symlink_to("lib")
    (project / "src/up").symlink_to("../docs")
    assert meant(project, "alias.py") == "src/app.py"
    assert meant(project, "lib2/models.py") == "lib/models.py"
    assert meant(project, "src/up/guide.md") == "docs/guide.md"
    created = Workspace(project).resolve(Reading("apply_patch", (Create("lib2/new.py", ""),)))
    assert str(created.names["lib2/new.py"]) == "lib/new.py"


def test_a_link_is_no_place_for_a_new_file_and_is_not_deleted_through(project: Path) -> None:
    (project / "alias.py").symlink_to("src/app.py")
    (project / "nowhere.py").symlink_to("src/none.py")
    for part in (Delete("alias.py"), Create("nowhere.py", ""), Overwrite("nowhere.py", "")):
        assert refusal(project, Reading("apply_patch", (part,))).misfits[0].code == "path-symlink"


def test_a_link_to_a_guarded_file_is_as_guarded(project: Path) -> None:
    (project / ".git/hooks").mkdir(parents=True)
    (project / ".git/config").touch()
    (project / ".env").touch()
    for name, target in (("cfg", ".git/config"), ("hooks", ".git/hooks"), ("settings", ".env")):
        (project / name).symlink_to(target)
    error = refusal(project, Reading("apply_patch", (Update("cfg", ()), Create("hooks/x", ""), Update("settings", ()))))
    assert [misfit.code for misfit in error.misfits] == ["path-protected"] * 3


def test_the_root_itself_may_be_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project)
    assert meant(tmp_path / "link", "shop/src/app.py") == "src/app.py"


@pytest.fixture
def listening(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.chdir(project)  # the name of a socket is short
    server = socket.socket(socket.AF_UNIX)
    server.bind("sock")
    yield "sock"
    server.close()


@pytest.mark.usefixtures("listening")
def test_special_files_are_refused_without_waiting(project: Path) -> None:
    os.mkfifo(project / "fifo")
    error = refusal(project, updating("fifo", "sock"))
    assert [misfit.code for misfit in error.misfits] == ["special-file"] * 2
    assert "a FIFO" in error.misfits[0].message
    assert "a socket" in error.misfits[1].message


def test_a_directory_is_no_file(project: Path) -> None:
    assert refusal(project, updating("src")).misfits[0].code == "directory"
    assert refusal(project, Reading("apply_patch", (Create("src", ""),))).misfits[0].code == "directory"


def test_a_hard_link_is_refused(project: Path, outside: Path) -> None:
    os.link(outside / "secret.txt", project / "hard.txt")
    assert refusal(project, updating("hard.txt")).misfits[0].code == "hard-link"


def test_a_binary_file_is_refused(project: Path) -> None:
    (project / "logo.png").write_bytes(b"\x89PNG\0\0")
    assert refusal(project, updating("logo.png")).misfits[0].code == "binary"


def test_legacy_and_utf16_bytes_are_text(project: Path) -> None:
    (project / "latin.txt").write_bytes(b"caf\xe9\n")
    (project / "wide.txt").write_bytes("\ufeffhi\n".encode("utf-16-le"))
    files = Workspace(project).resolve(updating("latin.txt", "wide.txt")).files
    assert files[RepoPath("latin.txt")].encoding.legacy
    assert files[RepoPath("wide.txt")].text == "hi\n"


def test_a_file_beyond_all_reason_is_refused(project: Path) -> None:
    with (project / "huge.txt").open("wb") as stream:
        stream.truncate(2 << 30)
    assert refusal(project, updating("huge.txt")).misfits[0].code == "too-large"


def test_fifty_megabytes_are_read(project: Path) -> None:
    (project / "big.txt").write_bytes(b"0123456789abcdef\n" * (50_000_000 // 17))
    assert len(Workspace(project).resolve(updating("big.txt")).files[RepoPath("big.txt")].text) > 49_000_000


def test_a_name_too_long_for_the_disk_is_refused(project: Path) -> None:
    assert refusal(project, updating("n" * 300)).misfits[0].code == "path-too-long"
    assert refusal(project, updating("n" * 300 + "/x")).misfits[0].code == "path-too-long"


def test_an_unreadable_file_is_the_environments_fault(
    project: Path, powerless: Callable[[Path], AbstractContextManager[None]]
) -> None:
    (project / "README.md").chmod(0)
    with powerless(project), pytest.raises(EnvironmentFailure, match=r"README\.md: permission denied"):
        Workspace(project).resolve(updating("README.md"))


def test_an_error_of_the_disk_is_the_environments_fault(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*args: object, **kwargs: object) -> int:
        raise PermissionError(13, "Permission denied")

    workspace = Workspace(project)
    monkeypatch.setattr(os, "open", failing)
    for call in (lambda: workspace.read(RepoPath("README.md")), lambda: workspace.resolve(updating("src/app.py"))):
        with pytest.raises(EnvironmentFailure, match="permission denied"):
            call()
    with pytest.raises(EnvironmentFailure, match="permission denied"):
        Workspace(project)


def test_a_directory_that_cannot_be_listed_is_the_environments_fault(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(directory: int) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", failing)
    with pytest.raises(EnvironmentFailure, match="permission denied"):
        Workspace(project).resolve(Reading("apply_patch", (Create("new.py", ""),)))


def test_a_root_must_be_a_directory(project: Path) -> None:
    with pytest.raises(EnvironmentFailure, match="there is no directory"):
        Workspace(project / "nope")
    with pytest.raises(EnvironmentFailure, match="is not a directory"):
        Workspace(project / "README.md")


def test_a_link_swapped_in_after_the_first_look_is_not_followed(
    project: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.stat

    def swapping(path: str, **kwargs: object) -> os.stat_result:
        found = real(path, **kwargs)  # type: ignore[arg-type]
        if path == "README.md" and stat.S_ISREG(found.st_mode):
            (project / "README.md").unlink()
            (project / "README.md").symlink_to(outside / "secret.txt")
        return found

    monkeypatch.setattr(os, "stat", swapping)
    with pytest.raises(EnvironmentFailure, match=r"README\.md"):
        Workspace(project).read(RepoPath("README.md"))


def test_search_names_the_other_files_that_hold_a_block(project: Path) -> None:
    (project / "src/app.py").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    (project / "image.png").write_bytes(b"\0one\ntwo\n")
    (project / "link").symlink_to("src/app.py")
    workspace = Workspace(project)
    assert workspace.search(["one\ntwo", "ne\ntwo"]) == {"one\ntwo": [RepoPath("src/app.py")], "ne\ntwo": []}


def test_search_passes_over_names_that_no_reply_may_use(project: Path) -> None:
    (project / "odd\u200bname.py").write_text("one\ntwo\n")
    assert Workspace(project).search(["one\ntwo"]) == {"one\ntwo": []}


def test_search_gives_up_on_large_projects(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inlay.storage.project_files._MOST_SEARCHED", 10)
    assert Workspace(project).search(["src/app.py"]) == {}


def test_search_gives_up_when_it_takes_long(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inlay.storage.project_files._LONGEST_SEARCH", -1.0)
    assert Workspace(project).search(["src/app.py"]) == {}


def test_a_workspace_says_where_it_is(project: Path) -> None:
    assert repr(Workspace(project)) == f"Workspace('{project}')"


def test_edits_refused_is_what_a_name_problem_raises(project: Path) -> None:
    assert isinstance(refusal(project, updating("nowhere.py")), EditsRefused)
