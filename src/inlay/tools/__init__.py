"""Agent tools as plain calls with JSON Schemas, one file each."""

from inlay.tools.all_tools import TOOLS
from inlay.tools.tool import Annotations, Outcome, Progress, Stopped, Tool
from inlay.tools.toolbox import Toolbox

__all__ = ["TOOLS", "Annotations", "Outcome", "Progress", "Stopped", "Tool", "Toolbox"]
