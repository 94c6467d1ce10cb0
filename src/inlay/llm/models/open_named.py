"""Opens the model that holds for a project, as its settings and the environment have it."""

from __future__ import annotations

import os

from inlay.llm.models.open_model import open_model
from inlay.llm.provider import Model
from inlay.model.settings import Settings
from inlay.storage.config import load_settings


def model_for(name: str | None, root: str | os.PathLike[str], settings: Settings | None = None) -> Model:
    """The model of that name, or the one that is configured or found; raises NoModel."""
    return open_model(name, settings or load_settings.load(root, os.environ), os.environ)
