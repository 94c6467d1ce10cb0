"""The only package that talks to a model."""

from inlay.llm.models.open_model import open_model
from inlay.llm.provider import Model, OnText, Provider

__all__ = ["Model", "OnText", "Provider", "open_model"]
