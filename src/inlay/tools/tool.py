"""A tool: its name and schemas, what it may do to the project, the function that runs it, and the outcome of a call."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from inlay.errors import InlayError, Misfit
from inlay.render.error import error_brief, refusal_brief
from inlay.tools.read_texts import ReadTexts

if TYPE_CHECKING:
    from inlay.landing.land_options import LandOptions
    from inlay.model.decision import Approve
    from inlay.model.pending import Pending
    from inlay.storage import Workspace

Schema: TypeAlias = Mapping[str, Any]
_SURROGATE = re.compile("[\ud800-\udfff]")
_Json = TypeVar("_Json")


class Stopped(Exception):
    """Raised by a caller's `on_progress` to stop a call; nothing is written then."""


@dataclass(frozen=True, slots=True)
class Progress:
    step: int
    of: int
    message: str


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a tool may do, for clients that ask the user before a call."""

    read_only: bool = False
    destructive: bool = False  #: may remove or replace content
    idempotent: bool = False  #: a second call has no further effect


@dataclass(frozen=True, slots=True)
class Call:
    tool: Tool
    arguments: Any  #: the tool's own `Arguments`
    workspace: Workspace
    options: LandOptions
    approve: Approve | None
    report: Callable[[str], None]  #: announces the next step; raises to stop the call
    read_texts: ReadTexts = field(default_factory=ReadTexts, compare=False)  #: what the model has seen


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    annotations: Annotations
    run: Callable[[Call], dict[str, Any]] = field(repr=False)
    example: str = ""  #: valid arguments, sent along with a refusal


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a call; `structured` is plain JSON and has a `kind`."""

    structured: dict[str, Any]
    is_error: bool = False

    @property
    def text(self) -> str:
        return json.dumps(self.structured, ensure_ascii=False)

    @property
    def plan(self) -> str | None:
        """The pending change that needs approval, if any."""
        return self.structured["plan"] if self.structured["kind"] == "needs_approval" else None


def refusal(misfit: Misfit, example: str = "") -> Outcome:
    return Outcome(refusal_brief(misfit, example=example), is_error=True)


def failure(error: InlayError, example: str = "") -> Outcome:
    return Outcome(error_brief(error, example), is_error=True)


def needs_approval(pending: Pending) -> Outcome:
    from inlay.render.pending import pending_brief

    return Outcome(without_surrogates(pending_brief(pending)), is_error=True)


def without_surrogates(value: _Json) -> _Json:
    """The same JSON without lone surrogates, which stand for bytes that are not text."""
    plain: object = value
    match value:
        case str():
            plain = value if value.isascii() else _SURROGATE.sub("\ufffd", value)
        case dict():
            plain = {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
        case list() | tuple():
            plain = [without_surrogates(item) for item in value]
    return plain  # type: ignore[return-value]
