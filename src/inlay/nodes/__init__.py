"""Nodes for graphs: plain functions from a state to what changes in it, for LangGraph or anything that calls them."""

from inlay.nodes.state import FileWriteProposal, MergeDecision, SafeWriteState, WrittenFile
from inlay.nodes.writing import safe_file_write, safe_file_write_async

__all__ = [
    "FileWriteProposal",
    "MergeDecision",
    "SafeWriteState",
    "WrittenFile",
    "safe_file_write",
    "safe_file_write_async",
]
