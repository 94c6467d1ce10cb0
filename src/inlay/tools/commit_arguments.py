"""Revisions as arguments of tools, and the settings of the project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from inlay.errors import EditsRefused, Misfit

if TYPE_CHECKING:
    from inlay.model.settings import Settings

Revision = Annotated[
    str, Meta(min_length=1, max_length=500, description="A commit or a range as git names them: HEAD, main..HEAD.")
]


def require_plain(revision: str) -> str:
    """The revision; raises where it cannot name a commit."""
    if not revision.isprintable() or revision.startswith("-"):
        message = f"{revision[:60]!r} names no commit"
        raise EditsRefused(Misfit("unknown-commit", message, "Name a commit or a range, such as main..HEAD."))
    return revision


def settings(root: str) -> Settings:
    from inlay.storage.config.load_settings import load

    return load(root, os.environ)
