"""The disk: paths, state, transaction, audit log, stores, settings."""

from inlay.storage.workspace import Workspace

__all__ = ["Workspace"]
