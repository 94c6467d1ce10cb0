"""What git knows about where it works: the top of the working tree, its own directories, its configuration."""

from __future__ import annotations

import os

from inlay.errors import GitFailed
from inlay.git import run_git
from inlay.model.commit import Person


def top(root: str) -> str | None:
    """The top of the working tree that `root` lies in; None in a bare repository.

    Raises GitFailed where there is no repository at all.
    """
    if run_git.ask(root, "rev-parse", "--is-inside-work-tree").strip() != b"true":
        return None
    return os.fsdecode(run_git.ask(root, "rev-parse", "--show-toplevel").rstrip(b"\n"))


def path(root: str, name: str) -> str:
    """Where git keeps `name`, for this working tree: "HEAD", "refs/heads/main", "inlay/journal"."""
    found = os.fsdecode(run_git.ask(root, "rev-parse", "--git-path", name).rstrip(b"\n"))
    return os.path.normpath(os.path.join(root, found))


def common(root: str) -> str:
    """The directory that all working trees of the repository share."""
    found = os.fsdecode(run_git.ask(root, "rev-parse", "--git-common-dir").rstrip(b"\n"))
    return os.path.normpath(os.path.join(root, found))


def configured(root: str, key: str) -> tuple[str, str] | None:
    """What the repository or the user set, with the scope ("local", "global", …); None where nobody did."""
    try:
        lines = run_git.ask(root, "config", "--show-scope", "--get-all", "-z", key).split(b"\0")
    except GitFailed:
        return None
    # Scope and value alternate; what we pass on the command line ourselves is no setting of theirs.
    pairs = zip(lines[::2], lines[1::2], strict=False)
    told = [(os.fsdecode(scope), os.fsdecode(value)) for scope, value in pairs]
    return next((each for each in reversed(told) if each[0] != "command"), None)


def hooks(root: str) -> tuple[str, str]:
    """The directory that git takes hooks from, and the scope of the setting that names it; empty for git's own."""
    found = configured(root, "core.hooksPath")
    if found is None or not found[1]:
        return os.path.join(common(root), "hooks"), ""
    return os.path.join(top(root) or root, os.path.expanduser(found[1])), found[0]


def comment_mark(root: str) -> str:
    """What begins a comment in a message that is being edited; "auto" where git chooses."""
    found = configured(root, "core.commentString") or configured(root, "core.commentChar")
    return found[1] if found else "#"


def author(root: str) -> Person | None:
    """Who would be the author of a commit made now; None where git does not know."""
    try:
        said = os.fsdecode(run_git.ask(root, "var", "GIT_AUTHOR_IDENT"))
    except GitFailed:
        return None
    name, _, rest = said.partition(" <")
    email, _, when = rest.partition("> ")
    return Person(name, email, when.strip())
