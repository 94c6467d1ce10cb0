"""The settings in force: every source combined, the later one winning; a repository cannot loosen a policy."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from inlay.model.settings import SETTINGS, Setting, Settings, Value
from inlay.storage.config import sources
from inlay.storage.config.sources import BY_KEY, SettingSource
from inlay.storage.paths import confined_open

_DEFAULT = SettingSource("default", {setting.key: setting.default for setting in SETTINGS})


def load(
    root: str | os.PathLike[str], environ: Mapping[str, str] = os.environ, flags: Mapping[str, Value] | None = None
) -> Settings:
    """The settings for work in `root`; a flag that is None was not given.

    The repository comes before the user's file, so the user wins, except where the repository lowers a limit: of two
    limits the lower one is in force unless the environment or a flag overrides it.
    """
    user = sources.of_user(Path(root), environ)
    ceilings = _combined([_DEFAULT, *user]).values
    with confined_open.opened_root(root) as directory:
        repository = [_admitted(source, ceilings) for source in sources.of_repository(directory)]
    lowered = {key for source in repository for key in source.values if BY_KEY[key].scope == "lower"}
    above = [
        replace(source, values={key: value for key, value in source.values.items() if key not in lowered})
        for source in user
    ]
    options = {key: value for key, value in (flags or {}).items() if value is not None}
    given = [SettingSource(BY_KEY[key].option, {key: value}) for key, value in options.items()]
    return _combined([_DEFAULT, *repository, *above, *sources.of_environment(environ), *given])


def _combined(ordered: Iterable[SettingSource]) -> Settings:
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    notes: tuple[str, ...] = ()
    for source in ordered:
        values |= source.values
        origins |= dict.fromkeys(source.values, source.origin)
        notes += source.notes
    return Settings(values, origins, notes)


def _admitted(source: SettingSource, ceilings: Mapping[str, Value]) -> SettingSource:
    """What the repository may set, with a note about the rest."""
    refused = {key: _refusal(BY_KEY[key], value, ceilings[key]) for key, value in source.values.items()}
    notes = tuple(f"{source.origin}: {key} was ignored, {why}" for key, why in refused.items() if why)
    admitted = {key: value for key, value in source.values.items() if not refused[key]}
    return SettingSource(source.origin, admitted, source.notes + notes)


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
