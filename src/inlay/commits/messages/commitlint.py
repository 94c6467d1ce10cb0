"""Configurations of commitlint as rules: plain data is read, nothing is run, and whatever is not read is reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from inlay.commits.messages import plain_js
from inlay.commits.messages.config_data import ConfigUnreadable, read_json, read_yaml
from inlay.commits.messages.presets import COMMITLINT_CONVENTIONAL
from inlay.commits.messages.rule import Applied, as_option
from inlay.commits.messages.rules import BY_NAME
from inlay.commits.messages.rules.casing import CASES
from inlay.commits.messages.ruleset import Exceptions, Ruleset
from inlay.errors import BadSetting
from inlay.model.commit import Severity

_SCRIPTS = tuple(f"{stem}.{ending}" for stem in ("commitlint.config", ".commitlintrc") for ending in
                 ("js", "cjs", "mjs", "ts", "cts", "mts"))  # fmt: skip
FILES = (".commitlintrc", ".commitlintrc.json", ".commitlintrc.yaml", ".commitlintrc.yml", *_SCRIPTS, "package.json")

_LEVELS: Mapping[object, Severity] = {1: "warning", 2: "error"}
_SAME = {"@commitlint/config-conventional": COMMITLINT_CONVENTIONAL}
_IGNORED_BY_DEFAULT = (
    r"(?:fixup|squash|amend)!",
    r"(?:chore(?:\([^)]+\))?:)? ?v?\d+\.\d+\.\d+(?:[-+.\w]*)?$",
    "Initial commit$",
)


@dataclass(slots=True)
class _Reading:
    name: str
    rules: dict[str, Applied] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def note(self, what: str) -> None:
        self.notes.append(f"{self.name}: {what}")


def read(name: str, text: str) -> Ruleset | None:
    """The rules of a configuration file; None where it has none (a package.json need not)."""
    try:
        data = _data(name, text)
    except ConfigUnreadable as error:
        return Ruleset(source=name, unreadable=(f"{name} could not be read: {error}",))
    if data is None:
        return None
    if not isinstance(data, Mapping):
        return Ruleset(source=name, unreadable=(f"{name} could not be read: it is not a table",))
    reading = _Reading(name)
    _extend(data.get("extends", ()), reading)
    for key in sorted(set(data) - {"extends", "rules", "defaultIgnores", "helpUrl", "formatter", "prompt", "$schema"}):
        reading.note(f"{key!r} is ignored")
    rules = data.get("rules", {})
    for rule, setting in rules.items() if isinstance(rules, Mapping) else ():
        _rule(str(rule), setting, reading)
    ignores = data.get("defaultIgnores", True) is not False
    exceptions = Exceptions(headers=_IGNORED_BY_DEFAULT if ignores else (), merges=ignores, reverts=ignores)
    return Ruleset(tuple(reading.rules.values()), exceptions, name, tuple(reading.notes))


def _data(name: str, text: str) -> object:
    if name == "package.json":
        package = read_json(text)
        return package.get("commitlint") if isinstance(package, Mapping) else None
    if name in _SCRIPTS:
        return plain_js.read(text)
    is_json = name.endswith(".json") or (name == ".commitlintrc" and text.lstrip().startswith("{"))
    return read_json(text) if is_json else read_yaml(text)


def _extend(extends: object, reading: _Reading) -> None:
    for base in [extends] if isinstance(extends, str) else extends if isinstance(extends, (list, tuple)) else ():
        rules = _SAME.get(str(base)) or _SAME.get(f"@commitlint/config-{base}")
        if rules is None:
            reading.note(f"extends {base!r}, whose rules are unknown here and not checked")
            continue
        reading.rules |= {applied.rule: applied for applied in rules}


def _rule(name: str, setting: object, reading: _Reading) -> None:
    """One rule: `[level, "always" or "never", value]`."""
    parts = list(setting) if isinstance(setting, (list, tuple)) else [setting]
    level, when, value = [*parts, None, None, None][:3]
    if level == 0:
        reading.rules.pop(name, None)
        return
    if level not in _LEVELS or when not in (None, "always", "never"):
        reading.note(f"the rule {name!r} is not written as data and not checked")
        return
    if name not in BY_NAME:
        reading.note(f"the rule {name!r} is unknown here and not checked")
        return
    try:
        reading.rules[name] = _applied(name, _LEVELS[level], when == "never", value)
    except BadSetting as error:
        reading.note(f"the rule {name!r} is not checked: {error}")


def _applied(name: str, severity: Severity, never: bool, value: object) -> Applied:
    rule = BY_NAME[name]
    if value is None or rule.takes == "none":
        if rule.takes != "none" and rule.default is None:
            raise BadSetting("its value is missing")
        return Applied(name, severity, rule.default, never)
    option = as_option(rule, value)
    if name.endswith("-case") and (odd := {*(option if isinstance(option, tuple) else ())} - CASES):
        raise BadSetting(f"the case {sorted(odd)[0]!r} is unknown here")
    return Applied(name, severity, option, never)
