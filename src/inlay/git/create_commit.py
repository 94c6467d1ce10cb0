"""Commit exactly the files that are named, and nothing else that is staged."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.errors import GitFailed, NeedsDecision
from inlay.git import run_git

_LITERAL = "--literal-pathspecs"
_LONGEST = 72  # characters of a subject


def require_clean(root: str, paths: Sequence[str]) -> None:
    """Raise where a commit of these files would include other work, or could not be made at all."""
    run_git.ask(root, "rev-parse", "--git-dir")
    status = run_git.ask(root, _LITERAL, "status", "--porcelain", "-z", "--no-renames", "--", *paths)
    dirty = [entry[3:].decode("utf-8", "replace") for entry in status.split(b"\0") if entry]
    if dirty:
        message = f"{', '.join(dirty)}: not committed yet, and --commit would commit that as well; commit it first"
        raise NeedsDecision(message)


def commit(root: str, paths: Sequence[str], message: str) -> str:
    """Commit these files and nothing else; gives the new commit's id."""
    run_git.ask(root, _LITERAL, "add", "--all", "--", *paths)
    run_git.ask(root, _LITERAL, "commit", "--quiet", "--only", "--file=-", "--", *paths, stdin=message.encode())
    return run_git.ask(root, "rev-parse", "HEAD").decode().strip()


def message_for(instruction: str) -> str:
    """A subject of one line from an instruction, and the instruction itself where it is longer.

    >>> message_for("add a timeout.\\nThirty seconds.")
    'Add a timeout\\n\\nadd a timeout.\\nThirty seconds.\\n'
    """
    text = instruction.strip()
    first = next(iter(text.split("\n")), "").strip().rstrip(".") or "Change files"
    subject = first[0].upper() + first[1:]
    if len(subject) > _LONGEST:
        subject = subject[: _LONGEST - 1].rsplit(" ", 1)[0] + "…"
    return f"{subject}\n" if text.rstrip(".") == first else f"{subject}\n\n{text}\n"


def not_committed(receipt: str, failure: GitFailed) -> GitFailed:
    """The same failure, with what was done before it."""
    return GitFailed(f"the files were written (change {receipt}), but not committed: {failure}")
