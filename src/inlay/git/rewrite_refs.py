"""How a rewritten history gets into git: objects first, then backup and branch in one transaction of refs."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inlay.errors import GitFailed
from inlay.git import run_git
from inlay.model.history_rewrite import Backup
from inlay.processes import signals

# What was reported as done must survive a power cut; by itself git does not sync single objects.
_DURABLE = ("-c", "core.fsync=all")
_DIED = "git update-ref ended without finishing"
_TAG = "object {old}\ntype commit\ntag inlay-backup-{number}\ntagger Inlay <inlay@localhost> {when} +0000\n\nbranch {branch}\nnew {new}\n"  # noqa: E501
_LISTING = "--format=%(refname) %(object) %(taggerdate:unix) %(contents:subject)"
_LISTED = re.compile(
    r"refs/inlay/backup/(?P<number>\d+) (?P<old>\w+) (?P<when>\d+) branch (?P<branch>\S+) new (?P<new>\w+)"
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


def write_backup(root: str, backup: Backup) -> str:
    """Write the object that a backup ref points to: it keeps the old commit, and names the new one."""
    text = _TAG.format(old=backup.old, number=backup.number, when=backup.when, branch=backup.branch, new=backup.new)
    return write(root, "tag", [os.fsencode(text)])[0]


def backups(root: str) -> tuple[Backup, ...]:
    """Every rewrite that has a backup, the latest first."""
    lines = os.fsdecode(run_git.ask(root, "for-each-ref", _LISTING, "refs/inlay")).split("\n")
    refs = {line.split(" ", 1)[0] for line in lines}
    kept = [Backup(int(ref["number"]), ref["branch"], ref["old"], ref["new"], int(ref["when"]))
            for ref in map(_LISTED.fullmatch, lines) if ref]  # fmt: skip
    marked = (replace(backup, is_undone=backup.undone_ref in refs) for backup in kept)
    return tuple(sorted(marked, key=lambda backup: -backup.number))


def publish(root: str, steps: Sequence[str], *, reason: str, lock: int) -> None:
    """Run steps of `git update-ref --stdin`, in their order and as one transaction.

    No signal to us stops it half-way: it runs in a session of its own, holds our lock as long as it lives, and signals
    wait until it has ended. Raises GitFailed where nothing, or not all of it, was done.
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
