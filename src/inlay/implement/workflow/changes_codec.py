"""How a proposed change set is stored in a run's folder."""

from inlay.storage.stores.change_codec import load as kept
from inlay.storage.stores.change_codec import store as keep

__all__ = ["keep", "kept"]
