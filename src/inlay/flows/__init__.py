"""Puts the steps in their order, for any face; there is no terminal here and nobody to ask."""

from inlay.flows.embed import EmbedRequest, EmbedResult, embed
from inlay.flows.land import Landing, LandOptions, land

__all__ = ["EmbedRequest", "EmbedResult", "LandOptions", "Landing", "embed", "land"]
