"""How changes are to land: what is checked, and who may decide what."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.storage import Workspace
from inlay.storage.config.load_settings import settings_in_force


@dataclass(frozen=True, slots=True)
class LandOptions:
    """How a reply, or content of its own, is to land; content has no use for the first three."""

    format: str | None = None  #: a format's name or alias; None to detect it
    file: str | None = None  #: the file meant by edits that name none
    strict: bool = False  #: refuse wrapping around the edits instead of passing it over
    check: bool = True  #: validate the result before anything is written
    dry_run: bool = False  #: do everything but write
    threshold: int | None = (
        None  #: lines; replacing a longer file, or removing more, needs a decision; None: as configured
    )
    force: bool = False  #: the consent to everything that needs a decision
    yes: bool = False  #: the consent to what is small, never to what `force` is for

    def threshold_in_force(self, workspace: Workspace) -> int:
        """The threshold that was given, or else the one that is configured for the project."""
        if self.threshold is not None:
            return self.threshold
        return settings_in_force(workspace.root).integer("threshold") or 0
