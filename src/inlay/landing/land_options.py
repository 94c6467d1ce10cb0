"""The options of a landing: what is checked, and what is approved in advance."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.model.allowance import Allowance


@dataclass(frozen=True, slots=True)
class LandOptions:
    """How to apply a reply or write content; the first three are for replies only."""

    format: str | None = None  #: a format's name or alias; None to detect it
    file: str | None = None  #: the file meant by edits that name none
    strict: bool = False  #: refuse text around the edits instead of skipping it
    check: bool = True  #: run all checks on the result before anything is written
    dry_run: bool = False  #: do everything but write
    #: lines; replacing a longer file, or removing more, needs a decision; None: as configured
    threshold: int | None = None
    force: bool = False  #: approve everything that needs a decision
    yes: bool = False  #: approve what is small, but not what needs `force`
    allow: frozenset[Allowance] = frozenset()  #: what is content, although it looks like markup of a reply
