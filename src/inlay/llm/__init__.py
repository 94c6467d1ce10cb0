"""Calling models: providers, retries, limits, cache, tokens."""

from inlay.llm.models.open_model import open_model
from inlay.llm.provider import Model, OnText, Provider

__all__ = ["Model", "OnText", "Provider", "open_model"]
