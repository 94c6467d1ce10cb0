"""A reading and the files it means -> all changes in memory, or every reason why not; `stage` is the front door."""

from inlay.engine.staging.stage import stage

__all__ = ["stage"]
