"""A JavaScript configuration that is plain data: one exported object of literals; nothing is ever run.

    module.exports = { … }    export default { … }    const Name = { … }; export default Name

Constants that hold literals may be used by name. Calls, functions, spreads, templates with values and
arithmetic make the file unreadable. TypeScript's `: Type` and `as const`, `satisfies Type` are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from inlay.commits.messages.config_data import ConfigUnreadable

_TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`)"
    r"|(?P<number>\d+(?:\.\d+)?)(?![\w.])"
    r"|(?P<name>[A-Za-z_$][\w$]*)"
    r"|(?P<mark>\.\.\.|=>|.)",
    re.DOTALL,
)
_ENDLESS = 2**31  # as a number of characters
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None, "Infinity": _ENDLESS}
_LEVELS = {"Disabled": 0, "Warning": 1, "Error": 2}  # RuleConfigSeverity.Error


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def read(text: str) -> object:
    """The exported value; raises ConfigUnreadable where it is not plain data."""
    return _Reader(list(_tokens(text))).exported()


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "skip":
            yield _Token(match.lastgroup or "", match[0], line)
        line += match[0].count("\n")


class _Reader:
    """Walks over the statements of a module, keeping constants by name."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._constants: dict[str, object] = {}

    def exported(self) -> object:
        while self._peek():
            if self._take("module", ".", "exports", "=") or self._take("export", "default"):
                value = self._value()
                self._take(";")
                if self._peek():
                    raise self._beyond()
                return value
            self._statement()
        raise ConfigUnreadable("it exports nothing that is plain data")

    def _statement(self) -> None:
        if self._peek() in ("'use strict'", '"use strict"', ";"):
            self._next()
        elif self._take("import"):
            # Imports matter only where their names are used, and a name that is not known is refused there.
            while self._peek() and self._tokens[self._at].kind != "string":
                self._next()
            self._next()
            self._take(";")
        elif self._peek() in ("const", "let", "var"):
            self._constant()
        else:
            raise self._beyond()

    def _constant(self) -> None:
        self._next()
        name = self._next().text
        if self._take(":"):
            while self._peek() not in ("=", ""):
                self._next()
        if not self._take("="):
            raise self._beyond()
        self._constants[name] = self._value()
        self._take(";")

    def _value(self) -> object:
        """A value, and past TypeScript's remarks behind it."""
        value = self._literal()
        while self._peek() in ("as", "satisfies"):
            self._next()
            self._next()
        return value

    def _literal(self) -> object:
        token = self._next()
        if token.kind == "string":
            return _string(token)
        if token.kind == "number":
            return float(token.text) if "." in token.text else int(token.text)
        if token.text == "[":
            return self._list()
        if token.text == "{":
            return self._table()
        if token.text == "RuleConfigSeverity" and self._take("."):
            return _LEVELS.get(self._next().text)
        if token.kind == "name" and self._peek() not in ("(", ".", "=>"):
            return self._named(token)
        self._at -= 1
        raise self._beyond()

    def _named(self, token: _Token) -> object:
        constants = _CONSTANTS | self._constants
        if token.text not in constants:
            raise ConfigUnreadable(f"line {token.line} uses {token.text!r}, which is not plain data")
        return constants[token.text]

    def _list(self) -> list[object]:
        items: list[object] = []
        while not self._take("]"):
            items.append(self._value())
            self._separator("]")
        return items

    def _table(self) -> dict[str, object]:
        table: dict[str, object] = {}
        while not self._take("}"):
            token = self._next()
            if token.kind not in ("string", "name", "number"):
                self._at -= 1
                raise self._beyond()
            key = str(_string(token)) if token.kind == "string" else token.text
            if self._take(":"):
                table[key] = self._value()
            elif token.kind == "name" and self._peek() in (",", "}"):
                table[key] = self._named(token)
            else:
                raise self._beyond()
            self._separator("}")
        return table

    def _separator(self, closing: str) -> None:
        if not self._take(",") and self._peek() != closing:
            raise self._beyond()

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _next(self) -> _Token:
        if self._at >= len(self._tokens):
            raise ConfigUnreadable("it ends in the middle of something")
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, *texts: str) -> bool:
        if [token.text for token in self._tokens[self._at : self._at + len(texts)]] != list(texts):
            return False
        self._at += len(texts)
        return True

    def _beyond(self) -> ConfigUnreadable:
        if self._at >= len(self._tokens):
            return ConfigUnreadable("it ends in the middle of something")
        token = self._tokens[self._at]
        return ConfigUnreadable(f"line {token.line}, at {token.text!r}, is more than plain data, and nothing is run")


def _string(token: _Token) -> str:
    inner = token.text[1:-1]
    if "\\" not in inner:
        return inner
    try:
        # JavaScript knows \' and JSON does not; the rest that configurations use is the same.
        return str(json.loads('"' + inner.replace("\\'", "'").replace('\\"', '"').replace('"', '\\"') + '"'))
    except ValueError:
        raise ConfigUnreadable(f"line {token.line}: the escapes in {token.text} are not understood") from None
