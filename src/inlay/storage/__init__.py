"""Everything that happens on the disk: which files a reply may reach, reading them, writing them."""

from inlay.storage.workspace import Workspace

__all__ = ["Workspace"]
