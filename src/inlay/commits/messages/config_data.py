"""Configuration files as data: JSON, and the YAML that every reader understands alike."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml import Node, ScalarNode

_DEEPEST = 20  # levels of nesting; no configuration needs more
_REFUSED = {"AnchorToken": "an anchor", "AliasToken": "an alias", "TagToken": "a tag", "DirectiveToken": "a directive"}
_WORDS = {"true": True, "false": False, "null": None}
_CONSTANTS = {form: value for word, value in _WORDS.items() for form in (word, word.title(), word.upper())}
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})(?P<fraction>\.\d{1,17})?")
_NUMBER_LIKE = re.compile(r"[-+.]*\d")


class ConfigUnreadable(Exception):
    """A configuration that cannot be read with certainty, and so is not read at all; says what and where."""


def read_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigUnreadable(f"it is not JSON: {error}") from None


def read_yaml(text: str) -> object:
    """The value of a document.

    Raises ConfigUnreadable where readers of YAML differ, or where a small text can expand to a large value: anchors,
    tags, several documents, scalars over several lines, and words that are a date or a truth for some readers only.
    """
    import yaml

    try:
        _check_tokens(text)
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.reader.ReaderError as error:
        raise _unreadable(text.count("\n", 0, error.position), f"{error.reason} (#x{error.character:04x})") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _unreadable(mark.line if mark else 0, error.problem or error.context or "it is not YAML") from None
    return None if node is None else _value(node)


def _check_tokens(text: str) -> None:
    """Refuse by the tokens alone, before anything is built from them."""
    import yaml

    depth = 0
    for token in yaml.scan(text, Loader=yaml.BaseLoader):
        line, kind = token.start_mark.line, type(token).__name__
        if kind in _REFUSED:
            raise _unreadable(line, f"{_REFUSED[kind]} is not allowed")
        if kind == "KeyToken" and text.startswith("?", token.start_mark.index):
            raise _unreadable(line, "a key marked with '?' is not allowed")
        if kind == "ScalarToken" and token.end_mark.line != line:
            raise _unreadable(line, "a value over several lines is not allowed")
        if kind.startswith(("Block", "Flow")):
            depth += kind.endswith("StartToken") - kind.endswith("EndToken")
        if depth > _DEEPEST:
            raise _unreadable(line, f"it is nested more than {_DEEPEST} levels deep")


def _value(node: Node) -> object:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        table: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = _value(key_node)
            if not isinstance(key, str) or key in table:
                why = "is there twice" if isinstance(key, str) else "is not text"
                raise _unreadable(key_node.start_mark.line, f"the key {key!r} {why}")
            table[key] = _value(value_node)
        return table
    assert isinstance(node, yaml.ScalarNode)
    return _plain(node) if node.style is None else node.value


def _plain(node: ScalarNode) -> object:
    """A scalar without quotes: readers differ about octals, exponents, dates and `yes`, so these are refused."""
    import yaml

    text: str = node.value
    if text in ("", "~") or text in _CONSTANTS:
        return _CONSTANTS.get(text)
    if number := _NUMBER.fullmatch(text):
        return float(text) if number["fraction"] else int(text)
    resolvers = yaml.SafeLoader.yaml_implicit_resolvers.get(text[0], [])
    if _NUMBER_LIKE.match(text) or any(form.match(text) for _, form in resolvers):
        raise _unreadable(node.start_mark.line, f"{text!r} is text for some readers only; put it in quotes")
    return text


def _unreadable(line: int, why: str) -> ConfigUnreadable:
    return ConfigUnreadable(f"line {line + 1}: {why}")
