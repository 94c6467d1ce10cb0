"""Writes content to files by name, as carefully as a reply is landed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from inlay.engine import merging
from inlay.errors import EditsRefused, Misfit, ReplyRejected
from inlay.landing.apply_decision import merged
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.landing.reply_text import require_text
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Approve
from inlay.model.edit import Create, Overwrite, Reading
from inlay.model.file import Snapshot
from inlay.storage import Workspace

_FORMAT = "content"


@dataclass(frozen=True, slots=True)
class Write:
    """Content for one file, and how it joins what is there; without a strategy it replaces it."""

    path: str
    content: str
    strategy: merging.Strategy | None = None
    line: int | None = None  #: 1-based, for "insert"
    replace_existing: bool = False  #: for "extend"


def write(
    path: str,
    content: str,
    workspace: Workspace,
    *,
    strategy: merging.Strategy | None = None,
    line: int | None = None,
    options: LandOptions | None = None,
    approve: Approve | None = None,
) -> Landing:
    """Write content to a file; what would replace a file of substance needs a decision first.

    >>> import pathlib, tempfile
    >>> from inlay import SafeFileWriteError, Workspace, write
    >>> project = tempfile.TemporaryDirectory()
    >>> workspace, file = Workspace(project.name), pathlib.Path(project.name, "notes.txt")
    >>> _ = write("notes.txt", "a note\\n" * 150, workspace)
    >>> try:
    ...     write("notes.txt", "another\\n", workspace)
    ... except SafeFileWriteError as error:
    ...     print(error.needs[0].headline)
    About to replace 150 lines with 1 line (-149)
    >>> _ = write("notes.txt", "another\\n", workspace, strategy="append")
    >>> file.read_text().count("note")
    150
    >>> project.cleanup()
    """
    return write_all([Write(path, content, strategy, line)], workspace, options=options, approve=approve)


def write_all(
    writes: Sequence[Write],
    workspace: Workspace,
    *,
    options: LandOptions | None = None,
    approve: Approve | None = None,
) -> Landing:
    """Write several files as one transaction with one approval."""
    return finish(*proposed(writes, workspace), workspace, options or LandOptions(), approve, kind="write")


def proposed(writes: Sequence[Write], workspace: Workspace) -> tuple[Reading, ChangeSet]:
    """What the contents make of the files they are for, in memory."""
    for each in writes:
        require_text(each.content, "the content")
    snapshot = workspace.resolve(Reading(_FORMAT, tuple(_named(each, workspace) for each in writes)))
    _raise_for_repeated(writes, snapshot)
    reading = Reading(_FORMAT, tuple(Overwrite(each.path, each.content) for each in writes))
    return reading, ChangeSet(_changes(writes, snapshot), _FORMAT)


def _named(each: Write, workspace: Workspace) -> Create | Overwrite:
    """What is not there is a new file, so that every name is taken at its word: who names one has not guessed."""
    try:
        is_there = workspace.exists(each.path)
    except ReplyRejected:
        is_there = False  # why the name cannot be meant is told with all the others
    return (Overwrite if is_there else Create)(each.path, each.content)


def _raise_for_repeated(writes: Sequence[Write], snapshot: Snapshot) -> None:
    counts = Counter(snapshot.names[each.path] for each in writes)
    twice = [Misfit("named-twice", f"{path} is written twice", path=str(path)) for path, n in counts.items() if n > 1]
    if twice:
        raise EditsRefused(*twice)


def _changes(writes: Sequence[Write], snapshot: Snapshot) -> tuple[Change, ...]:
    """All changes; raises with every reason when any content cannot join its file."""
    changes: list[Change] = []
    misfits: list[Misfit] = []
    for each in writes:
        try:
            changes.append(_change(each, snapshot))
        except ReplyRejected as refused:
            misfits += refused.misfits
    if misfits:
        raise EditsRefused(*misfits)
    return tuple(changes)


def _change(each: Write, snapshot: Snapshot) -> Change:
    path = snapshot.names[each.path]
    change = Change(path, snapshot.files.get(path), each.content)
    strategy = each.strategy or "replace"
    return merged(change, strategy, line=each.line, replace_existing=each.replace_existing)
