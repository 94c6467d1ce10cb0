"""Every word that a model is sent."""

from inlay.prompts.all_prompts import PROMPTS
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

__all__ = ["PROMPTS", "Blocks", "Template"]
