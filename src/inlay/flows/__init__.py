"""The only package that knows the order of steps; it never prints and never asks."""

from inlay.flows.embed import EmbedRequest, EmbedResult, embed
from inlay.flows.land import Landing, LandOptions, land

__all__ = ["EmbedRequest", "EmbedResult", "LandOptions", "Landing", "embed", "land"]
