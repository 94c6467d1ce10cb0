"""What can be configured: every setting with its type, its default, and who may set it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

LOCK_WAIT = 10.0  #: seconds that a writer waits for another one before it gives up
Value: TypeAlias = str | int | float | bool | tuple[str, ...] | Mapping[str, object] | None
Kind: TypeAlias = Literal["text", "integer", "number", "flag", "texts", "table"]
#: "anyone": any source; "user": never the edited repository; "lower": the repository may only lower it;
#: "named": the repository may name a model of a service, but not a file.
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
        """`value` as TOML has it; raises ValueError that says what it must be."""
        import msgspec  # late, so that commands without settings start faster

        type_, name = _KINDS[self.kind]
        try:
            accepted: Value = msgspec.convert(value, type_)
        except ValueError:
            raise ValueError(f"must be {name}") from None
        if accepted == "":
            raise ValueError("must be text")
        if self.kind in ("integer", "number") and not self.least <= cast(float, accepted) < math.inf:
            raise ValueError(f"must be a number from {self.least:g} on")
        if self.choices and accepted not in self.choices:
            raise ValueError(f"must be one of {', '.join(self.choices)}")
        return accepted

    def accept_text(self, text: str) -> Value:
        """The same for a value that is text, as in an environment variable."""
        value: object = text  # what is not of the kind stays text, and `accept` says what it must be
        if self.kind == "texts":
            value = [item.strip() for item in text.split(",") if item.strip()]
        elif self.kind == "flag":
            value = _FLAGS.get(text.strip().lower(), text)
        elif self.kind in ("integer", "number"):
            with suppress(ValueError):
                value = int(text) if self.kind == "integer" else float(text)
        return self.accept(value)


_FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_KINDS: Mapping[Kind, tuple[object, str]] = {
    "text": (str, "text"),
    "integer": (int, "a whole number"),
    "number": (int | float, "a number"),
    "flag": (bool, "true or false"),
    "texts": (tuple[str, ...], "a list of texts"),
    "table": (dict[str, object], "a table"),
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
    Setting("edit_lines", "integer", 500, "Files with more lines are changed by edits, not rewritten."),
    Setting("edit_bytes", "integer", 15_000, "Files with more bytes are changed by edits, not rewritten."),
    Setting("concurrency", "integer", 4, "Requests in flight at once.", "lower", 1),
    Setting("threshold", "integer", 100, "Replacing a file with more lines needs approval.", "lower"),
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
    """The values in force, each with the place it came from."""

    values: Mapping[str, Value]
    origins: Mapping[str, str]  #: by key: "default", "pyproject.toml", "--model", …
    notes: tuple[str, ...] = ()  #: what was ignored and why

    @classmethod
    def of(cls, **values: Value) -> Settings:
        """The defaults overridden by these; `commits__ignore` is "commits.ignore"."""
        given = {key.replace("__", "."): value for key, value in values.items()}
        defaults: dict[str, Value] = {setting.key: setting.default for setting in SETTINGS}
        return cls(defaults | given, dict.fromkeys(defaults, "default") | dict.fromkeys(given, "given"))

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
