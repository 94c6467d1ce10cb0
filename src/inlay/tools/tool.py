"""What a tool is: its name and schemas for a model, what it may do to the project, and the function behind it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from inlay.landing.land_options import LandOptions
    from inlay.model.decision import Approve
    from inlay.storage import Workspace

Schema: TypeAlias = Mapping[str, Any]


class Stopped(Exception):
    """Raised by a caller's `on_progress` to stop a call; nothing is written then."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call has come."""

    step: int
    of: int
    message: str


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a tool may do, for clients that ask before they let a model call it."""

    read_only: bool = False
    destructive: bool = False  #: may remove or replace what is there
    idempotent: bool = False  #: calling it twice is like calling it once


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool."""

    tool: Tool
    arguments: Any  #: the tool's own `Arguments`
    workspace: Workspace
    options: LandOptions
    approve: Approve | None
    report: Callable[[str], None]  #: says what is done next; what it raises stops the call


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a model sees it, and what happens when it is called."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    annotations: Annotations
    run: Callable[[Call], dict[str, Any]] = field(repr=False)
    example: str = ""  #: what right arguments look like, sent along with a refusal


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call came to; `structured` is plain JSON and has a `kind`."""

    structured: dict[str, Any]
    is_error: bool = False

    @property
    def text(self) -> str:
        """The outcome as a model reads it."""
        return json.dumps(self.structured, ensure_ascii=False)

    @property
    def plan(self) -> str | None:
        """The plan that waits for a person, where there is one."""
        return self.structured["plan"] if self.structured["kind"] == "needs_approval" else None
