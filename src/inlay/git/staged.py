"""What is staged for the next commit."""

from __future__ import annotations

from inlay.git import run_git

_DIFF = (
    "diff --cached -M -U3 --full-index --no-color --no-ext-diff --no-textconv --submodule=short "
    "--src-prefix=a/ --dst-prefix=b/"
).split()


def diff(root: str) -> bytes:
    """The staged changes as git shows them, in a repository without a commit too; empty where there are none."""
    return run_git.ask(root, "-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false", *_DIFF)
