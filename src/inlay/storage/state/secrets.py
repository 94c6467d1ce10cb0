"""Secrets that are made once and kept where only their user can read them: keys of prompts, a server's token."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from inlay.errors import InlayError
from inlay.storage.state import atomic_write, state_dir, syscalls

_KEY, _TOKEN = "key", "mcp-token"
KEY_LENGTH = 32  #: bytes; a token has more


def prompt_key(root: str | os.PathLike[str]) -> bytes:
    """The key that makes the marks around content in prompts hard to guess; always the same for a project."""
    try:
        with state_dir.opened(root) as state:
            return key_in(state.top)
    except InlayError:
        return os.urandom(KEY_LENGTH)  # for this call only


def key_in(directory: int) -> bytes:
    """The key that is kept in a directory, made where there is none."""
    return _kept(directory, _KEY, os.urandom(KEY_LENGTH))


def server_token(root: str | os.PathLike[str]) -> tuple[str, Path]:
    """The token that clients of a served project must send, and the file that holds it."""
    with state_dir.opened(root, _TOKEN) as state:
        token = _kept(state.top, _TOKEN, f"{secrets.token_urlsafe(32)}\n".encode())
    return token.decode("ascii", "replace").strip(), Path(root, state_dir.NAME, _TOKEN)


def _kept(directory: int, name: str, fresh: bytes) -> bytes:
    secret = atomic_write.read(directory, name)
    if len(secret) < KEY_LENGTH:
        if secret:
            with contextlib.suppress(FileNotFoundError):
                syscalls.unlink(name, directory)
        # Of two processes that make it at the same time, both get the first one's.
        with contextlib.suppress(FileExistsError):
            atomic_write.create(directory, name, fresh)
        secret = atomic_write.read(directory, name)
    return secret
