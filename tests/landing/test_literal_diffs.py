"""What git prints about a commit makes the very tree that git made, byte for byte, on the commit before it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from inlay import LandOptions, Workspace, land
from inlay.errors import EditsRefused

OLD = {"mixed.txt": b"one\r\ntwo\nthree\r\n", "plain.rst": b"a\nb\n", "same.txt": b"x\ny\nx\ny\n" * 3}
NEW = {
    "mixed.txt": b"one\r\ntwo\r\nNEW\nthree\n",
    "plain.rst": "a\n \u00a0 the\nb\n# ... existing code ...".encode(),
    "same.txt": b"x\ny\nx\ny\n" + b"x\ny\nx\nnew\ny\n" + b"x\ny\nx\n",
    "table.csv": b"a,b\r\n1,2\r\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True)

    git("init", "-q")
    for name, value in (("core.autocrlf", "false"), ("user.name", "n"), ("user.email", "n@example.org")):
        git("config", name, value)
    for files in (OLD, NEW):
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
        git("add", ".")
        git("commit", "-qm", "change")
    return tmp_path


PRINTED = [
    ("diff", "HEAD~1", "HEAD"),
    ("diff", "-U0", "HEAD~1", "HEAD"),
    ("diff", "-U1", "HEAD~1", "HEAD"),
    ("show", "HEAD"),
    ("format-patch", "-1", "--stdout", "HEAD"),
    ("log", "-p", "-1"),
]


def printed(repository: Path, *command: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *command], check=True, capture_output=True)
    return done.stdout.decode()


@pytest.mark.parametrize("command", PRINTED, ids=" ".join)
def test_a_commit_is_made_again_to_the_letter(repository: Path, command: tuple[str, ...]) -> None:
    patch = printed(repository, *command)
    printed(repository, "checkout", "-q", "HEAD~1")
    land(patch, Workspace(repository), options=LandOptions(force=True))
    assert {name: (repository / name).read_bytes() for name in NEW} == NEW


def test_in_a_file_that_has_moved_on_the_ids_prove_nothing(repository: Path) -> None:
    patch = printed(repository, "diff", "-U0", "HEAD~1", "HEAD", "--", "same.txt")
    (repository / "same.txt").write_bytes(b"first\n" + OLD["same.txt"])
    base = LandOptions(force=True)
    with pytest.raises(EditsRefused):
        land(patch.replace("index ", "similarity "), Workspace(repository), options=base)


def test_a_reply_that_was_pasted_with_other_line_ends_is_as_good(repository: Path) -> None:
    patch = printed(repository, "diff", "HEAD~1", "HEAD", "--", "same.txt").replace("\n", "\r\n")
    printed(repository, "checkout", "-q", "HEAD~1")
    land(patch, Workspace(repository), options=LandOptions(force=True))
    assert (repository / "same.txt").read_bytes() == NEW["same.txt"]
