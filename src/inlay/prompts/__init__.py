"""Every prompt that is sent to a model, each in one file, with the means to keep content apart from words."""

from inlay.prompts.all_prompts import PROMPTS
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

__all__ = ["PROMPTS", "Blocks", "Template"]
