"""Replays of whole commits: git's own trees decide, and what a diff cannot say is counted apart."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bench import replay
from bench.commits import Touched, files_in, git, project, sampled, series, touched
from bench.replay import FORMS, Replayed, applied, difference, shortfalls


def committed(root: Path, files: dict[str, bytes | None]) -> str:
    for name, content in files.items():
        if content is None:
            (root / name).unlink()
        else:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_bytes(content)
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.com")
    for words in (("add", "-A"), (*identity, "commit", "-q", "-m", "state")):
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)
    return git(root, "rev-parse", "HEAD").decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "sample" / "repo"
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    committed(root, {"a.py": b"".join(b"value_%d = %d\n" % (n, n) for n in range(30)), "b.txt": b"one\ntwo\n"})
    return root


def test_a_commit_is_equal_in_every_form(repository: Path) -> None:
    lines = [b"value_%d = %d\n" % (n, n) for n in range(30)]
    lines[4] = b"value_4 = changed()\n"
    lines[20:20] = [b"added = 1\n"]
    commit = committed(repository, {"a.py": b"".join(lines), "b.txt": None, "new/c.txt": b"three\n"})
    forms = [form for form in FORMS if form not in ("log -p -3", "format-patch")]
    done = list(replay.replay(repository, commit, forms))
    assert [(one.form, one.outcome) for one in done] == [(form, "equal") for form in forms]


def test_the_project_has_the_old_files_with_their_modes(repository: Path) -> None:
    os.chmod(repository / "b.txt", 0o755)
    commit = committed(repository, {"a.py": b"x = 1\n"})
    files = touched(repository, f"{commit}^", commit)
    assert files
    assert files.special == "mode"
    with project(repository, files.after) as root:
        assert files_in(root) == files.after
        assert files.after["b.txt"] == ("100755", b"one\ntwo\n")
        assert git(root, "cat-file", "-t", commit) == b"commit\n"


@pytest.mark.parametrize("content", [b"\0\1\2", b"x" * 10 + b"\0"])
def test_binary_files_are_counted_apart(repository: Path, content: bytes) -> None:
    commit = committed(repository, {"data.bin": content})
    files = touched(repository, f"{commit}^", commit)
    assert files
    assert files.special == "binary"


def test_another_tree_than_gits_is_wrong(repository: Path) -> None:
    commit = committed(repository, {"b.txt": b"one\nTWO\n"})
    files = touched(repository, f"{commit}^", commit)
    assert files
    reply = FORMS["diff -U3"](repository, f"{commit}^", commit)
    assert applied(repository, reply, files) == ("equal", "")
    other = Touched(files.before, {"b.txt": ("100644", b"one\nthree\n")})
    assert applied(repository, reply, other) == ("WRONG", "b.txt: content")


def test_the_difference_names_the_first_path() -> None:
    one, two = ("100644", b"1"), ("100644", b"2")
    assert difference({"a": one}, {}) == "a: should not exist"
    assert difference({}, {"a": one}) == "a: missing"
    assert difference({"a": one}, {"a": two}) == "a: content"
    assert difference({"a": ("100755", b"1")}, {"a": one}) == "a: mode"
    assert difference({"a": one}, {"a": one}) == ""


def test_the_bar_is_no_wrong_tree_and_almost_all_equal() -> None:
    def done(form: str, outcomes: list[str], special: str = "") -> list[Replayed]:
        return [Replayed("r", "c", form, special, outcome) for outcome in outcomes]

    assert shortfalls(done("diff -U3", ["equal"] * 5) + done("diff -U3", ["refused: binary"], "binary")) == []
    assert len(shortfalls(done("diff -U3", ["equal"] * 5 + ["refused: x"]))) == 1
    assert shortfalls(done("diff -U0", ["equal"] * 99 + ["refused: x"])) == []
    assert len(shortfalls(done("show", ["WRONG"], "binary"))) == 1


def test_the_same_seed_samples_the_same_commits(repository: Path) -> None:
    for n in range(4):
        committed(repository, {"b.txt": b"%d\n" % n})
    assert sampled(repository, 3, 1) == sampled(repository, 3, 1)
    assert len(sampled(repository, 9, 1)) == 4


def test_a_series_has_the_files_that_are_as_they_were_again(repository: Path) -> None:
    base = git(repository, "rev-parse", "HEAD").decode().strip()
    for content in (b"one\nTWO\n", b"one\ntwo\n"):
        committed(repository, {"b.txt": content})
    commit = committed(repository, {"new.txt": b"new\n"})
    files = series(repository, base, commit)
    assert files
    assert files.before == {"b.txt": ("100644", b"one\ntwo\n")}
    assert files.after == files.before | {"new.txt": ("100644", b"new\n")}
    (done,) = replay.replay(repository, commit, ["log -p -3"])
    assert done.outcome == "equal"
