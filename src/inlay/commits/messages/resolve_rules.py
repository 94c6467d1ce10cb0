"""Which rules apply: a preset or the repository's own configuration, then Inlay's settings on top of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from inlay.commits.messages import commitlint, gitlint
from inlay.commits.messages.presets import PRESETS
from inlay.commits.messages.rule import Applied, Rule
from inlay.commits.messages.rule_values import as_option
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
    base = _preset(preset) if preset else _first(files) or PRESETS["plain"]
    authors = (*base.exceptions.authors, *exempt_authors)
    base = replace(base, exceptions=replace(base.exceptions, authors=authors))
    changes = [_applied(name, value, base) for name, value in rules.items()]
    off = frozenset(name for name, applied in zip(rules, changes, strict=True) if applied is None)
    return base.over(*(applied for applied in changes if applied), without=off)


def _preset(name: str) -> Ruleset:
    if name not in PRESETS:
        raise BadSetting(f"commits.preset: there is no preset {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def _first(files: Sequence[tuple[str, str]]) -> Ruleset | None:
    readers = dict(FILES)
    rulesets = [rules for name, text in files if (rules := _READERS[readers[name]](name, text)) is not None]
    if len(rulesets) < 2:
        return rulesets[0] if rulesets else None
    first, *others = rulesets
    note = f"{', '.join(other.source for other in others)} is ignored: {first.source} applies"
    return replace(first, notes=(*first.notes, note))


def _applied(name: str, value: object, base: Ruleset) -> Applied | None:
    """One line of [tool.inlay.commits.rules]; None switches the rule off."""
    rule = BY_NAME.get(name)
    if rule is None:
        raise BadSetting(f"commits.rules: there is no rule {name!r}")
    before = next((applied for applied in base.rules if applied.rule == name), _fresh(rule))
    if value is False or value == "off":
        return None
    if value is True or value in _SEVERITIES:
        severity = before.severity if value is True else cast(Severity, value)
        return _complete(rule, replace(before, severity=severity))
    if isinstance(value, Mapping):
        return _complete(rule, _from_table(rule, value, before))
    return _complete(rule, replace(before, value=as_option(rule, value)))


def _fresh(rule: Rule) -> Applied:
    return Applied(rule.name, "error", rule.default, never=rule.name.endswith(_NEVER_BY_DEFAULT))


def _from_table(rule: Rule, table: Mapping[str, object], before: Applied) -> Applied:
    if unknown := sorted(set(table) - {"severity", "value", "never"}):
        raise BadSetting(f"commits.rules.{rule.name}: {unknown[0]!r} is unknown; there are severity, value and never")
    severity, never = table.get("severity", before.severity), table.get("never", before.never)
    if severity not in _SEVERITIES:
        raise BadSetting(f"commits.rules.{rule.name}: severity is one of {', '.join(_SEVERITIES)}")
    value = as_option(rule, table["value"]) if "value" in table else before.value
    return Applied(rule.name, cast(Severity, severity), value, bool(never))


def _complete(rule: Rule, applied: Applied) -> Applied:
    if rule.takes != "none" and applied.value is None:
        raise BadSetting(f"commits.rules.{rule.name} needs a value")
    return applied
