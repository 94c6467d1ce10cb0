"""From the text of a reply to the edits it asks for; `read` is the front door."""

from inlay.formats.format import Format
from inlay.formats.reading import read
from inlay.formats.registry import FORMATS

__all__ = ["FORMATS", "Format", "read"]
