"""What can be configured: every setting with its kind, its default, and who may set it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | Mapping[str, object] | None
Kind: TypeAlias = Literal["text", "integer", "number", "flag", "texts", "table"]
#: "anyone": any source; "user": never the edited repository; "lower": the repository may only lower it;
#: "named": the repository may name one of a service, but no file.
Scope: TypeAlias = Literal["anyone", "user", "lower", "named"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be configured."""

    key: str  #: dotted, as in TOML below [tool.inlay]: "max_attempts", "commits.max_subject"
    kind: Kind
    default: Value
    help: str  #: one line
    scope: Scope = "anyone"
    least: float = 0  #: of a number
    choices: tuple[str, ...] = ()  #: of a text; empty for any

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "INLAY_" + self.key.replace(".", "_").upper()

    @property
    def option(self) -> str:
        """The option of a command that sets it, where there is one."""
        return "--" + self.key.replace(".", "-").replace("_", "-")

    def accept(self, value: object) -> Value:
        """`value` as TOML has it, when it is of the kind; raises ValueError that says what it must be."""
        taken = _TAKEN[self.kind](value)
        if isinstance(taken, (int, float)) and not isinstance(taken, bool) and not self.least <= taken < math.inf:
            raise ValueError(f"must be a number from {self.least:g} on")
        if self.choices and taken not in self.choices:
            raise ValueError(f"must be one of {', '.join(self.choices)}")
        return taken

    def accept_text(self, text: str) -> Value:
        """The same of a value that is text, as in an environment variable."""
        return self.accept(_READ[self.kind](text))


def _text(value: object) -> str:
    if isinstance(value, str) and value:
        return value
    raise ValueError("must be text")


def _integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError("must be a whole number")


def _number(value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise ValueError("must be a number")


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError("must be true or false")


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ValueError("must be a list of texts")


def _table(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise ValueError("must be a table")


def _read_number(text: str, kind: type[int] | type[float]) -> object:
    try:
        return kind(text)
    except ValueError:
        return text  # what it must be instead is said where it is taken


def _read_flag(text: str) -> object:
    return {
        "1": True,
        "true": True,
        "yes": True,
        "on": True,
        "0": False,
        "false": False,
        "no": False,
        "off": False,
    }.get(text.strip().lower(), text)


_TAKEN: Mapping[Kind, Callable[[object], Value]] = {
    "text": _text,
    "integer": _integer,
    "number": _number,
    "flag": _flag,
    "texts": _texts,
    "table": _table,
}
_READ: Mapping[Kind, Callable[[str], object]] = {
    "text": str,
    "integer": lambda text: _read_number(text, int),
    "number": lambda text: _read_number(text, float),
    "flag": _read_flag,
    "texts": lambda text: [item.strip() for item in text.split(",") if item.strip()],
    "table": str,
}


SETTINGS: tuple[Setting, ...] = (
    Setting("model", "text", None, "The model to ask, as provider:name.", "named"),
    Setting("base_url", "text", None, "Where an OpenAI-compatible server answers.", "user"),
    Setting("format", "text", None, "The edit format to ask for; without it, the one the model writes best."),
    Setting("max_attempts", "integer", 3, "How often a model is asked for one change.", "lower", 1),
    Setting("max_tokens", "integer", None, "Tokens one command may use in all.", "lower"),
    Setting("max_cost", "number", None, "US dollars one command may spend.", "lower"),
    Setting("max_seconds", "number", None, "Seconds one command may ask for.", "lower"),
    Setting("timeout", "number", 600.0, "Seconds without an answer after which one call is given up.", "lower"),
    Setting("edit_lines", "integer", 500, "Files with more lines are changed by edits, not written anew."),
    Setting("edit_bytes", "integer", 15_000, "Files with more bytes are changed by edits, not written anew."),
    Setting("concurrency", "integer", 4, "Requests in flight at once.", "lower", 1),
    Setting("threshold", "integer", 100, "Replacing a file with more lines needs a decision.", "lower"),
    Setting("check", "text", None, "A command that must succeed on the result.", "user"),
    Setting("threads", "integer", None, "Threads that a local model runs on; without it, the idle cores.", "user", 1),
    Setting("models", "table", {}, "Models of your own: context, max_output, prices, format.", "user"),
    Setting("implement.headings", "table", {}, "Titles of a design document's sections, by their role."),
    Setting("implement.test_command", "text", None, "How tests are run; without it, by pytest.", "user"),
    Setting("implement.test_cwd", "text", None, "Where tests are run, relative to the project."),
    Setting("implement.test_timeout", "number", 600.0, "Seconds after which a run of the tests is ended.", least=1),
    Setting("implement.junit", "text", None, "The JUnit XML that the test command writes, relative to where it runs."),
    Setting("implement.coverage", "number", None, "Percent of the changed files' lines that tests must reach."),
    Setting("commits.preset", "text", None, "Rules for commit messages.", choices=("plain", "conventional")),
    Setting("commits.rules", "table", {}, "Rules for commit messages by name: a severity, a value, or off."),
    Setting("commits.exempt_authors", "texts", (), "Authors besides bots whose commits are not checked."),
    Setting("commits.ignore", "texts", (), "Files whose diffs are left out: as in .gitignore, or @lock, @generated."),
    Setting("commits.configs", "texts", ("commitlint", "gitlint"), "Whose configurations are read for rules."),
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

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values[key]
        assert isinstance(value, tuple)
        return value

    def table(self, key: str) -> Mapping[str, object]:
        value = self.values[key]
        assert isinstance(value, Mapping)
        return value
