"""What a run tells whoever watches, while it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: "step": a step begins; "file": something happens to one file; "tests": tests were run; "note": worth knowing;
#: "retry": an answer was not used; "status": only worth showing while it lasts; "end": the run is over.
RunEventKind: TypeAlias = Literal["step", "file", "retry", "status", "tests", "note", "end"]


@dataclass(frozen=True, slots=True)
class RunEvent:
    run: str
    kind: RunEventKind
    step: str
    message: str
    path: str = ""
    ok: bool = True
    tokens: int = 0  #: used by the run so far
    cost: float | None = None  #: of the run so far


OnRunEvent: TypeAlias = Callable[[RunEvent], None]
