"""The options of a landing: what is checked, and what is approved in advance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from inlay.model.allowance import Allowance
from inlay.model.file import RepoPath


@dataclass(frozen=True, slots=True)
class LandOptions:
    """How to apply a reply or write content; the first four are for replies only."""

    format: str | None = None  #: a format's name or alias; None to detect it
    file: str | None = None  #: the file meant by edits that name none
    directory: str = ""  #: where the caller is, below the root: names may be relative to it as well
    strict: bool = False  #: refuse text around the edits instead of skipping it
    check: bool = True  #: run all checks on the result before anything is written
    dry_run: bool = False  #: do everything but write
    #: lines; replacing a longer file, or removing more, needs a decision; None: as configured
    threshold: int | None = None
    force: bool = False  #: approve everything that needs a decision
    yes: bool = False  #: approve what is small, but not what needs `force`
    allow: frozenset[Allowance] = frozenset()  #: what is content, although it looks like markup of a reply
    #: What the model saw when it wrote the reply: edits of a file that has changed since are merged with the file.
    base: str | None = None  #: a git revision that has the files
    base_text: str | None = None  #: the text of the one file that the reply is for
    seen: Mapping[RepoPath, str] = field(default_factory=dict)  #: the text of each file
