"""Functions from a state to a state, for LangGraph or any other graph."""

from inlay.nodes.safe_write import safe_file_write, safe_file_write_async
from inlay.nodes.write_state import FileWriteProposal, MergeDecision, SafeWriteState, WrittenFile

__all__ = [
    "FileWriteProposal",
    "MergeDecision",
    "SafeWriteState",
    "WrittenFile",
    "safe_file_write",
    "safe_file_write_async",
]
