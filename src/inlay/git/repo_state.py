"""How a repository stands before its history is rewritten: its branch, what is under way, who else has the commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from inlay.errors import GitFailed
from inlay.git import repository, run_git

_UNDER_WAY = {
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase or git am",
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisection",
    "sequencer": "a cherry-pick or revert of several commits",
}


@dataclass(frozen=True, slots=True)
class RepoState:
    """Facts; whether they are in the way is decided elsewhere."""

    branch: str | None  #: the whole name of the ref; None where HEAD is detached
    tip: str
    under_way: tuple[str, ...]
    is_shallow: bool
    boundary: frozenset[str]  #: commits whose parents a shallow clone has not
    replaced: frozenset[str]  #: commits that a replace ref stands in for
    has_grafts: bool
    uses_sha256: bool


def survey(root: str) -> RepoState:
    """Ask git for all of it."""
    shallow = run_git.ask(root, "rev-parse", "--is-shallow-repository").strip() == b"true"
    boundary = _lines(repository.path(root, "shallow")) if shallow else ()
    refs = run_git.ask(root, "for-each-ref", "--format=%(refname)", "refs/replace").decode().split()
    return RepoState(
        branch=_branch(root),
        tip=_tip(root),
        under_way=tuple(what for name, what in _UNDER_WAY.items() if os.path.exists(repository.path(root, name))),
        is_shallow=shallow,
        boundary=frozenset(boundary),
        replaced=frozenset(ref.removeprefix("refs/replace/") for ref in refs),
        has_grafts=bool(_lines(repository.path(root, "info/grafts"))),
        uses_sha256=run_git.ask(root, "rev-parse", "--show-object-format").strip() == b"sha256",
    )


def _branch(root: str) -> str | None:
    try:
        return os.fsdecode(run_git.ask(root, "symbolic-ref", "--quiet", "HEAD").strip())
    except GitFailed:
        return None


def _tip(root: str) -> str:
    try:
        return run_git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode().strip()
    except GitFailed:
        return ""


def _lines(file: str) -> tuple[str, ...]:
    try:
        with open(file, encoding="ascii", errors="replace") as stream:
            return tuple(line.strip() for line in stream if line.strip() and not line.startswith("#"))
    except OSError:
        return ()


def descent(root: str, tip: str, wanted: Collection[str]) -> tuple[str, ...] | None:
    """The commits from the oldest wanted one up to the tip, parents first; None where one is not below the tip."""
    missing = set(wanted)
    found: list[str] = []
    with run_git.start(
        root, "--no-replace-objects", "rev-list", "--topo-order", tip, stdin=subprocess.DEVNULL
    ) as listing:
        assert listing.stdout is not None
        for line in listing.stdout:
            found.append(line.decode("ascii").strip())
            missing.discard(found[-1])
            # Children come first, so whatever follows the last wanted commit does not descend from it.
            if not missing:
                break
        listing.stdout.close()
        listing.terminate()
    return None if missing else tuple(reversed(found))


def pushed(root: str, commits: Collection[str], tip: str) -> frozenset[str]:
    """Which of the commits a remote-tracking branch has."""
    if not run_git.ask(root, "for-each-ref", "--count=1", "refs/remotes"):
        return frozenset()
    local = run_git.ask(root, "rev-list", tip, "--not", "--remotes").decode().split()
    return frozenset(commits) - frozenset(local)


def pointing(root: str, commits: Collection[str], branch: str) -> Iterator[str]:
    """Every other ref that points to one of the commits or to a descendant of one, and what kind it is."""
    oldest = next(iter(commits))
    listed = run_git.ask(root, "for-each-ref", "--format=%(refname)", "--contains", oldest, "refs/heads", "refs/tags")
    for name in os.fsdecode(listed).split():
        if name != branch:
            kind = "the tag" if name.startswith("refs/tags/") else "the branch"
            yield f"{kind} {name.split('/', 2)[2]}"
    for name in os.fsdecode(run_git.ask(root, "for-each-ref", "--format=%(refname)", "refs/notes")).split():
        noted = {line.split()[-1] for line in run_git.ask(root, "notes", "--ref", name, "list").decode().splitlines()}
        if noted & set(commits):
            yield f"notes in {name}"
