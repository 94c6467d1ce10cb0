"""A reading and the files it means -> all changes in memory, or every reason why not."""

from __future__ import annotations

from inlay.engine.staging.stage import stage as stage
