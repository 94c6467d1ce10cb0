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
from inlay.model.file import RepoPath
from inlay.model.finding import Finding
from inlay.model.receipt import Kind, Receipt
from inlay.storage import Workspace

_MOST_SEARCHED_FOR = 8  # blocks that are looked for in other files


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
    try:
        changes = staged(reading, workspace, options)
    except EditsRefused as refusal:
        raise with_other_files(refusal, workspace) from None
    return finish(reading, changes, workspace, options, approve)


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
    """Stage a reading on a project; raises with every reason where it does not fit."""
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
    raise EditsRefused(*misfits)


def with_other_files(refusal: EditsRefused, workspace: Workspace) -> EditsRefused:
    """A refusal that also says which other file has a block; searches the project, so no lock should be held."""
    missing = {misfit: misfit.wanted.strip("\n") for misfit in refusal.misfits if _may_be_elsewhere(misfit)}
    found = workspace.search(set(list(missing.values())[:_MOST_SEARCHED_FOR])) if missing else {}
    return EditsRefused(*(_named(misfit, found.get(missing.get(misfit, ""), [])) for misfit in refusal.misfits))


def _may_be_elsewhere(misfit: Misfit) -> bool:
    return misfit.code == "not-found" and bool(misfit.path) and bool(misfit.wanted.strip())


def _named(misfit: Misfit, files: list[RepoPath]) -> Misfit:
    others = [file for file in files if not f"/{file}".endswith(f"/{misfit.path.removeprefix('./')}")]
    if len(others) != 1:
        return misfit
    message = f"{misfit.message}, but it is in {others[0]}"
    return replace(misfit, message=message, advice=f"If {others[0]} is meant, name that file before the edit.")
