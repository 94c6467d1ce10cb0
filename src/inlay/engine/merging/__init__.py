"""How new content joins an existing file; `merge` is the front door."""

from inlay.engine.merging.merged import Merged
from inlay.engine.merging.strategies import STRATEGIES, Strategy, merge

__all__ = ["STRATEGIES", "Merged", "Strategy", "merge"]
