"""The state that a graph passes from node to node: plain data, so that any checkpoint can store it."""

from __future__ import annotations

from typing import Required, TypedDict

from inlay.model.decision import MergeStrategy


class FileWriteProposal(TypedDict, total=False):
    """Proposed content of a file; the node adds what a person needs to decide about it."""

    file_path: Required[str]  #: relative to the project's root
    new_content: Required[str]
    merge_strategy: MergeStrategy | None  #: how to merge the content into the file; None to replace it
    insertion_point: int | None  #: 1-based line, for "insert"
    existing_content: str | None  #: only if it needs approval, to keep checkpoints small
    existing_digest: str  #: SHA-256 of the file as it was read; empty for a new file
    existing_lines: int
    new_lines: int
    requires_approval: bool
    headline: str  #: "About to replace N lines with M lines"
    reasons: list[str]
    diff: str  #: cut at 10 KB


class MergeDecision(TypedDict, total=False):
    file_path: Required[str]
    approved: Required[bool]  #: False leaves the file unchanged
    strategy: MergeStrategy | None  #: None to apply the proposal as it is
    insertion_point: int | None  #: 1-based line, for "insert"


class WrittenFile(TypedDict):
    file_path: str
    action: str  #: "created", "updated"
    before: str  #: SHA-256 of the old bytes; empty for a new file
    after: str


class SafeWriteState(TypedDict, total=False):
    project_root: str  #: the current directory by default; never let a model set it
    proposed_writes: list[FileWriteProposal]  #: empty once they are written
    merge_decisions: list[MergeDecision]
    auto_mode: bool  #: fail instead of waiting for approval
    force_replace: bool  #: approve everything that needs approval
    awaiting_approval: list[str]  #: files that need approval; nothing is written until it is empty
    written_files: list[WrittenFile]
    receipt: str  #: number of the change, for undo
