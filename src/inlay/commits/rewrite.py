"""Rewriting messages: work it out, refuse what must not happen unseen, write objects, move the branch, take it back.

Only `parent` lines and messages are written anew. The branch moves in one transaction with the ref that keeps the old
history; the index and the working tree are not touched, because every tree stays what it was.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from inlay.commits.messages import commit_object
from inlay.commits.messages.cleanup import tidied
from inlay.commits.rewrite_guards import refusals
from inlay.errors import EnvironmentFailure, GitFailed, RewriteRefused, UnknownReceipt
from inlay.git import objects as stored
from inlay.git import repo_state, repository, rewrite_refs
from inlay.model.commit import SHORT, Commit
from inlay.model.history_rewrite import Allowed, Backup, NewMessage, Rewriting, Rewritten
from inlay.storage.stores import rewrite_journal as journal

#: Whoever writes messages: a model, a file, a person's editor. Commits come oldest first.
Propose = Callable[[Sequence[Commit]], Sequence[NewMessage]]


def reworded(proposals: Sequence[NewMessage]) -> dict[str, str]:
    """The messages that are new, by commit."""
    return {
        each.commit.id: tidied(each.message)
        for each in proposals
        if tidied(each.message) != tidied(each.commit.message)
    }


def plan(root: str, messages: Mapping[str, str], allowed: Allowed | None = None) -> Rewriting | None:
    """What giving these commits these messages comes to; None where there is nothing to do.

    Raises RewriteRefused with every reason against it, each with the flag that allows it.
    """
    if not messages:
        return None
    stands = repo_state.survey(root)
    line = repo_state.descent(root, stands.tip, messages) if stands.tip else None
    if line is None:
        raise RewriteRefused("not all of these commits are on the branch that is checked out")
    made = tuple(_rewritten(root, line, messages, stands.uses_sha256, allowed or Allowed()))
    ids = [commit.old for commit in made]
    reasons = refusals(root, stands, made, allowed or Allowed())
    if reasons:
        raise RewriteRefused(*reasons)
    assert stands.branch is not None
    warnings = tuple(
        f"{what} still points to the old commits" for what in repo_state.pointing(root, ids, stands.branch)
    )
    return Rewriting(stands.branch, stands.tip, made[-1].new, made, warnings)


def _rewritten(
    root: str, line: Sequence[str], messages: Mapping[str, str], sha256: bool, allowed: Allowed
) -> Iterator[Rewritten]:
    """Every commit that becomes another, parents first."""
    parents: dict[str, str] = {}
    for commit_id, data in stored.read(root, line):
        message = messages.get(commit_id)
        if message is None and not any(parent in parents for parent in commit_object.read(commit_id, data).parents):
            continue
        made = _one(commit_id, data, parents, message, allowed)
        parents[commit_id] = _id(made, sha256)
        yield Rewritten(commit_id, parents[commit_id], made, message is not None)


def _one(commit_id: str, data: bytes, parents: Mapping[str, str], message: str | None, allowed: Allowed) -> bytes:
    if message is not None and (not message.strip() or "\0" in message):
        raise RewriteRefused(f"the message for {commit_id[:SHORT]} is empty or holds a NUL")
    try:
        made = commit_object.rewritten(data, parents, message, drop_signatures=allowed.drop_signatures)
    except UnicodeEncodeError:
        encoding = commit_object.read(commit_id, data).encoding or "UTF-8"
        raise RewriteRefused(
            f"the message for {commit_id[:SHORT]} cannot be said in its encoding, {encoding}"
        ) from None
    # The whole promise in one line: every header but parents and signatures is what it was.
    if commit_object.kept(made) != commit_object.kept(data):
        raise EnvironmentFailure(f"{commit_id[:SHORT]} cannot be rewritten without changing more than its message")
    return made


def _id(data: bytes, sha256: bool) -> str:
    digest = hashlib.sha256 if sha256 else hashlib.sha1
    return digest(b"commit %d\0" % len(data) + data).hexdigest()


def carry_out(root: str, planned: Rewriting, *, now: Callable[[], float] = time.time) -> Backup:
    """Write the new objects, then move the branch, if it still is where it was; the backup is the handle for undo."""
    with _journalled(root) as room:
        written = rewrite_refs.write(root, "commit", [commit.data for commit in planned.commits])
        if written != [commit.new for commit in planned.commits]:
            raise GitFailed("git gave the new commits other ids than they must have")
        number = max((backup.number for backup in rewrite_refs.backups(root)), default=0) + 1
        backup = Backup(number, planned.branch, planned.old, planned.new, int(now()))
        steps = (
            f"create {backup.ref} {rewrite_refs.remember(root, backup)}",
            f"update {backup.branch} {backup.new} {backup.old}",
        )
        room.publish(backup.branch, backup.old, backup.new, backup.ref, steps, f"inlay: reword {planned.reworded}")
        return backup


def undo(root: str, number: int | None = None) -> Backup:
    """Take back a rewriting: the last one that stands on this branch, or the one with that number."""
    with _journalled(root) as room:
        backup = _wanted(root, number)
        tip = stored.listed(root, backup.branch)[0]
        if tip != backup.new:
            raise RewriteRefused(
                f"{_short(backup.branch)} has moved on since: it is at {tip[:SHORT]}, the rewriting left it at"
                f" {backup.new[:SHORT]}; the old history is in {backup.ref}"
            )
        steps = (
            f"create {backup.undone_ref} {backup.new}",
            f"update {backup.branch} {backup.old} {backup.new}",
        )
        room.publish(backup.branch, backup.new, backup.old, backup.undone_ref, steps, f"inlay: undo {backup.number}")
        return backup


def _wanted(root: str, number: int | None) -> Backup:
    known = rewrite_refs.backups(root)
    if number is not None:
        found = next((backup for backup in known if backup.number == number), None)
        if found is None:
            raise UnknownReceipt(f"there is no backup {number}; `inlay commits undo --list` shows them")
        return found
    stands = repo_state.survey(root)
    on_branch = [backup for backup in known if backup.branch == stands.branch and not backup.is_undone]
    if not on_branch:
        raise UnknownReceipt("no rewriting stands on this branch, so there is nothing to take back")
    # One that was killed before the branch moved has left a backup that nothing came of.
    return next((backup for backup in on_branch if backup.new == stands.tip), on_branch[0])


def recover(root: str) -> tuple[str, ...]:
    """Clear what an interrupted rewriting left; the files that were in git's way and are gone."""
    with journal.exclusive(repository.common(root)) as (_, directory):
        return _recovered(directory)


def _recovered(directory: int) -> tuple[str, ...]:
    unfinished = journal.unfinished(directory)
    gone = journal.clear(unfinished) if unfinished else ()
    journal.end(directory)
    return gone


@dataclass(frozen=True, slots=True)
class _Room:
    """Where a rewriting is written down while it happens."""

    root: str
    lock: int
    directory: int

    def publish(self, branch: str, old: str, new: str, ref: str, steps: Sequence[str], reason: str) -> None:
        files = tuple(f"{repository.path(self.root, name)}.lock" for name in ("HEAD", branch, ref))
        journal.begin(self.directory, journal.RewriteJournal(branch, old, new, files))
        try:
            rewrite_refs.publish(self.root, steps, reason=reason, lock=self.lock)
        except GitFailed:
            _recovered(self.directory)
            raise
        journal.end(self.directory)


@contextmanager
def _journalled(root: str) -> Iterator[_Room]:
    """Alone at work, and after whatever had been interrupted before."""
    with journal.exclusive(repository.common(root)) as (lock, directory):
        _recovered(directory)
        yield _Room(root, lock, directory)


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
