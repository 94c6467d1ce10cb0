"""Takes a reply from its text to the files of a project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from inlay.engine import checks, formats, staging
from inlay.errors import EditsRefused, Misfit
from inlay.landing.approval import approve_changes
from inlay.landing.land_options import LandOptions
from inlay.landing.reply_text import require_text
from inlay.landing.seen_text import with_bases, with_quoted
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
    """The edits of a reply, the changes they make, and what was written."""

    reading: Reading
    changes: ChangeSet
    findings: tuple[Finding, ...] = ()
    receipt: Receipt | None = None  #: None after a dry run
    needs: tuple[Need, ...] = ()  #: what had to be decided
    decisions: tuple[Decision, ...] = ()
    skipped: tuple[RepoPath, ...] = ()  #: files left alone by decision
    unchecked: tuple[str, ...] = ()  #: sentences: which languages no parser here can read


def land(
    reply: str, workspace: Workspace, *, options: LandOptions | None = None, approve: Approve | None = None
) -> Landing:
    """Apply the edits of a reply to a project: all of them, or none and an error that says why.

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

    `approve` is asked about files that need a decision; without it they raise SafeFileWriteError.
    """
    options = options or LandOptions()
    require_text(reply)
    reading = replace(formats.read(reply, options.format, strict=options.strict), allow=options.allow)
    if options.file is not None:
        reading = fill_in(reading, options.file)
    return finish(reading, staged(reading, workspace, options), workspace, options, approve)


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
    findings: tuple[Finding, ...] | None = None,
) -> Landing:
    """From staged changes to written files: check, decide, commit. The approved bytes are the written bytes.

    `on_writing` is called when everything is decided and nothing is written; if it raises, nothing is written.
    `findings` are those of all checks on these very changes, where they ran before.
    """
    approved = approve_changes(changes, workspace, options, approve, findings)
    receipt = None
    if not options.dry_run:
        if on_writing is not None:
            on_writing()
        described = [match.description for change in approved.changes.changes for match in change.matches]
        summary = "; ".join(filter(None, (summary, *dict.fromkeys(described))))
        receipt = workspace.commit(approved.changes, kind=kind, summary=summary)
    return Landing(
        reading,
        approved.changes,
        approved.findings,
        receipt,
        approved.needs,
        approved.decisions,
        approved.skipped,
        checks.unchecked(approved.changes) if options.check else (),
    )


def staged(reading: Reading, workspace: Workspace, options: LandOptions) -> ChangeSet:
    """Stage a reading on a project; a refusal also says in which other file a block was found."""
    resolved = workspace.resolve(reading, options.directory, options.file)
    snapshot = with_bases(reading, resolved, workspace, options)
    try:
        return staging.stage(reading, snapshot)
    except EditsRefused as refusal:
        misfits = refusal.misfits
    if (quoted := with_quoted(misfits, reading, snapshot, workspace)) is not None:
        try:
            return staging.stage(reading, quoted)
        except EditsRefused as refusal:
            misfits = refusal.misfits
    raise EditsRefused(*(_located(misfit, snapshot, workspace) for misfit in misfits))


def _located(misfit: Misfit, snapshot: Snapshot, workspace: Workspace) -> Misfit:
    searched = snapshot.names.get(misfit.path)
    if misfit.code != "not-found" or not misfit.wanted.strip() or searched is None:
        return misfit
    elsewhere = workspace.search(misfit.wanted.strip("\n"), skip=searched)
    if len(elsewhere) != 1:
        return misfit
    message = f"{misfit.message}, but it is in {elsewhere[0]}"
    return replace(misfit, message=message, advice=f"If {elsewhere[0]} is meant, name that file before the edit.")
