"""The token that clients of a served project must know: made once, kept where only its user can read it."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from inlay.storage.paths import confined_open
from inlay.storage.state import state_dir

_NAME = "mcp-token"
_SHORTEST = 32


def of(root: str | os.PathLike[str]) -> tuple[str, Path]:
    """The token of a project, made where there is none, and the file that holds it."""
    descriptor = confined_open.open_root(os.fspath(root))
    try:
        with state_dir.made(descriptor) as at:
            found = state_dir.read(at.top, _NAME).decode("ascii", "replace").strip()
            if len(found) < _SHORTEST:
                found = secrets.token_urlsafe(32)
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(_NAME, dir_fd=at.top)
                state_dir.write_new(at.top, _NAME, f"{found}\n".encode())
    except OSError as error:
        raise confined_open.failure(f"{state_dir.NAME}/{_NAME}", error) from error
    finally:
        os.close(descriptor)
    return found, Path(root, state_dir.NAME, _NAME)
