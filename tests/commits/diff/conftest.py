"""Histories with everything in them that a diff can stumble over, made by git itself."""

from __future__ import annotations

import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

LINES = [
    b"diff --git a/x b/x", b"@@ -1,3 +1,4 @@ def f():", b"--- a/x", b"+++ b/x", b"-- ", b"\\ No newline at end of file",
    b"index 1234..5678 100644", b"Binary files a/x and b/x differ", b"rename from x", b"", b" ", b"+", b"-",
    b"\tindented", b"page\x0cbreak", b"line\xe2\x80\xa8separator", b"caf\xe9 in latin-1", "naïve ünïcödé".encode(),
    b"cr\r", b"a" * 40 + b";",
]  # fmt: skip
NAMES = [
    b"plain.py", b"with blank.txt", b"src/a b/c b/d.txt", b'quo"te.txt', b"back\\slash", b"tab\there",
    b"new\nline", b"\xff\xfe", "src/é/ü.txt".encode(), b"src/deep/er/x.c", b"src/deep/y.c", b"src/z.c",
    b"diff --git a", b"[bracket]", b"dev/null",
]  # fmt: skip


@dataclass(frozen=True)
class Entry:
    mode: str
    content: bytes


Tree = dict[bytes, Entry]


def text(rng: random.Random, most: int = 60) -> bytes:
    """Lines of all kinds, some the same, sometimes without a last newline, rarely very long."""
    lines = [
        rng.choice(LINES) if rng.random() < 0.6 else b"%d" % rng.randrange(10**6) for _ in range(rng.randrange(most))
    ]
    lines = [line * rng.randrange(50, 200) if rng.random() < 0.02 else line for line in lines]
    ending = b"\r\n" if rng.random() < 0.2 else b"\n"
    return ending.join(lines) + (ending if rng.random() < 0.7 else b"")


def edited(rng: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(lines) + 1)
        lines[at : at + rng.randrange(4)] = text(rng, 12).split(b"\n")
    return b"\n".join(lines)


def tree(rng: random.Random) -> Tree:
    names = rng.sample(NAMES, rng.randrange(4, len(NAMES)))
    return {name: Entry(rng.choice(["100644", "100644", "100755"]), text(rng)) for name in names}


def changed(rng: random.Random, before: Tree) -> Tree:
    after = dict(before)
    for name, entry in before.items():
        match rng.randrange(10):
            case 0:
                del after[name]
            case 1:
                after[b"moved/" + name] = Entry(entry.mode, after.pop(name).content + b"tail\n")
            case 2:
                after[name] = Entry("120000", b"somewhere/else")
            case 3:
                after[name] = Entry("100755" if entry.mode == "100644" else "100644", entry.content)
            case 4:
                after[name] = Entry(entry.mode, b"\0\1\2" + rng.randbytes(300))
            case 5:
                after[name] = Entry("160000", b"%040x" % rng.getrandbits(160))
            case _:
                after[name] = Entry(entry.mode, edited(rng, entry.content))
    after[b"fresh/file.py"] = Entry("100644", text(rng, 200))
    return after


class Repository:
    """A bare repository, filled without a work tree."""

    def __init__(self, folder: Path) -> None:
        self.root = str(folder)
        subprocess.run(["git", "init", "-q", "--bare", self.root], check=True)

    def git(self, *arguments: str, stdin: bytes = b"", index: str = "", check: bool = True) -> bytes:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        environment |= {"GIT_INDEX_FILE": os.path.join(self.root, index)} if index else {}
        done = subprocess.run(["git", "-C", self.root, *arguments], input=stdin, capture_output=True, env=environment)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, tree: Tree, *parents: str) -> str:
        stream = bytearray(b"commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nm\n")
        stream += b"".join(b"%s %s\n" % (b"merge" if at else b"from", p.encode()) for at, p in enumerate(parents))
        stream += b"deleteall\n"
        for name, entry in tree.items():
            quoted = b'"' + b"".join(b"\\%03o" % code for code in name) + b'"'
            if entry.mode == "160000":
                stream += b"M 160000 %s %s\n" % (entry.content, quoted)
            else:
                stream += b"M %s inline %s\ndata %d\n%s\n" % (
                    entry.mode.encode(),
                    quoted,
                    len(entry.content),
                    entry.content,
                )
        self.git("fast-import", "--quiet", "--force", stdin=bytes(stream))
        return self.git("rev-parse", "refs/heads/main").decode().strip()


@dataclass(frozen=True)
class History:
    """Two commits, the second of which changes files in every way."""

    repository: Repository
    first: str
    second: str


@pytest.fixture(params=range(14))
def history(request: pytest.FixtureRequest, tmp_path: Path) -> History:
    rng = random.Random(request.param)
    repository = Repository(tmp_path / "repository")
    before = tree(rng)
    first = repository.commit(before)
    return History(repository, first, repository.commit(changed(rng, before), first))
