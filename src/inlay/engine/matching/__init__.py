"""Wanted lines and a file's text -> the places where they fit; `find` is the front door."""

from inlay.engine.matching.find_places import LOOSE, STRICT, find
from inlay.engine.matching.probe import MOST_PLACES

__all__ = ["LOOSE", "MOST_PLACES", "STRICT", "find"]
