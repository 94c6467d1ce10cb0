"""How a rewritten history gets into git: objects first, then backup and branch in one transaction of refs."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from inlay.errors import GitFailed
from inlay.git import run_git
from inlay.model.history_rewrite import Backup
from inlay.processes import signals

# What was reported as done must survive a power cut; by itself git does not sync single objects.
_DURABLE = ("-c", "core.fsync=all")
_DIED = "git update-ref ended without finishing"
_TAG = "object {old}\ntype commit\ntag inlay-backup-{number}\ntagger Inlay <inlay@localhost> {when} +0000\n\nbranch {branch}\nnew {new}\n"  # noqa: E501
_SAID = re.compile(
    r"object (?P<old>\w+)\n.*?> (?P<when>\d+) .*?\n\nbranch (?P<branch>\S+)\nnew (?P<new>\w+)\n", re.DOTALL
)


def write(root: str, kind: str, contents: Sequence[bytes]) -> list[str]:
    """Write objects, all in one process, and return the ids that git gave them."""
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        for number, content in enumerate(contents):
            Path(folder, str(number)).write_bytes(content)
        names = "".join(f"{folder}/{number}\n" for number in range(len(contents)))
        # Old histories hold commits that git would no longer make; they are carried over as they are.
        how = ("hash-object", "--literally", "-t", kind, "-w", "--no-filters", "--stdin-paths")
        return run_git.ask(root, *_DURABLE, *how, stdin=os.fsencode(names)).decode("ascii").split()


def remember(root: str, backup: Backup) -> str:
    """Write the object that a backup ref points to: it holds the old commit, and says what took its place."""
    said = _TAG.format(old=backup.old, number=backup.number, when=backup.when, branch=backup.branch, new=backup.new)
    return write(root, "tag", [os.fsencode(said)])[0]


def backups(root: str) -> tuple[Backup, ...]:
    """Every rewriting that is remembered, the latest first."""
    listed = run_git.ask(root, "for-each-ref", "--format=%(refname) %(objecttype)", "refs/inlay").decode().splitlines()
    refs = {line.split()[0] for line in listed}
    found = [_backup(root, ref, refs) for ref in refs if re.fullmatch(r"refs/inlay/backup/\d+", ref)]
    return tuple(sorted((each for each in found if each), key=lambda each: -each.number))


def _backup(root: str, ref: str, refs: set[str]) -> Backup | None:
    try:
        said = _SAID.match(os.fsdecode(run_git.ask(root, "cat-file", "tag", ref)))
    except GitFailed:
        return None
    if not said:
        return None
    number = int(ref.rsplit("/", 1)[1])
    done = Backup(number, said["branch"], said["old"], said["new"], int(said["when"]))
    return Backup(number, done.branch, done.old, done.new, done.when, done.undone_ref in refs)


def publish(root: str, steps: Sequence[str], *, reason: str, lock: int) -> None:
    """Carry out steps of `git update-ref --stdin`, in their order and as one transaction.

    Nothing that happens to us stops it half-way: it runs in a session of its own, keeps our lock as long as it lives,
    and signals wait until it has ended. Raises GitFailed where nothing, or not all of it, was done.
    """
    command = run_git.command(root, *_DURABLE, "update-ref", "-m", reason, "--stdin")
    text = "\n".join(["start", *steps, "prepare", "commit", ""])
    with signals.blocked():
        try:
            done = subprocess.run(
                command,
                input=os.fsencode(text),
                env=run_git.environment(),
                capture_output=True,
                check=False,
                pass_fds=(lock,),
                start_new_session=True,
            )
        except OSError as error:
            raise GitFailed(f"git cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        raise GitFailed(f"git update-ref: {done.stderr.decode('utf-8', 'replace').strip() or _DIED}")
