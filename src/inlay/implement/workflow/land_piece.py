"""Checks, approves and writes one proposed piece, for the steps `write` and `approve`."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.errors import SafeFileWriteError
from inlay.generation.unasked_losses import with_unasked_losses
from inlay.implement.workflow.run_context import Job
from inlay.implement.workflow.run_state import ProposedPiece, State
from inlay.landing.approval import run_checks
from inlay.landing.decisions_json import read_decisions
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.landing.stale_changes import brought_up_to_date
from inlay.model.change import ChangeSet
from inlay.model.decision import Approve, Decision, Need
from inlay.model.edit import Reading
from inlay.model.file import RepoPath
from inlay.storage.stores import change_codec

# A file that this run created contains nothing that anybody else wrote.
_LOSS_CODES = frozenset({"large-replacement", "large-removal", "shrinkage"})


def rehearse(proposed: ProposedPiece, state: State, job: Job) -> SafeFileWriteError | None:
    """The error that says what must be decided before the proposal may land; None where nothing must."""
    changes = change_codec.load(proposed["content"], job.folder(state))
    options = LandOptions(dry_run=True, threshold=job.options.threshold, yes=job.options.yes)
    try:
        finish_piece(changes, state, job, options)
    except SafeFileWriteError as error:
        return error
    return None


def finish_piece(changes: ChangeSet, state: State, job: Job, options: LandOptions) -> Landing:
    """Approved by stored decisions, then by the job's own approver; the run's own files need no approval."""
    given: Approve | None = job.approve
    if state.get("decisions"):
        given = read_decisions(job.folder(state).text(state["decisions"]))
    created = {piece["path"] for piece in state.get("written", []) if piece["action"] == "created"}

    def approve(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        ours = [need.path for need in needs if str(need.path) in created and need.codes <= _LOSS_CODES]
        rest = tuple(need for need in needs if need.path not in ours)
        others = given(rest, changes) if given and rest else ()
        return [*(Decision(path, by="run") for path in ours), *others]

    changes = brought_up_to_date(changes, job.workspace)
    summary = summary_of(state, changes.changes[0].path)
    findings = with_unasked_losses(changes, run_checks(changes, all_checks=True), job.spec(state).text)
    reading = Reading(changes.format, ())
    return finish(reading, changes, job.workspace, options, approve, summary=summary, findings=findings)


def summary_of(state: State, path: RepoPath) -> str:
    return f"run {state['run']}: {path}"
