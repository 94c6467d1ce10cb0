"""Which rules apply: a preset or the repository's own configuration, then Inlay's settings on top of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from inlay.commits.messages import commitlint, gitlint
from inlay.commits.messages.presets import PRESETS
from inlay.commits.messages.rule import Applied, Rule, as_option
from inlay.commits.messages.rules import BY_NAME
from inlay.commits.messages.ruleset import Ruleset
from inlay.errors import BadSetting
from inlay.model.commit import Severity

_SEVERITIES = ("error", "warning", "info")
_READERS = {"commitlint": commitlint.read, "gitlint": gitlint.read}
_NEVER_BY_DEFAULT = ("-empty", "-full-stop")  # switched on without a value, these describe what must not be

#: The files that are looked for in a repository, most specific first, and the tool that they configure.
FILES: tuple[tuple[str, str], ...] = (*((name, "commitlint") for name in commitlint.FILES), (".gitlint", "gitlint"))


def ruleset(
    preset: str | None,
    rules: Mapping[str, object],
    exempt_authors: Sequence[str] = (),
    files: Sequence[tuple[str, str]] = (),
) -> Ruleset:
    """The rules that apply; `files` are the configurations of the repository, (name, text).

    A preset that is named comes before those; without one the first file with rules for commits decides.
    """
    if preset and preset not in PRESETS:
        raise BadSetting(f"commits.preset: there is no preset {preset!r}; there are {', '.join(PRESETS)}")
    base = PRESETS[preset] if preset else _first(files) or PRESETS["plain"]
    authors = (*base.exceptions.authors, *exempt_authors)
    base = replace(base, exceptions=replace(base.exceptions, authors=authors))
    changes = [_applied(name, value, base) for name, value in rules.items()]
    off = frozenset(name for name, applied in zip(rules, changes, strict=True) if applied is None)
    return base.over(*(applied for applied in changes if applied), without=off)


def _first(files: Sequence[tuple[str, str]]) -> Ruleset | None:
    readers = dict(FILES)
    rulesets = [rules for name, text in files if (rules := _READERS[readers[name]](name, text)) is not None]
    if len(rulesets) < 2:
        return next(iter(rulesets), None)
    first, *others = rulesets
    note = f"{', '.join(other.source for other in others)} is ignored: {first.source} applies"
    return replace(first, notes=(*first.notes, note))


def _applied(name: str, value: object, base: Ruleset) -> Applied | None:
    """One line of [tool.inlay.commits.rules]; None switches the rule off."""
    rule = BY_NAME.get(name)
    if rule is None:
        raise BadSetting(f"commits.rules: there is no rule {name!r}")
    if value is False or value == "off":
        return None
    fresh = Applied(name, "error", rule.default, never=name.endswith(_NEVER_BY_DEFAULT))
    applied = next((applied for applied in base.rules if applied.rule == name), fresh)
    if isinstance(value, Mapping):
        applied = _from_table(rule, value, applied)
    elif value in _SEVERITIES:
        applied = replace(applied, severity=cast(Severity, value))
    elif value is not True:
        applied = replace(applied, value=as_option(rule, value))
    if rule.takes != "none" and applied.value is None:
        raise BadSetting(f"commits.rules.{name} needs a value")
    return applied


def _from_table(rule: Rule, table: Mapping[str, object], before: Applied) -> Applied:
    if unknown := sorted(set(table) - {"severity", "value", "never"}):
        raise BadSetting(f"commits.rules.{rule.name}: {unknown[0]!r} is unknown; there are severity, value and never")
    severity, never = table.get("severity", before.severity), table.get("never", before.never)
    if severity not in _SEVERITIES:
        raise BadSetting(f"commits.rules.{rule.name}: severity is one of {', '.join(_SEVERITIES)}")
    value = as_option(rule, table["value"]) if "value" in table else before.value
    return Applied(rule.name, cast(Severity, severity), value, bool(never))
