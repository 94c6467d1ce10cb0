"""Configurations of gitlint as rules; rules written in Python are not run, which is reported."""

from __future__ import annotations

import configparser
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from inlay.commits.messages.rule import Applied
from inlay.commits.messages.rules.patterns import TYPES
from inlay.commits.messages.ruleset import Exceptions, Ruleset

_EMAIL = r"[^@ ]+@[^@ ]+\.[^@ ]+"
# Keys of [general] that change no rule, or are read here.
_QUIET = "verbosity debug target fail-without-commits regex-style-search ignore-stdin staged extra-path contrib ignore"
_Options = Mapping[str, str]
_Read = Callable[[_Options], tuple[Applied, ...]]


@dataclass(frozen=True, slots=True)
class _GitlintRule:
    """A rule of gitlint: its id, whether it is on by default, and our rules for it."""

    id: str
    name: str
    applied: _Read
    default: bool = True


def _flag(rule: str, *, never: bool = False) -> _Read:
    return lambda options: (Applied(rule, "error", never=never),)


def _count(rule: str, key: str, default: int) -> _Read:
    return lambda options: (Applied(rule, "error", int(options.get(key, default))),)


def _pattern(rule: str, default: str = "") -> _Read:
    def applied(options: _Options) -> tuple[Applied, ...]:
        pattern = options.get("regex", default)
        re.compile(pattern)
        return (Applied(rule, "error", pattern),) if pattern else ()

    return applied


def _forbidden(options: _Options) -> tuple[Applied, ...]:
    words = tuple(word.strip() for word in options.get("words", "WIP").split(",") if word.strip())
    return (Applied("header-forbidden", "error", words),) if words else ()


def _conventional(options: _Options) -> tuple[Applied, ...]:
    types = tuple(kind.strip() for kind in options.get("types", ",".join(TYPES)).split(","))
    return Applied("type-empty", "error", never=True), Applied("type-enum", "error", types)


_RULES = (
    _GitlintRule("T1", "title-max-length", _count("header-max-length", "line-length", 72)),
    _GitlintRule("T2", "title-trailing-whitespace", _flag("header-trim")),
    _GitlintRule("T3", "title-trailing-punctuation",
                 lambda options: (Applied("header-full-stop", "error", "?:!.,;", never=True),)),
    _GitlintRule("T4", "title-hard-tab", _flag("header-tab")),
    _GitlintRule("T5", "title-must-not-contain-word", _forbidden),
    _GitlintRule("T6", "title-leading-whitespace", _flag("header-trim")),
    _GitlintRule("T7", "title-match-regex", _pattern("header-pattern")),
    _GitlintRule("T8", "title-min-length", _count("header-min-length", "min-length", 5)),
    _GitlintRule("B1", "body-max-line-length", _count("body-max-line-length", "line-length", 80)),
    _GitlintRule("B2", "body-trailing-whitespace", _flag("body-trailing-blank")),
    _GitlintRule("B3", "body-hard-tab", _flag("body-tab")),
    _GitlintRule("B4", "body-first-line-empty", _flag("body-leading-blank")),
    _GitlintRule("B5", "body-min-length", _count("body-min-length", "min-length", 20)),
    _GitlintRule("B6", "body-is-missing", _flag("body-empty", never=True)),
    _GitlintRule("B8", "body-match-regex", _pattern("body-pattern")),
    _GitlintRule("M1", "author-valid-email", _pattern("author-email", _EMAIL)),
    _GitlintRule("CT1", "contrib-title-conventional-commits", _conventional, False),
    _GitlintRule("CC1", "contrib-body-requires-signed-off-by",
                 lambda options: (Applied("signed-off-by", "error", "Signed-off-by"),), False),
    _GitlintRule("CC2", "contrib-disallow-cleanup-commits", _flag("header-squash"), False),
)  # fmt: skip
_EXCEPTIONS = {
    "I1": ("ignore-by-title", "headers"),
    "I2": ("ignore-by-body", "bodies"),
    "I4": ("ignore-by-author-name", "authors"),
}


def read(name: str, text: str) -> Ruleset:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        reason = str(error).splitlines()[0]
        return Ruleset(source=name, unreadable=(f"{name} could not be read: {reason}",))
    sections = {title.lower(): dict(parser[title]) for title in parser.sections()}
    general = sections.get("general", {})
    rules, notes = _rules(sections, general)
    exceptions, more = _exceptions(sections, general)
    notes += more + _unknown(sections, general)
    return Ruleset(rules, exceptions, name, tuple(f"{name}: {note}" for note in notes))


def _rules(sections: Mapping[str, _Options], general: _Options) -> tuple[tuple[Applied, ...], list[str]]:
    ignored, contrib = _words(general.get("ignore", "")), _words(general.get("contrib", ""))
    rules: dict[str, Applied] = {}
    notes: list[str] = []
    for rule in _RULES:
        names = {rule.id.lower(), rule.name}
        if names & ignored or not (rule.default or names & contrib):
            continue
        options = next((sections[name] for name in (rule.name, rule.id.lower()) if name in sections), {})
        try:
            rules |= {applied.rule: applied for applied in rule.applied(options)}
        except (ValueError, re.error):
            notes.append(f"the options of {rule.name} are not understood, so it is not checked")
    return tuple(rules.values()), notes


def _exceptions(sections: Mapping[str, _Options], general: _Options) -> tuple[Exceptions, list[str]]:
    """gitlint skips merges, reverts and commits to be squashed unless configured otherwise."""

    def is_on(*kinds: str) -> bool:
        values = (general.get(f"ignore-{kind}-commits", "true").strip().lower() for kind in kinds)
        return not any(value in ("false", "0", "no", "off") for value in values)

    patterns: dict[str, tuple[str, ...]] = {}
    notes: list[str] = []
    for rule_id, (name, field) in _EXCEPTIONS.items():
        options = sections.get(name) or sections.get(rule_id.lower()) or {}
        if not (pattern := options.get("regex", "")):
            continue
        if options.get("ignore", "all").strip() != "all" or field == "authors" or not _compiles(pattern):
            notes.append(f"{name} is ignored: only `ignore=all` for titles and bodies is")
        else:
            patterns[field] = (pattern,)
    merges, reverts, squashes = is_on("merge"), is_on("revert"), is_on("fixup", "fixup-amend", "squash")
    return Exceptions((), patterns.get("headers", ()), patterns.get("bodies", ()), merges, reverts, squashes), notes


def _unknown(sections: Mapping[str, _Options], general: _Options) -> list[str]:
    rules = {name for rule in _RULES for name in (rule.name, rule.id.lower())}
    titles = rules | {"general", *(name for name, _ in _EXCEPTIONS.values()), *map(str.lower, _EXCEPTIONS)}
    notes = [f"[{title}] is unknown here and not checked" for title in sections if title not in titles]
    if "extra-path" in general:
        notes.append("rules in Python (extra-path) are not run")
    odd = [key for key in general if key not in _QUIET.split() and not key.startswith("ignore-")]
    contrib = _words(general.get("contrib", "")) - rules
    return notes + [f"{key!r} in [general] is ignored" for key in odd] + [
        f"the contributed rule {name!r} is unknown here and not checked" for name in sorted(contrib)
    ]  # fmt: skip


def _words(text: str) -> set[str]:
    return {word.strip().lower() for word in text.split(",") if word.strip()}


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
