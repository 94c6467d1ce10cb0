"""Takes a reply from its text to the files of a project, one step after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from inlay.engine import formats, staging
from inlay.errors import EditsRefused, Misfit
from inlay.landing.approval import settle
from inlay.landing.land_options import LandOptions
from inlay.landing.reply_text import require_text
from inlay.landing.target_file import fill_in
from inlay.model.change import ChangeSet
from inlay.model.decision import Approve, Decision, Need
from inlay.model.edit import Reading
from inlay.model.file import RepoPath, Snapshot
from inlay.model.finding import Finding
from inlay.model.receipt import Kind, Receipt
from inlay.storage import Workspace


@dataclass(frozen=True, slots=True)
class Landing:
    """What a reply asked for, what became of it, and what was written."""

    reading: Reading
    changes: ChangeSet
    findings: tuple[Finding, ...] = ()
    receipt: Receipt | None = None  #: None after a dry run
    needs: tuple[Need, ...] = ()  #: what had to be decided
    decisions: tuple[Decision, ...] = ()
    skipped: tuple[RepoPath, ...] = ()  #: files left alone because somebody decided so


def land(
    reply: str, workspace: Workspace, *, options: LandOptions | None = None, approve: Approve | None = None
) -> Landing:
    """Set the edits of a reply into a project: all of them, or none and an error that says why.

    >>> import pathlib, tempfile
    >>> from inlay import Workspace, land
    >>> project = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(project.name, "greet.py")
    >>> _ = file.write_text("def greet():\\n    return 'hello'\\n")
    >>> reply = '''greet.py
    ... <<<<<<< SEARCH
    ...     return 'hello'
    ... =======
    ...     return 'goodbye'
    ... >>>>>>> REPLACE
    ... '''
    >>> landing = land(reply, Workspace(project.name))
    >>> [(str(written.path), written.action) for written in landing.receipt.files]
    [('greet.py', 'updated')]
    >>> file.read_text()
    "def greet():\\n    return 'goodbye'\\n"
    >>> project.cleanup()

    `approve` is asked about files that must not be written unseen; without it they raise SafeFileWriteError.
    """
    options = options or LandOptions()
    require_text(reply)
    reading = formats.read(reply, options.format, strict=options.strict)
    if options.file is not None:
        reading = fill_in(reading, options.file)
    return finish(reading, staged(reading, workspace), workspace, options, approve)


def finish(
    reading: Reading,
    changes: ChangeSet,
    workspace: Workspace,
    options: LandOptions,
    approve: Approve | None,
    *,
    kind: Kind = "land",
    summary: str = "",
    on_writing: Callable[[], None] | None = None,
) -> Landing:
    """From staged changes to written files: check, decide, commit. The approved bytes are the written bytes.

    `on_writing` is called when everything is decided and nothing is written; what it raises keeps it so.
    """
    settled = settle(changes, workspace, options, approve)
    summary = "; ".join(filter(None, (summary, _summary(settled.changes))))
    if on_writing is not None and not options.dry_run:
        on_writing()
    receipt = None if options.dry_run else workspace.commit(settled.changes, kind=kind, summary=summary)
    return Landing(
        reading, settled.changes, settled.findings, receipt, settled.needs, settled.decisions, settled.skipped
    )


def _summary(changes: ChangeSet) -> str:
    """What the reply itself says about its edits, for the history."""
    said = [match.description for change in changes.changes for match in change.matches if match.description]
    return "; ".join(dict.fromkeys(said))


def staged(reading: Reading, workspace: Workspace) -> ChangeSet:
    """What a reading makes of the files it means; a refusal also says where a block that was not found does stand."""
    snapshot = workspace.resolve(reading)
    try:
        return staging.stage(reading, snapshot)
    except EditsRefused as refusal:
        raise EditsRefused(*(_located(misfit, snapshot, workspace) for misfit in refusal.misfits)) from None


def _located(misfit: Misfit, snapshot: Snapshot, workspace: Workspace) -> Misfit:
    searched = snapshot.names.get(misfit.path)
    if misfit.code != "not-found" or not misfit.wanted.strip() or searched is None:
        return misfit
    elsewhere = workspace.search(misfit.wanted.strip("\n"), skip=searched)
    if len(elsewhere) != 1:
        return misfit
    message = f"{misfit.message}; it does stand in {elsewhere[0]}"
    return replace(misfit, message=message, advice=f"If {elsewhere[0]} is meant, name that file before the edit.")
