"""Writes content to files by name, with the same checks and approval as a reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inlay.engine import merging
from inlay.engine.checks.rules import markers
from inlay.errors import EditsRefused, Misfit, ReplyRejected
from inlay.landing.approval import merge
from inlay.landing.land import Landing, finish
from inlay.landing.land_options import LandOptions
from inlay.landing.reply_text import require_text
from inlay.model.allowance import Allowance
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Approve
from inlay.model.edit import Create, Overwrite, Reading
from inlay.storage import Workspace

_FORMAT = "content"


@dataclass(frozen=True, slots=True)
class Write:
    """Content for one file, and how it is merged with existing content; without a strategy it replaces it."""

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
    """Write content to a file; replacing a long file needs a decision first.

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
    writes: Sequence[Write], workspace: Workspace, *, options: LandOptions | None = None, approve: Approve | None = None
) -> Landing:
    """Write several files as one transaction with one approval."""
    options = options or LandOptions()
    return finish(*proposed(writes, workspace, options.allow), workspace, options, approve, kind="write")


def proposed(
    writes: Sequence[Write], workspace: Workspace, allow: frozenset[Allowance] = frozenset()
) -> tuple[Reading, ChangeSet]:
    """The changes that the contents would make, in memory; raises with every reason why one cannot be made."""
    for write in writes:
        require_text(write.content, "the content")
    snapshot = workspace.resolve(Reading(_FORMAT, tuple(_part(write, workspace) for write in writes)))
    paths = [snapshot.names[write.path] for write in writes]
    twice = [path for path, count in Counter(paths).items() if count > 1]
    if misfits := [Misfit("named-twice", f"{path} is written twice", path=str(path)) for path in twice]:
        raise EditsRefused(*misfits)
    changes: list[Change] = []
    for write, path in zip(writes, paths, strict=True):
        change = Change(path, snapshot.files.get(path), write.content)
        strategy = write.strategy or "replace"
        try:
            changes.append(merge(change, strategy, line=write.line, replace_existing=write.replace_existing))
            misfits += _markup(changes[-1], write.content, allow)
        except ReplyRejected as refused:
            misfits += refused.misfits
    if misfits:
        raise EditsRefused(*misfits)
    reading = Reading(_FORMAT, tuple(Overwrite(write.path, write.content) for write in writes))
    return reading, ChangeSet(tuple(changes), _FORMAT, allow=allow)


def _markup(change: Change, content: str, allow: frozenset[Allowance]) -> list[Misfit]:
    before = change.before.text if change.before else ""
    found = markers.misfits(markers.new_content(content, before), change.target, before, change.after or "", allow)
    return [replace(misfit, path=str(change.path)) for misfit in found]


def _part(write: Write, workspace: Workspace) -> Create | Overwrite:
    """A name without a file is a new file, so that it is taken literally: the caller did not guess it."""
    try:
        exists = workspace.exists(write.path)
    except ReplyRejected:
        exists = False  # `resolve` reports every name that cannot be used
    return (Overwrite if exists else Create)(write.path, write.content)
