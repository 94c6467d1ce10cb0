"""What a graph carries from node to node: plain data only, so that any checkpoint can hold it."""

from __future__ import annotations

from typing import Required, TypedDict

from inlay.model.decision import MergeStrategy


class FileWriteProposal(TypedDict, total=False):
    """Content that somebody wants in a file; the node fills in what a person needs to decide about it."""

    file_path: Required[str]  #: relative to the project's root
    new_content: Required[str]
    merge_strategy: MergeStrategy | None  #: how the content shall join the file; None to replace it
    insertion_point: int | None  #: 1-based line, for "insert"
    existing_content: str | None  #: only where a decision is needed: a checkpoint is no place for whole projects
    existing_digest: str  #: SHA-256 of the file as it was looked at; empty for a new file
    existing_lines: int
    new_lines: int
    requires_approval: bool
    headline: str  #: "About to replace N lines with M lines"
    reasons: list[str]
    diff: str  #: what goes and what comes, cut at 10 KB


class MergeDecision(TypedDict, total=False):
    """What was decided about one file."""

    file_path: Required[str]
    approved: Required[bool]  #: False leaves the file as it is
    strategy: MergeStrategy | None  #: None to take the proposal as it is
    insertion_point: int | None  #: 1-based line, for "insert"


class WrittenFile(TypedDict):
    """One file that was written."""

    file_path: str
    action: str  #: "created", "updated"
    before: str  #: SHA-256 of the old bytes; empty for a new file
    after: str


class SafeWriteState(TypedDict, total=False):
    """The part of a graph's state that the node reads and writes."""

    project_root: str  #: the current directory when not given; set it from the person's side, never from a model's
    proposed_writes: list[FileWriteProposal]  #: empty again once they are written
    merge_decisions: list[MergeDecision]
    auto_mode: bool  #: nobody can be asked: fail instead of waiting
    force_replace: bool  #: the consent to everything that needs a decision
    awaiting_approval: list[str]  #: files that need a decision; while there are any, nothing was written
    written_files: list[WrittenFile]
    receipt: str  #: the handle for undo
