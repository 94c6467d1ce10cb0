"""Why a history must not be rewritten as it stands, each reason with the flag that allows it all the same."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.commits.messages import commit_object
from inlay.git import objects as stored
from inlay.git import repo_state
from inlay.git.repo_state import RepoState
from inlay.model.commit import SHORT, Commit
from inlay.model.history_rewrite import Allowed, Rewritten

_MOST_NAMED = 3


def refusals(root: str, stands: RepoState, made: Sequence[Rewritten], allowed: Allowed) -> list[str]:
    """Every reason there is."""
    ids = [commit.old for commit in made]
    before = [commit_object.read(*each) for each in stored.read(root, ids)]
    return [*_by_state(stands, ids, allowed), *_by_kind(before, allowed), *_by_remote(root, stands, ids, allowed)]


def _by_state(stands: RepoState, ids: Sequence[str], allowed: Allowed) -> list[str]:
    found = [f"{what} is under way; finish or abort it first" for what in stands.under_way]
    if stands.branch is None:
        found.append("HEAD is detached; check out the branch that is to be rewritten")
    if stands.has_grafts or stands.replaced & set(ids):
        found.append("grafts or replace refs change what these commits seem to be; remove them first")
    if stands.boundary & set(ids):
        found.append("the range reaches the boundary of a shallow clone; `git fetch --unshallow` first")
    elif stands.is_shallow and not allowed.shallow:
        found.append("this is a shallow clone (--allow-shallow)")
    return found


def _by_kind(commits: Sequence[Commit], allowed: Allowed) -> list[str]:
    merges = [commit.id for commit in commits if len(commit.parents) > 1]
    signed = [commit.id for commit in commits if commit.is_signed]
    found = []
    if merges and not allowed.merges:
        found.append(f"{_counted(merges, 'merge')} would be rewritten (--allow-merges)")
    if signed and not allowed.drop_signatures:
        found.append(f"{_counted(signed, 'signed commit')} would lose the signature (--drop-signatures)")
    return found


def _by_remote(root: str, stands: RepoState, ids: Sequence[str], allowed: Allowed) -> list[str]:
    if allowed.pushed:
        return []
    there = repo_state.pushed(root, ids, stands.tip)
    known = [commit for commit in ids if commit in there]
    return [f"{_counted(known, 'commit')} is already on a remote (--allow-pushed)"] if known else []


def _counted(ids: Sequence[str], noun: str) -> str:
    named = ", ".join(commit[:SHORT] for commit in ids[:_MOST_NAMED])
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"the {noun} {named}{more}"
