"""The text that the model saw: given by the caller, named by a diff, or an earlier version that the reply quotes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from inlay.engine.staging.stale import has_every_block, is_origin
from inlay.errors import EditsRefused, Misfit
from inlay.git import file_versions
from inlay.landing.land_options import LandOptions
from inlay.model.edit import Edit, Reading, Update
from inlay.model.file import BaseText, RepoPath, Snapshot, decode, is_blob
from inlay.storage import Workspace

_MOST_VERSIONS = 200  # of one file
_MOST_SECONDS = 2.0  # of one reply
_SHORT = 7  # digits of an id, as git shows it


def with_bases(reading: Reading, snapshot: Snapshot, workspace: Workspace, options: LandOptions) -> Snapshot:
    """The snapshot with what the model saw of each file that is to be edited, where that is known."""
    parts = [(path, part) for path, part in _edited(reading, snapshot) if path in snapshot.files]
    edited = dict(parts)
    # In a series of commits a later one names what the one before has made of the file.
    counts = Counter(path for path, _ in parts)
    once = {path: part for path, part in parts if counts[path] == 1}
    bases = _by_id(once, snapshot, workspace) | _given(edited, workspace, options)
    differing = {path: base for path, base in bases.items() if base.text != snapshot.files[path].text}
    return replace(snapshot, bases=differing)


def with_quoted(
    misfits: Iterable[Misfit], reading: Reading, snapshot: Snapshot, workspace: Workspace
) -> Snapshot | None:
    """The snapshot with the newest version of each file that has the blocks which the file itself has not."""
    missing = {snapshot.names.get(misfit.path) for misfit in misfits if misfit.code == "not-found"}
    edits: dict[RepoPath, tuple[Edit, ...]] = {}
    for path, part in _edited(reading, snapshot):
        if path in missing and path in snapshot.files and path not in snapshot.bases:
            edits[path] = edits.get(path, ()) + part.edits
    deadline = time.monotonic() + _MOST_SECONDS
    bases = {path: _quoted(path, its, str(workspace.root), deadline) for path, its in edits.items()}
    found = {path: base for path, base in bases.items() if base is not None}
    return replace(snapshot, bases={**snapshot.bases, **found}) if found else None


def _edited(reading: Reading, snapshot: Snapshot) -> Iterable[tuple[RepoPath, Update]]:
    for part in reading.parts:
        if isinstance(part, Update) and part.path is not None and (path := snapshot.names.get(part.path)) is not None:
            yield path, part


def _by_id(edited: Mapping[RepoPath, Update], snapshot: Snapshot, workspace: Workspace) -> dict[RepoPath, BaseText]:
    """What the `index` lines of diffs name."""
    bases = {}
    for path, part in edited.items():
        if part.base_id is None or is_blob(snapshot.files[path], part.base_id):
            continue
        text = _text(file_versions.by_id(str(workspace.root), part.base_id))
        if text is not None and is_origin(text, part.edits):
            short = part.base_id[:_SHORT]
            bases[path] = BaseText(text, f"blob {short}", f"made from blob {short}, merged", is_named=True)
    return bases


def _given(edited: Mapping[RepoPath, Update], workspace: Workspace, options: LandOptions) -> dict[RepoPath, BaseText]:
    """What the caller says that the model saw."""
    bases = {path: BaseText(options.seen[path]) for path in edited if path in options.seen}
    if options.base is not None:
        contents = file_versions.at_revision(str(workspace.root), options.base, [str(path) for path in edited])
        texts = {RepoPath(path): _text(content) for path, content in contents.items()}
        bases |= {path: BaseText(text, options.base) for path, text in texts.items() if text is not None}
    if options.base_text is not None:
        if len(edited) > 1:
            message = f"the base is one file, but the reply is about {len(edited)}: {', '.join(map(str, edited))}"
            raise EditsRefused(Misfit("several-files", message, "Send the edits of one file only."))
        bases |= {path: BaseText(options.base_text.removeprefix("\ufeff"), "the base") for path in edited}
    return bases


def _quoted(path: RepoPath, edits: tuple[Edit, ...], root: str, deadline: float) -> BaseText | None:
    """The newest version that has every block in one place, word by word."""
    left = deadline - time.monotonic()
    if left <= 0:
        return None
    for version in file_versions.newest_first(root, str(path), most=_MOST_VERSIONS, seconds=left):
        text = _text(version.content)
        if text is not None and has_every_block(text, edits):
            short = version.commit[:_SHORT]
            return BaseText(text, f"commit {short}", f"quoted from commit {short}, merged")
        if time.monotonic() > deadline:
            break
    return None


def _text(content: bytes | None) -> str | None:
    decoded = decode(content) if content is not None else None
    return decoded[0] if decoded else None
