"""The last stage: plan a rewrite of messages, refuse what must not happen unseen, carry it out, undo it.

Only `parent` lines and messages change. The branch moves in one transaction with the ref that keeps the old history;
the index and the working tree are not touched, because every tree stays the same.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from inlay.commits.messages import commit_object
from inlay.commits.messages.cleanup import tidied
from inlay.commits.rewrite_guards import refusals
from inlay.errors import EnvironmentFailure, GitFailed, RewriteRefused, UnknownReceipt
from inlay.git import repo_state, rewrite_refs
from inlay.git.repo_state import RepoState
from inlay.git.repository import Repository
from inlay.model.commit import SHORT, Commit
from inlay.model.history_rewrite import Allowed, Backup, NewMessage, RewritePlan, RewrittenCommit
from inlay.storage.stores import rewrite_journal as journal

#: Moves a branch from one commit to another, and creates a ref beside it; the last argument is for the reflog.
_Publish: TypeAlias = Callable[[str, str, str, tuple[str, str], str], None]


def changed(proposals: Sequence[NewMessage]) -> dict[str, str]:
    """The messages that differ from those the commits have, by commit."""
    return {proposal.commit.id: message for proposal in proposals
            if (message := tidied(proposal.message)) != tidied(proposal.commit.message)}  # fmt: skip


def plan(repo: Repository, messages: Mapping[str, str], allowed: Allowed | None = None) -> RewritePlan | None:
    """What giving these commits these messages would change; None where there is nothing to do.

    Raises RewriteRefused with every reason against it, each with the option that allows it.
    """
    if not messages:
        return None
    allowed = allowed or Allowed()
    state = repo_state.survey(repo)
    line, pushed = _line(repo, state, messages, allowed)
    commits, rewritten = zip(*_rewritten(repo, line, messages, allowed), strict=True)
    if reasons := refusals(state, commits, pushed, allowed):
        raise RewriteRefused(*reasons)
    assert state.branch is not None
    ids = {commit.id for commit in commits}
    oldest = [commit.id for commit in commits if ids.isdisjoint(commit.parents)]
    warnings = tuple(f"{ref} still points to the old commits" for ref in repo_state.refs_to(repo, state, ids, oldest))
    return RewritePlan(state.branch, state.tip, rewritten[-1].new, rewritten, warnings)


def _line(
    repo: Repository, state: RepoState, messages: Mapping[str, str], allowed: Allowed
) -> tuple[Sequence[str], frozenset[str]]:
    """The commits from the oldest with a new message up to the tip, parents first; and those that a remote has."""
    local: list[str] = []
    if state.tip and not allowed.pushed:
        local, is_complete = repo_state.descent(repo, state.tip, messages, local=True)
        if is_complete:
            return local, frozenset()
    line, is_complete = repo_state.descent(repo, state.tip, messages) if state.tip else ([], False)
    if not is_complete:
        raise RewriteRefused("not all of these commits are on the branch that is checked out")
    return line, frozenset() if allowed.pushed else frozenset(line) - frozenset(local)


def _rewritten(
    repo: Repository, line: Sequence[str], messages: Mapping[str, str], allowed: Allowed
) -> Iterator[tuple[Commit, RewrittenCommit]]:
    """Every commit that becomes another, parents first."""
    parents: dict[str, str] = {}
    digest = hashlib.sha256 if repo.uses_sha256 else hashlib.sha1
    for commit_id, data in repo.objects.commits(line):
        message, commit = messages.get(commit_id), commit_object.read(commit_id, data)
        if message is None and parents.keys().isdisjoint(commit.parents):
            continue
        new = _with_message(commit, data, parents, message, allowed)
        parents[commit_id] = digest(b"commit %d\0" % len(new) + new).hexdigest()
        yield commit, RewrittenCommit(commit_id, parents[commit_id], new, message is not None)


def _with_message(
    commit: Commit, data: bytes, parents: Mapping[str, str], message: str | None, allowed: Allowed
) -> bytes:
    name = commit.id[:SHORT]
    if message is not None and (not message.strip() or "\0" in message):
        raise RewriteRefused(f"the message for {name} is empty or contains a NUL")
    try:
        new = commit_object.rewritten(data, parents, message, drop_signatures=allowed.drop_signatures)
    except UnicodeEncodeError:
        encoding = commit.encoding or "UTF-8"
        raise RewriteRefused(f"the message for {name} cannot be written in its encoding, {encoding}") from None
    # The whole promise in one line: every header but parents and signatures is what it was.
    if commit_object.kept(new) != commit_object.kept(data):
        raise EnvironmentFailure(f"{name} cannot be rewritten without changing more than its message")
    return new


def carry_out(repo: Repository, planned: RewritePlan, *, now: Callable[[], float] = time.time) -> Backup:
    """Write the new objects, then move the branch, if it is still where it was; the backup is the handle for undo."""
    with _locked(repo) as publish:
        written = rewrite_refs.write(repo.root, "commit", [commit.data for commit in planned.commits])
        if written != [commit.new for commit in planned.commits]:
            raise GitFailed("git gave the new commits other ids than expected")
        number = max((backup.number for backup in rewrite_refs.backups(repo.root)), default=0) + 1
        backup = Backup(number, planned.branch, planned.old, planned.new, int(now()))
        kept = (backup.ref, rewrite_refs.write_backup(repo.root, backup))
        publish(backup.branch, backup.old, backup.new, kept, f"inlay: reword {planned.reworded}")
        return backup


def undo(repo: Repository, number: int | None = None) -> Backup:
    """Undo a rewrite: the last one on this branch, or the one with that number."""
    with _locked(repo) as publish:
        state = repo_state.survey(repo)
        backup = _backup(rewrite_refs.backups(repo.root), state, number)
        tip = state.heads.get(backup.branch, "")
        if tip != backup.new:
            branch = backup.branch.removeprefix("refs/heads/")
            raise RewriteRefused(
                f"{branch} has moved on since: it is at {tip[:SHORT] or 'no commit'}, the rewrite left it at"
                f" {backup.new[:SHORT]}; the old history is in {backup.ref}"
            )
        kept = (backup.undone_ref, backup.new)
        publish(backup.branch, backup.new, backup.old, kept, f"inlay: undo {backup.number}")
        return backup


def _backup(backups: Sequence[Backup], state: RepoState, number: int | None) -> Backup:
    if number is not None:
        for backup in backups:
            if backup.number == number:
                return backup
        raise UnknownReceipt(f"there is no backup {number}; `inlay commits undo --list` shows them")
    on_branch = [backup for backup in backups if backup.branch == state.branch and not backup.is_undone]
    if not on_branch:
        raise UnknownReceipt("no rewrite was made on this branch, so there is nothing to undo")
    # A rewrite that was killed before the branch moved has left a backup that is of no use.
    return next((backup for backup in on_branch if backup.new == state.tip), on_branch[0])


def recover(repo: Repository) -> tuple[str, ...]:
    """Clear what an interrupted rewrite left; returns the files that were in git's way and are gone."""
    with journal.exclusive(repo.common_dir) as (_, directory):
        return journal.clear(directory)


@contextmanager
def _locked(repo: Repository) -> Iterator[_Publish]:
    """The only rewrite at work here, after whatever was interrupted before is cleared."""
    with journal.exclusive(repo.common_dir) as (lock, directory):
        journal.clear(directory)

        def publish(branch: str, old: str, new: str, kept: tuple[str, str], reason: str) -> None:
            files = tuple(f"{repo.path(name)}.lock" for name in ("HEAD", branch, kept[0]))
            journal.begin(directory, journal.RewriteJournal(branch, old, new, files))
            steps = (f"create {kept[0]} {kept[1]}", f"update {branch} {new} {old}")
            try:
                rewrite_refs.publish(repo.root, steps, reason=reason, lock=lock)
            except GitFailed:
                journal.clear(directory)
                raise
            journal.end(directory)

        yield publish
