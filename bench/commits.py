"""Commits of a repository as whole changes: which files they touch, their contents, and a project to apply them to."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Tree = dict[str, tuple[str, bytes]]  # path -> mode as git writes it, content
_ENVIRONMENT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "LC_ALL": "C", "TZ": "UTC"}
_PLAIN = ("100644", "100755")
MOST_FILES, MOST_BYTES = 120, 2_000_000


def git(repository: Path, *args: str, stdin: bytes = b"") -> bytes:
    """What git says when nobody has configured it."""
    command = ["git", "-C", str(repository), *args]
    return subprocess.run(
        command, input=stdin, capture_output=True, check=True, env={**os.environ, **_ENVIRONMENT}
    ).stdout


@dataclass(frozen=True, slots=True)
class Touched:
    """The files that differ between two commits, on both sides."""

    before: Tree
    after: Tree
    special: str = ""  #: what a text diff cannot say: a binary file, a link, a submodule, a mode alone


def sampled(repository: Path, wanted: int, seed: int) -> list[str]:
    """Commits with one parent, in random order; the same for the same seed and history."""
    rows = git(repository, "rev-list", "--no-merges", "--min-parents=1", "HEAD").decode().split()
    return random.Random(f"{seed}:{repository.parent.name}").sample(rows, min(wanted, len(rows)))


def series(repository: Path, old: str, new: str) -> Touched | None:
    """What lies between two commits, with the files that were changed on the way and are as they were again."""
    files = touched(repository, old, new)
    if files is None:
        return None
    names = git(repository, "log", "--format=", "--name-only", "-z", "--no-renames", f"{old}..{new}")
    paths = {name.strip("\n") for name in names.decode("utf-8", "surrogateescape").split("\0")} - {""}
    same: Tree = {}
    for path in sorted(paths - files.before.keys() - files.after.keys()):
        entry = git(repository, "ls-tree", "-z", old, "--", path).decode("utf-8", "surrogateescape")
        if entry:
            mode, _, blob = entry.partition("\t")[0].split(" ")
            contents = blobs(repository, [blob]) if mode in _PLAIN else None
            if contents is None:
                return None
            same[path] = (mode, contents[0])
    return Touched(files.before | same, files.after | same, files.special)


def touched(repository: Path, old: str, new: str) -> Touched | None:
    """What lies between two commits; None where it is empty or too much to be a change of the everyday."""
    raw = git(repository, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", old, new)
    fields = raw.decode("utf-8", "surrogateescape").split("\0")[:-1]
    rows = [(facts[1:].split(" "), path) for facts, path in zip(fields[::2], fields[1::2], strict=True)]
    if not 1 <= len(rows) <= MOST_FILES:
        return None
    before: Tree = {}
    after: Tree = {}
    sides = [
        (mode, blob, path, tree)
        for (old_mode, new_mode, old_blob, new_blob, _), path in rows
        for mode, blob, tree in ((old_mode, old_blob, before), (new_mode, new_blob, after))
        if mode in _PLAIN
    ]
    contents = blobs(repository, [side[1] for side in sides])
    if contents is None:
        return None
    for (mode, _, path, tree), content in zip(sides, contents, strict=True):
        tree[path] = (mode, content)
    if sum(len(content) for tree in (before, after) for _, content in tree.values()) > MOST_BYTES:
        return None
    return Touched(before, after, _special([facts for facts, _ in rows], before, after))


def blobs(repository: Path, ids: Sequence[str]) -> list[bytes] | None:
    """The contents of these blobs, in one call; None where a mirror lacks one."""
    said = git(repository, "cat-file", "--batch", stdin="".join(f"{id}\n" for id in ids).encode())
    at, out = 0, []
    for _ in ids:
        line = said.index(b"\n", at)
        facts = said[at:line].split()
        if facts[1] != b"blob":
            return None
        size = int(facts[2])
        out.append(said[line + 1 : line + 1 + size])
        at = line + size + 2
    return out


def _special(rows: Sequence[Sequence[str]], before: Tree, after: Tree) -> str:
    modes = {mode for facts in rows for mode in facts[:2]} - {"000000", *_PLAIN}
    if modes:
        return "submodule" if "160000" in modes else "link"
    contents = [content for tree in (before, after) for _, content in tree.values()]
    if any(b"\0" in content[:8000] for content in contents):
        return "binary"
    same = [path for path in before if path in after and before[path][1] == after[path][1]]
    return "mode" if same else ""


@contextlib.contextmanager
def project(repository: Path, files: Tree) -> Iterator[Path]:
    """A working tree with these files, in which git finds the objects of the repository."""
    memory = Path("/dev/shm")
    root = Path(tempfile.mkdtemp(prefix="inlay-replay-", dir=memory if memory.is_dir() else None))
    try:
        _repository(root, repository)
        for path, (mode, content) in files.items():
            target = os.path.join(os.fsencode(root), path.encode("utf-8", "surrogateescape"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(content)
            os.chmod(target, int(mode[-3:], 8))
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _repository(root: Path, source: Path) -> None:
    """The least that git takes for a repository, with the source's objects."""
    objects = git(source, "rev-parse", "--path-format=absolute", "--git-path", "objects").decode().strip()
    home = root / ".git"
    (home / "objects" / "info").mkdir(parents=True)
    (home / "refs").mkdir()
    (home / "HEAD").write_text("ref: refs/heads/main\n")
    (home / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    (home / "objects" / "info" / "alternates").write_text(objects + "\n")


def files_in(root: Path) -> Tree:
    """The files of a project, without what git and Inlay keep there."""
    out: Tree = {}
    top = os.fsencode(root)
    for folder, names, files in os.walk(top):
        names[:] = [name for name in names if not (folder == top and name in (b".git", b".inlay"))]
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                content = file.read()
            mode = "100755" if os.stat(path).st_mode & 0o100 else "100644"
            out[os.path.relpath(path, top).decode("utf-8", "surrogateescape")] = (mode, content)
    return out
