"""From the text of a reply to the edits it asks for; `read` is the front door."""

from inlay.engine.formats.all_formats import FORMATS
from inlay.engine.formats.format import Format
from inlay.engine.formats.reading import read

__all__ = ["FORMATS", "Format", "read"]
