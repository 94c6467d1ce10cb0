"""Where settings are written: the edited repository's files, the user's own file, the environment."""

from __future__ import annotations

import contextlib
import difflib
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from inlay.errors import EnvironmentFailure, ReplyRejected
from inlay.model.file import RepoPath
from inlay.model.settings import SETTINGS, Value
from inlay.storage.paths import confined_open

_Given = TypeVar("_Given")
_KNOWN = {setting.key: setting for setting in SETTINGS}
_PREFIX = "INLAY_"
_LARGEST = 1 << 20  # bytes of a file of settings
_ALIKE = 0.8  # how close a variable's name must come to a setting's to be taken for a slip


@dataclass(frozen=True, slots=True)
class SettingSource:
    """What one place sets."""

    origin: str  #: as a person finds it: ".inlay.toml", "INLAY_MODEL", "~/.config/inlay/config.toml"
    values: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def of_repository(root: int) -> list[SettingSource]:
    """The files in the edited repository, the one that counts more last; read below the root and through no link."""
    return [
        *_repository_file(root, "pyproject.toml", ("tool", "inlay")),
        *_repository_file(root, ".inlay.toml", ()),
    ]


def _repository_file(root: int, name: str, table: tuple[str, ...]) -> Iterator[SettingSource]:
    try:
        found = confined_open.read(root, RepoPath(name), _LARGEST)
        if found is None:
            return
        given: object = tomllib.loads(found.data.decode())
    except ReplyRejected as refused:
        yield SettingSource(name, notes=(f"{name} was passed over: {refused}",))
        return
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        # The file may be the very thing that is to be mended.
        yield SettingSource(name, notes=(f"{name} was passed over, it is no TOML: {error}",))
        return
    for step in table:
        given = given.get(step) if isinstance(given, dict) else None
    if isinstance(given, dict):
        values, strange = _flattened(name, given)
        # Written for a later version, perhaps; it must not stop whoever works in the repository.
        yield SettingSource(name, values, tuple(f"{name}: {_unknown(key)}; it was passed over" for key in strange))


def of_user(root: Path, environ: Mapping[str, str]) -> list[SettingSource]:
    """The user's own file; one that lies inside the edited repository is no word of the user's."""
    file = config_file(environ)
    with contextlib.suppress(OSError, RuntimeError):
        if file.resolve().is_relative_to(root.resolve()):
            return [SettingSource(str(file), notes=(f"{file} was passed over: it lies in the edited repository",))]
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except PermissionError as error:
        if _is_out_of_sight(file.parent):
            return []  # somebody else's home, as when a service runs with it
        raise EnvironmentFailure(f"{file} cannot be read: {error}") from error
    except (OSError, RuntimeError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EnvironmentFailure(f"{file} cannot be read: {error}") from error
    values, strange = _flattened(str(file), given)
    if strange:
        # A misspelt limit would leave the user believing in it.
        raise EnvironmentFailure("; ".join(f"{file}: {_unknown(key)}" for key in strange))
    return [SettingSource(str(file), values)]


def config_file(environ: Mapping[str, str]) -> Path:
    """Where the user's own settings are."""
    above = environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return Path(above, "inlay", "config.toml")


def _is_out_of_sight(directory: Path) -> bool:
    try:
        os.stat(directory)
    except PermissionError:
        return True
    except OSError:
        pass
    return False


def of_environment(environ: Mapping[str, str]) -> list[SettingSource]:
    """Every variable that sets something; one that is empty sets nothing."""
    known = {setting.variable: setting for setting in SETTINGS if setting.kind != "table"}
    found = []
    for name in sorted(name for name in environ if name.startswith(_PREFIX) and environ[name]):
        if name in known:
            found.append(SettingSource(name, {known[name].key: _taken(name, known[name].accept_text, environ[name])}))
        elif alike := _alike(name, known):
            raise EnvironmentFailure(f"the variable {name} sets nothing; did you mean {alike}?")
    return found


def _alike(name: str, known: Iterable[str]) -> str:
    """The variable that was probably meant; the prefix they all share does not count."""
    bare = [each.removeprefix(_PREFIX) for each in known]
    found = difflib.get_close_matches(name.removeprefix(_PREFIX), bare, 1, _ALIKE)
    return _PREFIX + found[0] if found else ""


def _flattened(origin: str, given: Mapping[str, object], above: str = "") -> tuple[dict[str, Value], list[str]]:
    """The settings in nested tables by their dotted keys, and the keys that are none."""
    values: dict[str, Value] = {}
    strange: list[str] = []
    for name, value in given.items():
        key = above + name
        if key in _KNOWN:
            values[key] = _taken(f"{origin}: {key}", _KNOWN[key].accept, value)
        elif isinstance(value, dict) and any(known.startswith(f"{key}.") for known in _KNOWN):
            below, odd = _flattened(origin, value, f"{key}.")
            values |= below
            strange += odd
        else:
            strange.append(key)
    return values, strange


def _taken(where: str, accept: Callable[[_Given], Value], value: _Given) -> Value:
    try:
        return accept(value)
    except ValueError as error:
        raise EnvironmentFailure(f"{where} {error}, not {_shown(value)}") from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _unknown(key: str) -> str:
    alike = difflib.get_close_matches(key, _KNOWN, 1)
    return f"{key!r} is no setting" + (f" (did you mean {alike[0]!r}?)" if alike else "")
