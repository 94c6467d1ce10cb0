"""The token that clients of a served project must know: made once, kept where only its user can read it."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from inlay.storage import confinement, home

_NAME = "mcp-token"
_SHORTEST = 32


def of(root: str | os.PathLike[str]) -> tuple[str, Path]:
    """The token of a project, made where there is none, and the file that holds it."""
    descriptor = confinement.open_root(os.fspath(root))
    try:
        with home.made(descriptor) as at:
            found = home.read(at.top, _NAME).decode("ascii", "replace").strip()
            if len(found) < _SHORTEST:
                found = secrets.token_urlsafe(32)
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(_NAME, dir_fd=at.top)
                home.write_new(at.top, _NAME, f"{found}\n".encode())
    except OSError as error:
        raise confinement.failure(f"{home.NAME}/{_NAME}", error) from error
    finally:
        os.close(descriptor)
    return found, Path(root, home.NAME, _NAME)
