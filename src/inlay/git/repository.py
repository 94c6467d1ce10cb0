"""The facts about one repository, asked of git once; and what git's configuration says about messages and hooks."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from inlay.errors import GitFailed
from inlay.git import run_git
from inlay.git.objects import ObjectReader
from inlay.model.commit import Person

_END = "--end-of-answer"  # git rev-parse repeats an option that it does not know
_QUESTIONS = ("--is-inside-work-tree", "--show-cdup", "--absolute-git-dir", "--git-common-dir", "--show-object-format")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository to ask about; used in a `with` statement, which ends the git that reads its objects."""

    root: str  #: the directory that was named, anywhere in the repository
    top: str | None  #: the top of the working tree; None in a bare repository
    git_dir: str  #: of this working tree
    common_dir: str  #: what all working trees share
    uses_sha256: bool
    objects: ObjectReader = field(compare=False)

    def path(self, name: str) -> str:
        """Where git keeps `name`: "HEAD" and what is under way for each working tree, all else for all of them."""
        is_shared = name.startswith(("refs/", "info/")) or name == "shallow"
        return os.path.join(self.common_dir if is_shared else self.git_dir, name)

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.objects.close()


def open_repository(root: str) -> Repository:
    """The repository that `root` lies in; raises GitFailed where there is none."""
    options = [option for question in _QUESTIONS for option in (question, _END)]
    answers = os.fsdecode(run_git.ask(root, "rev-parse", *options)).split(f"{_END}\n")
    is_inside, up, git_dir, common_dir, object_format = (answer.removesuffix("\n") for answer in answers[:-1])
    return Repository(
        root,
        os.path.realpath(os.path.join(root, up)) if is_inside == "true" else None,
        git_dir,
        os.path.normpath(os.path.join(root, common_dir)),
        object_format == "sha256",
        ObjectReader(root),
    )


def configured(root: str, key: str) -> tuple[str, str] | None:
    """What the repository or the user set, with the scope ("local", "global", …); None where it is not set."""
    try:
        lines = run_git.ask(root, "config", "--show-scope", "--get-all", "-z", key).split(b"\0")
    except GitFailed:
        return None
    # Scope and value alternate; what we pass on the command line ourselves is no setting of theirs.
    pairs = [(os.fsdecode(scope), os.fsdecode(value)) for scope, value in zip(lines[::2], lines[1::2], strict=False)]
    return next((pair for pair in reversed(pairs) if pair[0] != "command"), None)


def hooks(repo: Repository) -> tuple[str, str]:
    """The directory that git takes hooks from, and the scope of the setting that names it; empty for git's own."""
    setting = configured(repo.root, "core.hooksPath")
    if setting is None or not setting[1]:
        return os.path.join(repo.common_dir, "hooks"), ""
    return os.path.join(repo.top or repo.root, os.path.expanduser(setting[1])), setting[0]


def comment_mark(root: str) -> str:
    """What begins a comment in a message that is being edited; "auto" where git chooses."""
    setting = configured(root, "core.commentString") or configured(root, "core.commentChar")
    return setting[1] if setting else "#"


def author(root: str) -> Person | None:
    """Who would be the author of a commit made now; None where git does not know."""
    try:
        identity = os.fsdecode(run_git.ask(root, "var", "GIT_AUTHOR_IDENT"))
    except GitFailed:
        return None
    name, _, rest = identity.partition(" <")
    email, _, when = rest.partition("> ")
    return Person(name, email, when.strip())
