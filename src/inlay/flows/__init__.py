"""Puts the steps in their order, for any face; there is no terminal here and nobody to ask."""

from inlay.flows.embed import EmbedRequest, EmbedResult, embed
from inlay.flows.land import Landing, land
from inlay.flows.options import LandOptions
from inlay.flows.write import Write, write, write_all

__all__ = [
    "EmbedRequest",
    "EmbedResult",
    "LandOptions",
    "Landing",
    "Write",
    "embed",
    "land",
    "write",
    "write_all",
]
