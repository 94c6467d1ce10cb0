"""The project's own secret key, which makes the marks around content in prompts hard to guess."""

from __future__ import annotations

import os

from inlay.errors import EnvironmentFailure
from inlay.storage.paths import confined_open
from inlay.storage.state import state_dir

_NAME = "key"
_LENGTH = 32


def prompt_key(root: str | os.PathLike[str]) -> bytes:
    """The same key every time; where none can be kept, one that holds for this call only."""
    try:
        descriptor = confined_open.open_root(os.fspath(root))
        try:
            return _kept(descriptor)
        finally:
            os.close(descriptor)
    except (OSError, EnvironmentFailure):
        return os.urandom(_LENGTH)


def _kept(root: int) -> bytes:
    with state_dir.made(root) as at:
        known = state_dir.read(at.top, _NAME)
        if len(known) == _LENGTH:
            return known
        state_dir.replace(at.top, _NAME, os.urandom(_LENGTH))
        # Read back, because another process may have been quicker.
        return state_dir.read(at.top, _NAME)
