"""What a check has to say about a change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from inlay.codes import Code
from inlay.model.file import RepoPath


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark on a changed file; an error blocks the landing, a warning does not."""

    code: Code
    severity: Literal["error", "warning"]
    path: RepoPath
    line: int  #: 1-based, in the content after the change; 0 when the whole file is meant
    message: str
