"""From anywhere inside a project every command means the same one, and names mean what a person at that place means."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from inlay.storage.paths import project_root

from .conftest import Run

A, B = "packages/a/src/index.ts", "packages/b/src/index.ts"


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def monorepo(tmp_path: Path) -> Path:
    root = tmp_path / "mono"
    for name in ("a", "b"):
        (root / f"packages/{name}/src").mkdir(parents=True)
        (root / f"packages/{name}/src/index.ts").write_text(f"const name = '{name}';\nexport default 1;\n")
    (root / "packages/a/only.ts").write_text("export const only = 1;\n")
    (root / "tool.py").write_text("top = 1\n")
    (root / "packages/b/tool.py").write_text("below = 1\n")
    git(tmp_path, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "begin")
    return root


def edit(name: str, old: str, new: str) -> str:
    return f"{name}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def states(root: Path) -> list[str]:
    return sorted(str(path.parent.relative_to(root)) for path in root.rglob(".inlay") if path.is_dir())


def applied(run: Run, folder: Path, reply: str, *options: str) -> dict[str, object]:
    os.chdir(folder)
    done = run("apply", "--json", *options, stdin=reply)
    said: dict[str, object] = json.loads(done.out)
    return {**said, "exit": done.code}


def test_from_one_package_the_file_of_another_is_edited(run: Run, monorepo: Path) -> None:
    said = applied(run, monorepo / "packages/b", edit(A, "export default 1;", "export default 2;"))
    assert said["exit"] == 0
    assert (monorepo / A).read_text().endswith("export default 2;\n")
    assert (monorepo / B).read_text().endswith("export default 1;\n")
    assert [(file["path"], file["adapted"]) for file in said["files"]] == [(A, [])]  # type: ignore[attr-defined]
    assert states(monorepo) == ["."]


def test_a_name_relative_to_the_current_directory_is_announced(run: Run, monorepo: Path) -> None:
    os.chdir(monorepo / "packages/b")
    done = run("apply", stdin=edit("src/index.ts", "export default 1;", "export default 2;"))
    assert done.code == 0, done.err
    assert (monorepo / B).read_text().endswith("export default 2;\n")
    assert f"    src/index.ts read as {B}\n" in done.out
    said = applied(run, monorepo / "packages/b", edit("src/index.ts", "export default 2;", "export default 3;"))
    assert said["files"][0]["adapted"] == [f"src/index.ts read as {B}"]  # type: ignore[index]


def test_a_guessed_name_is_announced_too(run: Run, monorepo: Path) -> None:
    said = applied(run, monorepo, edit("lib/only.ts", "export const only = 1;", "export const only = 2;"))
    assert said["files"][0]["adapted"] == ["lib/only.ts read as packages/a/only.ts"]  # type: ignore[index]


def test_a_name_that_is_two_files_is_refused_naming_both(run: Run, monorepo: Path) -> None:
    for reply in (edit("tool.py", "top = 1", "top = 2"), "tool.py\n```python\nx = 1\n```\n"):
        said = applied(run, monorepo / "packages/b", reply)
        assert (said["exit"], said["misfits"][0]["code"]) == (3, "ambiguous-path")  # type: ignore[index]
        assert "tool.py at the root of the project or packages/b/tool.py" in str(said["message"])
    assert (monorepo / "tool.py").read_text() == "top = 1\n"
    assert applied(run, monorepo, edit("tool.py", "top = 1", "top = 2"))["exit"] == 0
    absolute = str(monorepo / "tool.py")
    assert applied(run, monorepo / "packages/b", edit(absolute, "top = 2", "top = 3"))["exit"] == 0
    assert (monorepo / "tool.py").read_text() == "top = 3\n"


def test_the_other_names_of_a_reply_tell_which_of_two_is_meant(run: Run, monorepo: Path) -> None:
    here = edit("src/index.ts", "export default 1;", "export default 2;") + edit("tool.py", "below = 1", "below = 2")
    assert applied(run, monorepo / "packages/b", here)["exit"] == 0
    assert (monorepo / "packages/b/tool.py").read_text() == "below = 2\n"
    top = edit(A, "export default 1;", "export default 2;") + edit("tool.py", "top = 1", "top = 2")
    assert applied(run, monorepo / "packages/b", top)["exit"] == 0
    assert (monorepo / "tool.py").read_text() == "top = 2\n"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("src/new.ts", "packages/b/src/new.ts"),
        ("packages/a/new.ts", "packages/a/new.ts"),
        ("packages/c/new.ts", "packages/c/new.ts"),
        ("new.ts", None),
        ("lib/new.ts", None),
    ],
)
def test_a_new_file_comes_where_its_directory_is(run: Run, monorepo: Path, name: str, path: str | None) -> None:
    said = applied(run, monorepo / "packages/b", f"{name}\n```ts\nexport const x = 1;\n```\n")
    found = [str(file.relative_to(monorepo)) for file in monorepo.rglob("new.ts")]
    assert found == ([path] if path else [])
    if path is None:
        assert (said["exit"], said["misfits"][0]["code"]) == (3, "ambiguous-path")  # type: ignore[index]
    elif path != name:
        assert said["files"][0]["adapted"] == [f"{name} read as {path}"]  # type: ignore[index]


def test_a_new_file_comes_where_the_edited_files_are(run: Run, monorepo: Path) -> None:
    reply = edit("src/index.ts", "export default 1;", "export default 2;") + "new.ts\n```ts\nexport const x = 1;\n```\n"
    assert applied(run, monorepo / "packages/b", reply)["exit"] == 0
    assert (monorepo / "packages/b/new.ts").exists()
    assert not (monorepo / "new.ts").exists()


def test_a_refusal_says_which_file_was_searched(run: Run, monorepo: Path) -> None:
    os.chdir(monorepo / "packages/b")
    done = run("apply", stdin=edit("src/index.ts", "nothing like it;", "x"))
    assert done.code == 3
    assert f"(src/index.ts read as {B})" in done.err


def test_arguments_are_relative_to_the_current_directory(run: Run, monorepo: Path) -> None:
    os.chdir(monorepo / "packages/b")
    assert run("write", "notes.txt", "hello").code == 0
    assert (monorepo / "packages/b/notes.txt").read_text() == "hello"
    assert run("write", "../a/notes.txt", "hello").code == 0
    assert (monorepo / "packages/a/notes.txt").exists()
    assert run("write", str(monorepo / "packages/a/more.txt"), "hello").code == 0
    nameless = edit("", "below = 1", "below = 2").lstrip()
    assert run("apply", "--file", "tool.py", stdin=nameless).code == 0
    assert (monorepo / "packages/b/tool.py").read_text() == "below = 2\n"
    assert "below = 2" in run("prompt", "edit", "--file", "tool.py", "-m", "x").out
    assert run("write", "../../../outside.txt", "x").code == 3
    assert run("write", "-C", ".", "here.txt", "x").code == 0
    assert states(monorepo) == [".", "packages/b"]  # the last one was asked for


def test_history_undo_show_and_settings_are_those_of_the_project(run: Run, monorepo: Path) -> None:
    (monorepo / ".inlay.toml").write_text("threshold = 7\n")
    assert run("write", "-C", str(monorepo), "x.txt", "one").code == 0
    os.chdir(monorepo / "packages/a/src")
    assert "x.txt" in run("show", "1").out
    assert len(json.loads(run("history", "--json").out)) == 1
    assert run("config", "threshold").out.count("7")
    assert run("undo").code == 0
    assert not (monorepo / "x.txt").exists()
    assert run("redo").code == 0
    for command in (("log", "--verify"), ("gc",), ("recover",), ("stats",), ("runs",), ("approve",)):
        assert run(*command).code == 0, command
    assert states(monorepo) == ["."]


def test_a_directory_with_a_history_of_its_own_is_mentioned(run: Run, monorepo: Path) -> None:
    below = monorepo / "packages/b"
    assert run("write", "-C", str(below), "old.txt", "x").code == 0
    os.chdir(below / "src")
    done = run("history")
    assert f"note: {below} has an .inlay of its own" in done.err
    assert f"inlay history -C {below}" in done.err
    assert "note:" not in run("history", "--json").err
    assert run("apply", "-q", "--dry-run", stdin=edit("index.ts", "export default 1;", "2;")).err == ""
    assert run("undo", "-C", str(below)).code == 0
    assert not (below / "old.txt").exists()


def test_a_linked_worktree_and_a_submodule_are_projects(run: Run, monorepo: Path, tmp_path: Path) -> None:
    git(monorepo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    assert applied(run, tmp_path / "side/packages/b", edit(A, "export default 1;", "export default 2;"))["exit"] == 0
    assert (tmp_path / "side" / A).read_text().endswith("2;\n")
    assert (monorepo / A).read_text().endswith("1;\n")
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    git(other, "submodule", "add", "-q", str(monorepo), "vendor/mono")
    assert applied(run, other / "vendor/mono/packages", edit("tool.py", "top = 1", "top = 2"))["exit"] == 0
    assert states(other) == ["vendor/mono"]
    assert states(tmp_path / "side") == ["."]


def test_a_repository_inside_another_is_its_own_project(run: Run, monorepo: Path) -> None:
    inner = monorepo / "vendor/inner"
    (inner / "src").mkdir(parents=True)
    (inner / "src/x.py").write_text("x = 1\n")
    git(inner, "init", "-q")
    assert applied(run, inner / "src", edit("src/x.py", "x = 1", "x = 2"))["exit"] == 0
    said = applied(run, inner / "src", edit(str(monorepo / "tool.py"), "top = 1", "top = 2"))
    assert (said["exit"], said["misfits"][0]["code"]) == (3, "path-outside")  # type: ignore[index]
    assert states(monorepo) == ["vendor/inner"]


@pytest.mark.parametrize("kind", ["link", "file", "empty"])
def test_whatever_dot_git_is_it_only_marks_the_top(run: Run, tmp_path: Path, kind: str) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer/inner"
    (inner / "src").mkdir(parents=True)
    (outer / ".git").mkdir()
    if kind == "link":
        (inner / ".git").symlink_to("/etc")
    elif kind == "file":
        (inner / ".git").write_text("gitdir: /etc\n")
    else:
        (inner / ".git").mkdir()
    (inner / "src/x.py").write_text("x = 1\n")
    assert applied(run, inner / "src", edit("src/x.py", "x = 1", "x = 2"))["exit"] == 0
    assert states(tmp_path) == ["outer/inner"]


def test_without_git_the_nearest_history_counts_and_else_the_current_directory(run: Run, tmp_path: Path) -> None:
    below = tmp_path / "plain/deep/er"
    below.mkdir(parents=True)
    (below / "x.py").write_text("x = 1\n")
    assert applied(run, below, edit("x.py", "x = 1", "x = 2"))["exit"] == 0
    assert states(tmp_path) == ["plain/deep/er"]
    assert run("write", "-C", str(tmp_path / "plain"), "note.txt", "x").code == 0
    (tmp_path / "plain/other").mkdir()
    os.chdir(tmp_path / "plain/other")
    assert run("write", "new.txt", "x").code == 0
    assert (tmp_path / "plain/other/new.txt").exists()
    assert states(tmp_path) == ["plain", "plain/deep/er"]


def test_a_bare_repository_belongs_to_no_working_tree(monorepo: Path) -> None:
    bare = monorepo / "mirrors/mono.git"
    git(monorepo, "clone", "-q", "--bare", str(monorepo), str(bare))
    assert project_root.find(str(bare)).path == str(bare)
    assert project_root.find(str(bare / "refs")).path == str(bare / "refs")
    assert project_root.find(str(monorepo / ".git/refs")) == project_root.ProjectRoot(str(monorepo), ".git/refs")


def test_a_link_to_a_directory_of_the_project_leads_to_the_project(
    run: Run, monorepo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short").symlink_to(monorepo / "packages/b")
    (tmp_path / "all").symlink_to(monorepo)
    monkeypatch.setenv("PWD", str(tmp_path / "short"))
    assert applied(run, tmp_path / "short", edit(A, "export default 1;", "export default 2;"))["exit"] == 0
    assert run("write", str(tmp_path / "short/typed.txt"), "x").code == 0
    assert (monorepo / "packages/b/typed.txt").exists()
    monkeypatch.setenv("PWD", str(tmp_path / "all/packages/b"))
    assert project_root.find().path == str(tmp_path / "all")
    through = str(tmp_path / "all/tool.py")
    assert applied(run, tmp_path / "all/packages/b", edit(through, "top = 1", "top = 2"))["exit"] == 0
    assert (monorepo / "tool.py").read_text() == "top = 2\n"
    assert states(monorepo) == ["."]
    monkeypatch.setenv("PWD", "/etc")
    assert project_root.find().path == str(monorepo)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory to somebody else")
def test_somebody_elses_directory_above_decides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, mine = tmp_path / "theirs", tmp_path / "theirs/mine/sub"
    mine.mkdir(parents=True)
    (theirs / ".git").mkdir()
    assert project_root.find(str(mine)).path == str(theirs)
    os.chown(theirs / ".git", 12345, 12345)
    monkeypatch.setattr(os, "geteuid", lambda: 23456)
    assert project_root.find(str(mine)).path == str(mine)
    os.chown(theirs, 12345, 12345)
    assert project_root.find(str(mine)).path == str(mine)
    (mine.parent / ".git").mkdir()
    assert project_root.find(str(mine)).path == str(mine.parent)


def test_a_current_directory_that_is_gone_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    done = run("history")
    assert done.code == 5
    assert "cannot be entered" in done.err


def test_a_wrong_name_is_not_confirmed_by_the_new_text(run: Run, monorepo: Path) -> None:
    (monorepo / "packages/a/only.ts").write_text("export const only = 2;\n")
    said = applied(run, monorepo, edit("lib/only.ts", "export const only = 1;", "export const only = 2;"))
    assert (said["exit"], said["misfits"][0]["code"]) == (3, "missing")  # type: ignore[index]
    assert "packages/a/only.ts" in str(said["message"])
    right = applied(run, monorepo, edit("packages/a/only.ts", "export const only = 1;", "export const only = 2;"))
    assert right["status"] == "unchanged"


@pytest.mark.parametrize(
    "diff",
    [
        "diff --git a/lib/only.ts b/lib/go.ts\nsimilarity index 100%\nrename from lib/only.ts\nrename to lib/go.ts\n",
        "diff --git a/lib/only.ts b/lib/only.ts\nold mode 100644\nnew mode 100755\n",
        "--- a/lib/only.ts\n+++ b/lib/only.ts\n@@ -1,0 +2 @@\n+added();\n",
    ],
)
def test_a_wrong_name_is_not_confirmed_by_nothing(run: Run, monorepo: Path, diff: str) -> None:
    said = applied(run, monorepo, diff)
    assert said["exit"] == 3, said
    assert (monorepo / "packages/a/only.ts").read_text() == "export const only = 1;\n"
