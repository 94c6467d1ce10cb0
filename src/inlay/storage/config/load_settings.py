"""The settings in force: the edited repository's files, the user's file, the environment, options; the later one wins.

A repository cannot loosen a policy.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from inlay.errors import EnvironmentFailure, ReplyRejected
from inlay.model.file import RepoPath
from inlay.model.settings import SETTINGS, Setting, Settings, Value
from inlay.storage.config import user_files
from inlay.storage.paths import confined_open

_Raw = TypeVar("_Raw")
_BY_KEY = {setting.key: setting for setting in SETTINGS}
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS if setting.kind != "table"}
_PREFIX = "INLAY_"
_LARGEST = 1 << 20  # bytes of a settings file
_SIMILAR = 0.8  # how similar a variable's name must be to a setting's to be taken for a misspelling
# The files in the edited repository, each with the table that holds the settings; the last one wins.
_REPOSITORY_FILES = (("pyproject.toml", ("tool", "inlay")), (".inlay.toml", ()))


@dataclass(frozen=True, slots=True)
class _SettingSource:
    """The settings of one place."""

    origin: str  #: as a person finds it: ".inlay.toml", "INLAY_MODEL", "~/.config/inlay/config.toml"
    values: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


_DEFAULT = _SettingSource("default", {setting.key: setting.default for setting in SETTINGS})


def load(
    root: str | os.PathLike[str], environ: Mapping[str, str] = os.environ, flags: Mapping[str, Value] | None = None
) -> Settings:
    """The settings for work in `root`; a flag that is None was not given.

    The repository comes before the user's file, so the user wins, except where the repository lowers a limit: of two
    limits the lower one is in force unless the environment or a flag overrides it.
    """
    user = _of_user(Path(root), environ)
    ceilings = _combined([_DEFAULT, *user]).values
    with confined_open.opened_root(root) as directory:
        files = [source for file in _REPOSITORY_FILES for source in _repository_file(directory, *file)]
    repository = [_admitted(source, ceilings) for source in files]
    lowered = {key for source in repository for key in source.values if _BY_KEY[key].scope == "lower"}
    above = [
        replace(source, values={key: value for key, value in source.values.items() if key not in lowered})
        for source in user
    ]
    options = {key: value for key, value in (flags or {}).items() if value is not None}
    given = [_SettingSource(_BY_KEY[key].option, {key: value}) for key, value in options.items()]
    return _combined([_DEFAULT, *repository, *above, *_of_environment(environ), *given])


def _combined(ordered: Iterable[_SettingSource]) -> Settings:
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    for source in ordered:
        values |= source.values
        origins |= dict.fromkeys(source.values, source.origin)
        notes += source.notes
    return Settings(values, origins, notes)


def _admitted(source: _SettingSource, ceilings: Mapping[str, Value]) -> _SettingSource:
    """What the repository may set, with a note about the rest."""
    refused = {key: _refusal(_BY_KEY[key], value, ceilings[key]) for key, value in source.values.items()}
    notes = tuple(f"{source.origin}: {key} was ignored, {why}" for key, why in refused.items() if why)
    admitted = {key: value for key, value in source.values.items() if not refused[key]}
    return _SettingSource(source.origin, admitted, source.notes + notes)


def _refusal(setting: Setting, value: Value, ceiling: Value) -> str:
    """Why a repository may not set this; empty where it may."""
    if setting.scope == "user":
        return "only the user may set it"
    provider, _, name = str(value).partition(":")
    names_a_file = provider == "recorded" or (provider == "local" and ("/" in name or name.endswith(".gguf")))
    if setting.scope == "named" and names_a_file:
        return "only the user may name a file to be used as a model"
    if setting.scope == "lower" and isinstance(ceiling, (int, float)) and isinstance(value, (int, float)):
        return f"a repository may only lower it, and {ceiling:g} is in force" if value > ceiling else ""
    return ""


def _repository_file(root: int, name: str, table: tuple[str, ...]) -> Iterator[_SettingSource]:
    """The settings in a file of the edited repository, read below the root and through no link."""
    try:
        content = confined_open.read(root, RepoPath(name), _LARGEST)
        if content is None:
            return
        values: object = tomllib.loads(content.data.decode())
    except ReplyRejected as refused:
        yield _SettingSource(name, notes=(f"{name} was ignored: {refused}",))
        return
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        # The task may be to repair this very file.
        yield _SettingSource(name, notes=(f"{name} was ignored, it is not TOML: {error}",))
        return
    for key in table:
        values = values.get(key) if isinstance(values, dict) else None
    if isinstance(values, dict):
        settings, unknown = _flattened(name, values)
        # It may be written for a later version, and must not stop anybody who works in the repository.
        yield _SettingSource(name, settings, tuple(f"{name}: {_unknown(key)}; it was ignored" for key in unknown))


def _of_user(root: Path, environ: Mapping[str, str]) -> list[_SettingSource]:
    """The user's own file; one inside the edited repository is not the user's."""
    file = config_file(environ)
    if user_files.is_inside(file, root):
        return [_SettingSource(str(file), notes=(f"{file} was ignored: it is in the edited repository",))]
    values = user_files.read_toml(file)
    if values is None:
        return []
    settings, unknown = _flattened(str(file), values)
    if unknown:
        # With a misspelt limit the user would believe in a limit that there is not.
        raise EnvironmentFailure("; ".join(f"{file}: {_unknown(key)}" for key in unknown))
    return [_SettingSource(str(file), settings)]


def config_file(environ: Mapping[str, str]) -> Path:
    return user_files.config_home(environ) / "inlay" / "config.toml"


def _of_environment(environ: Mapping[str, str]) -> list[_SettingSource]:
    """Every variable that sets something; an empty one sets nothing."""
    sources = []
    for name in sorted(name for name in environ if name.startswith(_PREFIX) and environ[name]):
        if setting := _BY_VARIABLE.get(name):
            value = _accepted(name, setting.accept_text, environ[name])
            sources.append(_SettingSource(name, {setting.key: value}))
            continue
        # The prefix that all share does not count.
        bare = [variable.removeprefix(_PREFIX) for variable in _BY_VARIABLE]
        if similar := difflib.get_close_matches(name.removeprefix(_PREFIX), bare, 1, _SIMILAR):
            raise EnvironmentFailure(f"the variable {name} sets nothing; did you mean {_PREFIX}{similar[0]}?")
    return sources


def _flattened(origin: str, table: Mapping[str, object], prefix: str = "") -> tuple[dict[str, Value], list[str]]:
    """The settings in nested tables by their dotted keys, and the keys that are unknown."""
    values: dict[str, Value] = {}
    unknown: list[str] = []
    for name, value in table.items():
        key = prefix + name
        if key in _BY_KEY:
            values[key] = _accepted(f"{origin}: {key}", _BY_KEY[key].accept, value)
        elif isinstance(value, dict) and any(other.startswith(f"{key}.") for other in _BY_KEY):
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
    similar = difflib.get_close_matches(key, _BY_KEY, 1)
    return f"{key!r} is no setting" + (f" (did you mean {similar[0]!r}?)" if similar else "")
