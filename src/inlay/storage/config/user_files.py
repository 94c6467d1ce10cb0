"""The user's own files outside any project: where they are, and how their configuration is read."""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from inlay.errors import EnvironmentFailure


def home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME") or os.path.expanduser("~"))


def config_home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("XDG_CONFIG_HOME") or home(environ) / ".config")


def data_home(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("XDG_DATA_HOME") or home(environ) / ".local" / "share")


def is_inside(file: Path, root: Path) -> bool:
    """Whether a file lies in the edited project, so that it is not the user's own."""
    with contextlib.suppress(OSError, RuntimeError):
        return file.resolve().is_relative_to(root.resolve())
    return False


def read_toml(file: Path) -> dict[str, object] | None:
    """A configuration file; None where there is none, raises EnvironmentFailure where it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        if isinstance(error, PermissionError) and not os.access(file.parent, os.F_OK):
            return None  # another user's home, as when a service runs with it
        raise EnvironmentFailure(f"{file} cannot be read: {error}") from error
