"""Where settings come from: the edited repository's files, the user's own file, the environment."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from inlay.errors import EnvironmentFailure, ReplyRejected
from inlay.model.file import RepoPath
from inlay.model.settings import SETTINGS, Value
from inlay.storage.config import user_files
from inlay.storage.paths import confined_open

_Raw = TypeVar("_Raw")
BY_KEY = {setting.key: setting for setting in SETTINGS}
_PREFIX = "INLAY_"
_LARGEST = 1 << 20  # bytes of a settings file
_SIMILAR = 0.8  # how similar a variable's name must be to a setting's to be taken for a misspelling


@dataclass(frozen=True, slots=True)
class SettingSource:
    """The settings of one place."""

    origin: str  #: as a person finds it: ".inlay.toml", "INLAY_MODEL", "~/.config/inlay/config.toml"
    values: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def of_repository(root: int) -> list[SettingSource]:
    """The files in the edited repository, the one that wins last; read below the root and through no link."""
    return [*_repository_file(root, "pyproject.toml", ("tool", "inlay")), *_repository_file(root, ".inlay.toml", ())]


def _repository_file(root: int, name: str, table: tuple[str, ...]) -> Iterator[SettingSource]:
    try:
        content = confined_open.read(root, RepoPath(name), _LARGEST)
        if content is None:
            return
        values: object = tomllib.loads(content.data.decode())
    except ReplyRejected as refused:
        yield SettingSource(name, notes=(f"{name} was ignored: {refused}",))
        return
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        # The task may be to repair this very file.
        yield SettingSource(name, notes=(f"{name} was ignored, it is not TOML: {error}",))
        return
    for key in table:
        values = values.get(key) if isinstance(values, dict) else None
    if isinstance(values, dict):
        settings, unknown = _flattened(name, values)
        # It may be written for a later version, and must not stop anybody who works in the repository.
        yield SettingSource(name, settings, tuple(f"{name}: {_unknown(key)}; it was ignored" for key in unknown))


def of_user(root: Path, environ: Mapping[str, str]) -> list[SettingSource]:
    """The user's own file; one inside the edited repository is not the user's."""
    file = config_file(environ)
    if user_files.is_inside(file, root):
        return [SettingSource(str(file), notes=(f"{file} was ignored: it is in the edited repository",))]
    values = user_files.read_toml(file)
    if values is None:
        return []
    settings, unknown = _flattened(str(file), values)
    if unknown:
        # With a misspelt limit the user would believe in a limit that there is not.
        raise EnvironmentFailure("; ".join(f"{file}: {_unknown(key)}" for key in unknown))
    return [SettingSource(str(file), settings)]


def config_file(environ: Mapping[str, str]) -> Path:
    return user_files.config_home(environ) / "inlay" / "config.toml"


def of_environment(environ: Mapping[str, str]) -> list[SettingSource]:
    """Every variable that sets something; an empty one sets nothing."""
    by_variable = {setting.variable: setting for setting in SETTINGS if setting.kind != "table"}
    sources = []
    for name in sorted(name for name in environ if name.startswith(_PREFIX) and environ[name]):
        if setting := by_variable.get(name):
            value = _accepted(name, setting.accept_text, environ[name])
            sources.append(SettingSource(name, {setting.key: value}))
            continue
        # The prefix that all share does not count.
        bare = [variable.removeprefix(_PREFIX) for variable in by_variable]
        if similar := difflib.get_close_matches(name.removeprefix(_PREFIX), bare, 1, _SIMILAR):
            raise EnvironmentFailure(f"the variable {name} sets nothing; did you mean {_PREFIX}{similar[0]}?")
    return sources


def _flattened(origin: str, table: Mapping[str, object], prefix: str = "") -> tuple[dict[str, Value], list[str]]:
    """The settings in nested tables by their dotted keys, and the keys that are unknown."""
    values: dict[str, Value] = {}
    unknown: list[str] = []
    for name, value in table.items():
        key = prefix + name
        if key in BY_KEY:
            values[key] = _accepted(f"{origin}: {key}", BY_KEY[key].accept, value)
        elif isinstance(value, dict) and any(other.startswith(f"{key}.") for other in BY_KEY):
            below, unknown_below = _flattened(origin, value, f"{key}.")
            values |= below
            unknown += unknown_below
        else:
            unknown.append(key)
    return values, unknown


def _accepted(where: str, accept: Callable[[_Raw], Value], value: _Raw) -> Value:
    try:
        return accept(value)
    except ValueError as error:
        shown = text if len(text := repr(value)) <= 60 else f"{text[:60]}…"
        raise EnvironmentFailure(f"{where} {error}, not {shown}") from None


def _unknown(key: str) -> str:
    similar = difflib.get_close_matches(key, BY_KEY, 1)
    return f"{key!r} is no setting" + (f" (did you mean {similar[0]!r}?)" if similar else "")
