"""The tools by which an agent edits a project: plain callables with JSON Schemas, for any model and any protocol."""

from inlay.tools.all_tools import TOOLS
from inlay.tools.tool import Annotations, Outcome, Progress, Stopped, Tool
from inlay.tools.toolbox import Toolbox

__all__ = ["TOOLS", "Annotations", "Outcome", "Progress", "Stopped", "Tool", "Toolbox"]
