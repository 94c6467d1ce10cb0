"""The node that writes proposed files: at once where that is safe, else only what was decided about."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from inlay.errors import InlayError, SafeFileWriteError, StaleFile
from inlay.landing.apply_decision import preview
from inlay.landing.land import Landing
from inlay.landing.land_options import LandOptions
from inlay.landing.write import Write, write_all
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need, content_digest
from inlay.model.file import File, RepoPath
from inlay.nodes.write_state import FileWriteProposal, MergeDecision, SafeWriteState
from inlay.render.diff import diff_lines
from inlay.storage import Workspace
from inlay.text.lines import count_lines


def safe_file_write(state: SafeWriteState) -> dict[str, Any]:
    """Write the proposed files as one transaction, or say which of them wait for a decision.

    Where decisions are missing nothing is written: in `auto_mode` that raises SafeFileWriteError, otherwise
    `awaiting_approval` names the files and `proposed_writes` has what a person needs to see. Called again with
    `merge_decisions` it goes on. A call that is repeated after a crash writes nothing twice that was decided about.
    """
    workspace = Workspace(state.get("project_root", "."))
    decisions = {workspace.locate(told["file_path"]): told for told in state.get("merge_decisions", [])}
    proposals = _still_to_do(state.get("proposed_writes", []), decisions, workspace)
    try:
        landing = _written(proposals, decisions, workspace, force=state.get("force_replace", False))
    except SafeFileWriteError as error:
        if state.get("auto_mode", False):
            raise
        return _waiting(proposals, error)
    return _done(landing)


async def safe_file_write_async(state: SafeWriteState) -> dict[str, Any]:
    """The same for a graph that runs asynchronously; the disk is waited for in a thread."""
    return await asyncio.to_thread(safe_file_write, state)


def _written(
    proposals: Sequence[FileWriteProposal],
    decisions: Mapping[RepoPath, MergeDecision],
    workspace: Workspace,
    *,
    force: bool,
) -> Landing:
    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        return [_decision(need.path, decisions[need.path]) for need in needs if need.path in decisions]

    writes = [_write(proposal) for proposal in proposals]
    return write_all(writes, workspace, options=LandOptions(force=force), approve=approve)


def _write(proposal: FileWriteProposal) -> Write:
    strategy = proposal.get("merge_strategy")
    line = proposal.get("insertion_point") if strategy == "insert" else None
    return Write(proposal["file_path"], proposal["new_content"], strategy, line)


def _decision(path: RepoPath, told: MergeDecision) -> Decision:
    if not told["approved"]:
        return Decision(path, "skip", by="graph")
    return Decision(path, strategy=told.get("strategy"), line=told.get("insertion_point"), by="graph")


def _still_to_do(
    proposals: Sequence[FileWriteProposal], decisions: Mapping[RepoPath, MergeDecision], workspace: Workspace
) -> list[FileWriteProposal]:
    """The proposals without those that an earlier, interrupted call has carried out."""
    return [each for each in proposals if not _is_done(each, decisions, workspace)]


def _is_done(proposal: FileWriteProposal, decisions: Mapping[RepoPath, MergeDecision], workspace: Workspace) -> bool:
    if "existing_digest" not in proposal:
        return False
    path = workspace.locate(proposal["file_path"])
    now, decided = workspace.read(path), decisions.get(path)
    digest = now.digest if now else ""
    if digest == proposal["existing_digest"]:
        return False
    if decided and digest == _wanted(proposal, path, decided):
        return True
    raise StaleFile(f"{proposal['file_path']} has changed since it was looked at; nothing was written")


def _wanted(proposal: FileWriteProposal, path: RepoPath, decided: MergeDecision) -> str | None:
    """The digest of what the decision makes of the file as it was looked at."""
    before = proposal.get("existing_content")
    if before is None:
        return None
    try:
        result, _ = preview(Change(path, File.of(str(path), before), proposal["new_content"]), _decision(path, decided))
    except InlayError:
        return None
    return content_digest(result)


def _waiting(proposals: Sequence[FileWriteProposal], error: SafeFileWriteError) -> dict[str, Any]:
    assert isinstance(error.changes, ChangeSet)
    needs = {need.path: need for need in error.needs if isinstance(need, Need)}
    analysed = [
        _analysed(proposal, change, needs.get(change.path))
        for proposal, change in zip(proposals, error.changes.changes, strict=True)
    ]
    return {"proposed_writes": analysed, "awaiting_approval": [str(path) for path in needs], "written_files": []}


def _analysed(proposal: FileWriteProposal, change: Change, need: Need | None) -> FileWriteProposal:
    before, after = change.before.text if change.before else "", change.after or ""
    return {
        **proposal,
        "existing_content": before if need else None,
        "existing_digest": change.before.digest if change.before else "",
        "existing_lines": count_lines(before),
        "new_lines": count_lines(after),
        "requires_approval": need is not None,
        "headline": need.headline if need else "",
        "reasons": [reason.message for reason in need.reasons] if need else [],
        "diff": "\n".join(diff_lines(change)),
    }


def _done(landing: Landing) -> dict[str, Any]:
    receipt = landing.receipt
    written = [
        {"file_path": str(file.path), "action": file.action, "before": file.before, "after": file.after}
        for file in (receipt.files if receipt else ())
    ]
    return {
        "proposed_writes": [],
        "merge_decisions": [],
        "awaiting_approval": [],
        "written_files": written,
        "receipt": receipt.id if receipt else "",
    }
