"""The only package that touches the disk: confinement, snapshot, atomic commit."""

from inlay.storage.workspace import Workspace

__all__ = ["Workspace"]
