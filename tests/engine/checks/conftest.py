"""How tests of checks say what a change does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from inlay.engine import checks
from inlay.model.change import Change, ChangeSet
from inlay.model.file import File, RepoPath
from inlay.model.finding import Finding
from inlay.model.match import Match

Look = Callable[..., tuple[Finding, ...]]


@pytest.fixture
def look() -> Look:
    """Runs all checks on one file: `look(path, before, after)`; `before` None for a new file."""

    def run(path: str, before: str | None, after: str, *, is_located: bool = True) -> tuple[Finding, ...]:
        file = None if before is None else File.of(path, before)
        matches = (Match(1, "exact", 1, 1),) if is_located and file else ()
        return checks.run(ChangeSet((Change(RepoPath(path), file, after, matches),)))

    return run
