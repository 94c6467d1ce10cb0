"""Takes a reply from its text to the files of a project, one step after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from inlay import checks, formats, staging
from inlay.errors import EditsRefused, Misfit, NeedsDecision
from inlay.flows.addressing import fill_in
from inlay.flows.legible import require_text
from inlay.flows.verdict import raise_for, raise_for_unwritable
from inlay.model.change import ChangeSet
from inlay.model.edit import Reading
from inlay.model.file import Snapshot
from inlay.model.finding import Finding
from inlay.model.receipt import Receipt
from inlay.storage import Workspace

Approve: TypeAlias = Callable[[ChangeSet, tuple[Finding, ...]], bool]


@dataclass(frozen=True, slots=True)
class LandOptions:
    """How a reply is to land."""

    format: str | None = None  #: a format's name or alias; None to detect it
    file: str | None = None  #: the file meant by edits that name none
    strict: bool = False  #: refuse wrapping around the edits instead of passing it over
    check: bool = True  #: validate the result before anything is written
    dry_run: bool = False  #: do everything but write


@dataclass(frozen=True, slots=True)
class Landing:
    """What a reply asked for, what became of it, and what was written."""

    reading: Reading
    changes: ChangeSet
    findings: tuple[Finding, ...] = ()
    receipt: Receipt | None = None  #: None after a dry run


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

    `approve` sees what would be written and what the checks found; unless it says yes, NeedsDecision is raised.
    """
    options = options or LandOptions()
    require_text(reply)
    reading = formats.read(reply, options.format, strict=options.strict)
    if options.file is not None:
        reading = fill_in(reading, options.file)
    snapshot = workspace.resolve(reading)
    changes = _stage(reading, snapshot, workspace)
    raise_for_unwritable(changes)
    findings = checks.run(changes) if options.check else ()
    raise_for(findings)
    if approve is not None and not approve(changes, findings):
        raise NeedsDecision("the changes were not approved; nothing was written")
    receipt = None if options.dry_run else workspace.commit(changes)
    return Landing(reading, changes, findings, receipt)


def _stage(reading: Reading, snapshot: Snapshot, workspace: Workspace) -> ChangeSet:
    """Stage the edits; a refusal also says where a block that was not found does stand."""
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
