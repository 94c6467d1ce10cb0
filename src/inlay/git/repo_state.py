"""The state of a repository before a rewrite: its branch, what is under way, which refs lead to a commit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from inlay.errors import GitFailed
from inlay.git import run_git
from inlay.git.repository import Repository

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

    branch: str | None  #: the whole name of the ref; None where HEAD is detached or has no commit yet
    tip: str
    heads: Mapping[str, str]  #: every branch and where it is
    notes: tuple[str, ...]  #: refs that hold notes
    under_way: tuple[str, ...]
    boundary: frozenset[str]  #: commits whose parents a shallow clone has not; empty in any other
    replaced: frozenset[str]  #: commits that a replace ref stands in for
    has_grafts: bool


def survey(repo: Repository) -> RepoState:
    listing = ("for-each-ref", "--format=%(HEAD) %(objectname) %(refname)", "refs/heads", "refs/replace", "refs/notes")
    lines = os.fsdecode(run_git.ask(repo.root, *listing)).split("\n")[:-1]
    refs = {name: commit for line in lines for commit, name in [line[2:].split(" ", 1)]}
    branch = next((line.split(" ", 2)[2] for line in lines if line.startswith("*")), None)
    return RepoState(
        branch,
        refs[branch] if branch else _detached(repo),
        {name: commit for name, commit in refs.items() if name.startswith("refs/heads/")},
        tuple(name for name in refs if name.startswith("refs/notes/")),
        tuple(what for name, what in _UNDER_WAY.items() if os.path.exists(repo.path(name))),
        frozenset(_lines(repo.path("shallow"))),
        frozenset(name.removeprefix("refs/replace/") for name in refs if name.startswith("refs/replace/")),
        bool(_lines(repo.path("info/grafts"))),
    )


def _detached(repo: Repository) -> str:
    try:
        return run_git.ask(repo.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode().strip()
    except GitFailed:
        return ""


def _lines(file: str) -> tuple[str, ...]:
    try:
        with open(file, encoding="ascii", errors="replace") as stream:
            return tuple(line.strip() for line in stream if line.strip() and not line.startswith("#"))
    except OSError:
        return ()


def descent(repo: Repository, tip: str, wanted: Collection[str], *, local: bool = False) -> tuple[list[str], bool]:
    """The commits from the tip down to the oldest wanted one, parents first, and whether all wanted ones are there.

    With `local`, only commits that no remote-tracking branch has.
    """
    missing = set(wanted)
    ids: list[str] = []
    excluded = ("--not", "--remotes") if local else ()
    command = ("--no-replace-objects", "rev-list", "--topo-order", tip, *excluded)
    with run_git.start(repo.root, *command, stdin=subprocess.DEVNULL) as listing:
        assert listing.stdout is not None
        for line in listing.stdout:
            ids.append(line.decode("ascii").strip())
            missing.discard(ids[-1])
            # Children come first, so whatever follows the last wanted commit does not descend from it.
            if not missing:
                break
        listing.stdout.close()
        listing.terminate()
    return ids[::-1], not missing


def refs_to(repo: Repository, state: RepoState, commits: Collection[str], oldest: Collection[str]) -> Iterator[str]:
    """Every other branch, tag or note that leads to one of the commits; all of these descend from the oldest ones."""
    contains = [option for commit in oldest for option in ("--contains", commit)]
    names = run_git.ask(repo.root, "for-each-ref", "--format=%(refname)", *contains, "refs/heads", "refs/tags")
    for name in os.fsdecode(names).split("\n")[:-1]:
        if name != state.branch:
            kind = "the tag" if name.startswith("refs/tags/") else "the branch"
            yield f"{kind} {name.split('/', 2)[2]}"
    for name in state.notes:
        lines = run_git.ask(repo.root, "notes", "--ref", name, "list").decode().splitlines()
        if not {line.split()[-1] for line in lines}.isdisjoint(commits):
            yield f"notes in {name}"
