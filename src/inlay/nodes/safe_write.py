"""The node that writes proposed files: at once where that is safe, otherwise after approval."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from inlay.errors import InlayError, SafeFileWriteError, StaleFile
from inlay.landing.approval import preview
from inlay.landing.land_options import LandOptions
from inlay.landing.write import Write, write_all
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need
from inlay.model.file import File, RepoPath
from inlay.model.receipt import Receipt
from inlay.nodes.write_state import FileWriteProposal, MergeDecision, SafeWriteState
from inlay.render.diff import diff_lines
from inlay.storage import Workspace
from inlay.text.lines import count_lines


def safe_file_write(state: SafeWriteState) -> dict[str, Any]:
    """Write the proposed files in one transaction, or return which of them need approval.

    If decisions are missing, nothing is written: in `auto_mode` that raises SafeFileWriteError, otherwise
    `awaiting_approval` names the files and `proposed_writes` has what a person needs to see. Call it again with
    `merge_decisions` to continue. A call that is repeated after a crash writes nothing twice.
    """
    workspace = Workspace(state.get("project_root", "."))
    decisions = {workspace.locate(decision["file_path"]): decision for decision in state.get("merge_decisions", [])}
    proposals = [
        proposal
        for proposal in state.get("proposed_writes", [])
        if not _is_written(proposal, decisions, workspace)  # by an earlier call that was interrupted
    ]

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        return [_decision(need.path, decisions[need.path]) for need in needs if need.path in decisions]

    options = LandOptions(force=state.get("force_replace", False))
    try:
        landing = write_all(list(map(_write, proposals)), workspace, options=options, approve=approve)
    except SafeFileWriteError as error:
        if state.get("auto_mode", False):
            raise
        changes = error.changes
        assert isinstance(changes, ChangeSet)
        needs = {need.path: need for need in error.needs}
        pairs = zip(proposals, changes.changes, strict=True)
        pending = [_described(proposal, change, needs.get(change.path)) for proposal, change in pairs]
        return {"proposed_writes": pending, "awaiting_approval": [str(path) for path in needs], "written_files": []}
    receipt = landing.receipt or Receipt()
    written = [
        {"file_path": str(file.path), "action": file.action, "before": file.before, "after": file.after}
        for file in receipt.files
    ]
    empty: dict[str, Any] = {"proposed_writes": [], "merge_decisions": [], "awaiting_approval": []}
    return {**empty, "written_files": written, "receipt": receipt.id}


async def safe_file_write_async(state: SafeWriteState) -> dict[str, Any]:
    """`safe_file_write` for an asynchronous graph; runs in a thread."""
    return await asyncio.to_thread(safe_file_write, state)


def _write(proposal: FileWriteProposal) -> Write:
    strategy = proposal.get("merge_strategy")
    line = proposal.get("insertion_point") if strategy == "insert" else None
    return Write(proposal["file_path"], proposal["new_content"], strategy, line)


def _decision(path: RepoPath, decision: MergeDecision) -> Decision:
    if not decision["approved"]:
        return Decision(path, "skip", by="graph")
    return Decision(path, strategy=decision.get("strategy"), line=decision.get("insertion_point"), by="graph")


def _is_written(proposal: FileWriteProposal, decisions: Mapping[RepoPath, MergeDecision], workspace: Workspace) -> bool:
    """Whether the file is as the decision would leave it; raises where it has changed in another way."""
    if "existing_digest" not in proposal:
        return False
    path = workspace.locate(proposal["file_path"])
    file, decision = workspace.read(path), decisions.get(path)
    digest = file.digest if file else ""
    if digest == proposal["existing_digest"]:
        return False
    before = proposal.get("existing_content")
    if decision and before is not None:
        change = Change(path, File.of(str(path), before), proposal["new_content"])
        with contextlib.suppress(InlayError):
            if digest == preview(change, _decision(path, decision))[0].digest:
                return True
    raise StaleFile(f"{proposal['file_path']} has changed since it was read; nothing was written")


def _described(proposal: FileWriteProposal, change: Change, need: Need | None) -> FileWriteProposal:
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
