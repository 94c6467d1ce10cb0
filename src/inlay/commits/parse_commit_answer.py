"""Parse a model's answer about commits: lenient about text around the JSON, strict about its content."""

from __future__ import annotations

from collections.abc import Mapping

from inlay.engine.formats.loose_json import Open, Value, value_at
from inlay.model.answer import Answer
from inlay.text.visible import without_hidden

_MOST_TEXT = 20_000  # characters of one field; no message needs more


class Unusable(Exception):
    """An answer, or an entry of one, that cannot be used."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind  #: for counting: "no-json", "missing", "wrong-type", …


def entries(answer: Answer) -> tuple[dict[str, Mapping[str, object]], list[Mapping[str, object]]]:
    """The entries of an answer by the id they give, and those that give none; one that names a commit twice has none.

    Of an answer that was cut off, those before the last: it may lack the very issue that fails the commit.
    """
    if answer.stop == "refused":
        return {}, []
    named: dict[str, Mapping[str, object]] = {}
    nameless: list[Mapping[str, object]] = []
    twice: set[str] = set()
    for entry in _entries(answer.text):
        key = entry.get("id")
        if not isinstance(key, str) or not key.strip():
            nameless.append(entry)
            continue
        twice |= {key.strip()} & named.keys()
        named[key.strip()] = entry
    return {key: entry for key, entry in named.items() if key not in twice}, nameless


def only_entry(answer: Answer, commit: str) -> Mapping[str, object]:
    """The entry about this commit; where only one commit was asked about, a missing id is no fault."""
    named, nameless = entries(answer)
    if commit in named:
        return named[commit]
    if not named and len(nameless) == 1:
        return nameless[0]
    raise Unusable("missing", f"the answer holds no entry for commit {commit}")


def _entries(text: str) -> list[Mapping[str, object]]:
    """The entries of the first JSON object or array that the text holds."""
    at = 0
    while at < len(text):
        starts = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
        if not starts:
            return []
        parsed = value_at(text, min(starts))
        if isinstance(parsed, Value):
            return _listed(parsed.value)
        if isinstance(parsed, Open):
            return _listed(parsed.complete)[:-1]
        at = max(parsed.end, min(starts) + 1)
    return []


def _listed(value: object) -> list[Mapping[str, object]]:
    if isinstance(value, dict):
        inner = value.get("commits", [value])
        value = inner if isinstance(inner, list) else [inner]
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(entry: Mapping[str, object], key: str, *, required: bool = True) -> str:
    """A field that is text; raises where it is something else, or missing and needed."""
    value = entry.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str):
        raise Unusable("wrong-type", f'"{key}" must be a string')
    if len(value) > _MOST_TEXT:
        raise Unusable("too-long", f'"{key}" is longer than {_MOST_TEXT:,} characters')
    # Control and bidi characters have no place in a message or on a terminal.
    shown = without_hidden(value.replace("\r\n", "\n")).strip()
    if required and not shown:
        raise Unusable("empty", f'"{key}" must not be empty')
    return shown
