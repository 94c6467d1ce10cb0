"""Why a history must not be rewritten as it is, each reason with the option that allows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from inlay.git.repo_state import RepoState
from inlay.model.commit import SHORT, Commit
from inlay.model.history_rewrite import Allowed

_MOST_NAMED = 3


def refusals(state: RepoState, commits: Sequence[Commit], pushed: Collection[str], allowed: Allowed) -> list[str]:
    ids = {commit.id for commit in commits}
    reasons = [f"{what} is under way; finish or abort it first" for what in state.under_way]
    if state.branch is None:
        reasons.append("HEAD is detached; check out the branch that is to be rewritten")
    if state.has_grafts or state.replaced & ids:
        reasons.append("grafts or replace refs change how these commits appear; remove them first")
    if state.boundary & ids:
        reasons.append("the range reaches the boundary of a shallow clone; `git fetch --unshallow` first")
    elif state.boundary and not allowed.shallow:
        reasons.append("this is a shallow clone (--allow-shallow)")
    merges = [commit.id for commit in commits if len(commit.parents) > 1]
    signed = [commit.id for commit in commits if commit.is_signed]
    on_remote = [commit.id for commit in commits if commit.id in pushed]
    for refused, is_allowed, noun, why in (
        (merges, allowed.merges, "merge", "would be rewritten (--allow-merges)"),
        (signed, allowed.drop_signatures, "signed commit", "would lose the signature (--drop-signatures)"),
        (on_remote, allowed.pushed, "commit", "is already on a remote (--allow-pushed)"),
    ):
        if refused and not is_allowed:
            names = ", ".join(commit[:SHORT] for commit in refused[:_MOST_NAMED])
            more = f" and {len(refused) - _MOST_NAMED} more" if len(refused) > _MOST_NAMED else ""
            reasons.append(f"the {noun} {names}{more} {why}")
    return reasons
