"""A repository with a short history, git without anybody's configuration, and the command line in this process."""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from inlay.cli.main import main

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0100",
    "GIT_COMMITTER_NAME": "Bob",
    "GIT_COMMITTER_EMAIL": "bob@example.org",
    "GIT_COMMITTER_DATE": "1700000100 -0230",
}


@dataclass(frozen=True)
class Repo:
    """A repository to work in."""

    root: Path

    def git(self, *arguments: str, data: bytes | None = None, **environ: str) -> str:
        return self.raw(*arguments, data=data, **environ).decode("utf-8", "surrogateescape").strip()

    def raw(self, *arguments: str, data: bytes | None = None, **environ: str) -> bytes:
        environment = {**os.environ, **_ENVIRONMENT, **environ}
        done = subprocess.run(["git", *arguments], cwd=self.root, env=environment, input=data, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def commit(self, message: str, **environ: str) -> str:
        number = len(list(self.root.glob("file*")))
        branch = self.git("symbolic-ref", "--short", "HEAD")
        (self.root / f"file{number}-{branch}").write_text(message[:100])
        self.git("add", ".")
        how = ("--cleanup=verbatim", "--allow-empty-message", "-F", "-")
        self.git("commit", "-q", *how, data=message.encode(), **environ)
        return self.id()

    def handmade(self, *headers: str, message: bytes) -> str:
        """A commit on top of HEAD with headers and bytes that git would not write by itself; HEAD moves to it."""
        head = self.git("cat-file", "commit", "HEAD").split("\n\n", 1)[0].splitlines()
        kept = [line for line in head if line.startswith(("tree", "author", "committer"))]
        lines = [kept[0], f"parent {self.id()}", *kept[1:], *headers, "", ""]
        data = "\n".join(lines).encode() + message
        made = self.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", data=data)
        self.git("reset", "-q", "--soft", made)
        return made

    def id(self, revision: str = "HEAD") -> str:
        return self.git("rev-parse", revision)

    def subjects(self, revision: str = "HEAD") -> list[str]:
        return self.git("log", "--format=%s", "--reverse", revision).splitlines()


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that every test gets a copy of; making it takes twenty processes."""
    made = Repo(tmp_path_factory.mktemp("pattern") / "repo")
    made.root.mkdir()
    made.git("init", "-q", "-b", "main", "--template=")
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    for message in ("Start\n", "Added a thing\n\nBecause.\n", "fixup! Start\n", "Add another\n\nRefs: #1\n"):
        made.commit(message)
    return made.root


@pytest.fixture
def repo(pattern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Four commits on main, the first of them the root."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    return Repo(Path(shutil.copytree(pattern, tmp_path / "repo", symlinks=True)))


@pytest.fixture
def run(repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call `inlay commits` in the repository."""
    monkeypatch.chdir(repo.root)

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as left:
            main(("commits", *arguments))
        told = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Outcome(left.value.code, told.out, told.err)

    return call
