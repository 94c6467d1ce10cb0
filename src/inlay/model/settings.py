"""What can be configured: every setting with its kind, its default, and who may set it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | Mapping[str, object] | None
Kind: TypeAlias = Literal["text", "integer", "number", "flag", "texts", "table"]
#: "anyone": any source; "user": never the edited repository; "lower": the repository may only lower it.
Scope: TypeAlias = Literal["anyone", "user", "lower"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be configured."""

    key: str  #: dotted, as in TOML below [tool.inlay]: "max_attempts", "commits.max_subject"
    kind: Kind
    default: Value
    help: str  #: one line
    scope: Scope = "anyone"


SETTINGS: tuple[Setting, ...] = (
    Setting("model", "text", None, "The model to ask, as provider:name."),
    Setting("base_url", "text", None, "Where an OpenAI-compatible server answers.", "user"),
    Setting("format", "text", None, "The edit format to ask for; without it, the one the model writes best."),
    Setting("max_attempts", "integer", 3, "How often a model is asked for one change.", "lower"),
    Setting("max_tokens", "integer", None, "Tokens one command may use in all.", "lower"),
    Setting("max_cost", "number", None, "US dollars one command may spend.", "lower"),
    Setting("max_seconds", "number", None, "Seconds one command may ask for.", "lower"),
    Setting("timeout", "number", 600.0, "Seconds without an answer after which one call is given up."),
    Setting("edit_lines", "integer", 500, "Files with more lines are changed by edits, not written anew."),
    Setting("edit_bytes", "integer", 15_000, "Files with more bytes are changed by edits, not written anew."),
    Setting("concurrency", "integer", 4, "Requests in flight at once.", "lower"),
    Setting("threshold", "integer", 100, "Replacing a file with more lines needs a decision.", "lower"),
    Setting("check", "text", None, "A command that must succeed on the result.", "user"),
    Setting("models", "table", {}, "Models of your own: context, max_output, prices, format."),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values that hold, each with the place it came from; made by `storage.settings`."""

    values: Mapping[str, Value]
    origins: Mapping[str, str]  #: by key: "default", "pyproject.toml", "--model", …
    notes: tuple[str, ...] = ()  #: what was passed over and why, for the person

    @classmethod
    def of(cls, **values: Value) -> Settings:
        """The defaults with these over them; `commits__ignore` stands for "commits.ignore"."""
        given = {key.replace("__", "."): value for key, value in values.items()}
        return cls(
            {setting.key: setting.default for setting in SETTINGS} | given,
            {setting.key: "default" for setting in SETTINGS} | dict.fromkeys(given, "given"),
        )

    def text(self, key: str) -> str | None:
        value = self.values[key]
        assert value is None or isinstance(value, str)
        return value

    def integer(self, key: str) -> int | None:
        value = self.values[key]
        assert value is None or isinstance(value, int)
        return value

    def number(self, key: str) -> float | None:
        value = self.values[key]
        assert value is None or isinstance(value, (int, float))
        return value

    def flag(self, key: str) -> bool:
        return bool(self.values[key])

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values[key]
        assert isinstance(value, tuple)
        return value

    def table(self, key: str) -> Mapping[str, object]:
        value = self.values[key]
        assert isinstance(value, Mapping)
        return value
