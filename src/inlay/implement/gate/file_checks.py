"""What is wrong with the files that a document names: judged against the project, one finding for each cause."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from inlay.errors import InlayError, ReplyRejected
from inlay.implement.gate.did_you_mean import did_you_mean
from inlay.implement.spec.document import Mention, PlannedFile, Remark, Spec
from inlay.model.file import RepoPath
from inlay.storage import Workspace

PLACEHOLDERS = ("src", "lib", "app")  #: folders that documents name out of habit
_TEMPLATE = re.compile(r"[<{\[].*[>}\]]|(?:^|/)(?:path/to|your[_-]|example[_/-]|foo/|xxx)|\.\.\.", re.IGNORECASE)
# A folder is added with the file that makes it a package.
_ANNOUNCING = frozenset({"__init__.py", "mod.rs", "index.ts", "index.js", "package.json", "go.mod", "Cargo.toml"})


@dataclass
class Grounds:
    """A document beside the project it is for."""

    spec: Spec
    workspace: Workspace

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The project's own files."""
        return self.workspace.files()

    @cached_property
    def listed(self) -> frozenset[str]:
        return frozenset(file.path for file in self.spec.files)

    @cached_property
    def added_folders(self) -> frozenset[str]:
        """Folders that the document adds, said outright or by the file that makes them a package."""
        added = [file for file in self.spec.files if file.change == "add"]
        said = {step for file in added if file.directory for step in _steps(file.path)}
        announced = {posixpath.dirname(file.path) for file in added if posixpath.basename(file.path) in _ANNOUNCING}
        return frozenset(said | announced)

    def kind(self, path: str) -> str | None:
        """What stands there: "file", "folder", "other" or nothing."""
        try:
            return self.workspace.kind(RepoPath(path)) if path else "folder"
        except InlayError:
            return None

    def meant(self, path: str) -> str:
        return did_you_mean(path, self.known)


def check_files(grounds: Grounds) -> Iterator[Remark]:
    """Everything about the list of files itself."""
    for file in grounds.spec.files:
        yield from _misnamed(file, grounds) or _misplaced(file, grounds) or _fitting(file, grounds)
    yield from _duplicates(grounds.spec)


def check_mentions(grounds: Grounds) -> Iterator[Remark]:
    """Paths that the rest of the document names and the list of files does not."""
    for path in grounds.spec.test_files:
        yield from _unlisted_test(path, grounds)
    for mention in grounds.spec.mentions:
        if not _is_listed(mention.path, grounds.listed):
            yield from _unlisted(mention, grounds)


def _misnamed(file: PlannedFile, grounds: Grounds) -> list[Remark]:
    if _TEMPLATE.search(file.path):
        message = f"`{file.path}` is a placeholder, not a path"
        return [Remark("placeholder", "error", message, file.line, "Name the file that is meant.")]
    try:
        path = grounds.workspace.locate(file.path)
    except ReplyRejected as refusal:
        misfit = refusal.misfits[0]
        return [Remark(misfit.code, "error", misfit.message, file.line, misfit.advice)]
    except InlayError as failure:
        return [Remark("unreadable", "error", str(failure), file.line)]
    guard = grounds.workspace.protection(path)
    if guard.level == "approve":
        message = f"`{file.path}` will need a person's approval: it is {guard.reason}"
        return [*_fitting(file, grounds), Remark("protected", "warning", message, file.line)]
    return []


def _misplaced(file: PlannedFile, grounds: Grounds) -> list[Remark]:
    """A first folder that is there only in the document."""
    first = file.path.partition("/")[0]
    if first not in PLACEHOLDERS or "/" not in file.path or first in grounds.added_folders:
        return []
    if grounds.kind(first) == "folder":
        return []
    message = f"`{file.path}` begins with `{first}/`, which this project does not have"
    return [Remark("placeholder-prefix", "error", message, file.line, grounds.meant(file.path))]


def _fitting(file: PlannedFile, grounds: Grounds) -> list[Remark]:
    match file.change:
        case "unknown":
            return [_unknown_change(file, grounds)]
        case "add":
            return list(_added(file, grounds))
        case "modify" | "delete":
            return list(_existing(file, grounds))


def _unknown_change(file: PlannedFile, grounds: Grounds) -> Remark:
    there = grounds.kind(file.path)
    if file.written:
        message = f"`{file.written}` is no change type for `{file.path}`"
    else:
        message = f"nothing says whether `{file.path}` is added, modified or deleted"
    advice = "It exists, so Modify or Delete." if there else "It does not exist, so Add, if it is no slip."
    return Remark("change-type", "error", message, file.line, f"Write Add, Modify or Delete. {advice}")


def _added(file: PlannedFile, grounds: Grounds) -> Iterator[Remark]:
    there = grounds.kind(file.path)
    if there:
        harmless = file.is_test or (file.directory and there == "folder")
        message = f"`{file.path}` is to be added, but it exists already"
        advice = "" if file.directory else "Write Modify, if it is to be changed."
        yield Remark("already-there", "warning" if harmless else "error", message, file.line, advice)
        return
    folder = posixpath.dirname(file.path)
    if not file.directory and any(not _has_folder(step, grounds) for step in _steps(folder)):
        message = f"`{file.path}` is to be added in `{folder}/`, which neither exists nor is added"
        advice = f"{_similar_folder(folder, grounds)} List `{folder}/` as Add (Directory) if it is new.".strip()
        yield Remark("missing-parent", "error", message, file.line, advice)


def _existing(file: PlannedFile, grounds: Grounds) -> Iterator[Remark]:
    wanted = "folder" if file.directory else "file"
    there = grounds.kind(file.path)
    if there is None:
        verb = "modified" if file.change == "modify" else "deleted"
        message = f"`{file.path}` is to be {verb}, but there is no such {wanted}"
        yield Remark("missing-file", "error", message, file.line, grounds.meant(file.path))
    elif there != wanted:
        yield Remark("not-a-file", "error", f"`{file.path}` is a {there}, not a {wanted}", file.line)


def _has_folder(path: str, grounds: Grounds) -> bool:
    return path in grounds.added_folders or grounds.kind(path) == "folder"


def _steps(folder: str) -> list[str]:
    steps = folder.split("/") if folder else []
    return ["/".join(steps[: at + 1]) for at in range(len(steps))]


def _similar_folder(folder: str, grounds: Grounds) -> str:
    folders = {step for file in grounds.known for step in _steps(posixpath.dirname(file))}
    return did_you_mean(folder, sorted(folders))


def _duplicates(spec: Spec) -> Iterator[Remark]:
    first: dict[str, PlannedFile] = {}
    for file in spec.files:
        before = first.setdefault(file.path, file)
        if before is not file:
            same = before.change == file.change
            message = f"`{file.path}` is listed twice, first on line {before.line}"
            said = "" if same else f" as {before.written or before.change}"
            yield Remark("duplicate-file", "warning" if same else "error", message + said, file.line)


def _unlisted_test(path: str, grounds: Grounds) -> Iterator[Remark]:
    if path in grounds.listed:
        return
    line = next((mention.line for mention in grounds.spec.mentions if mention.path == path), 0)
    if grounds.kind(path) == "file":
        message = f"the test file `{path}` is not among the files changed, so it is run as it is"
        yield Remark("test-not-listed", "warning", message, line)
    else:
        message = f"the test file `{path}` does not exist and is not among the files changed"
        yield Remark("test-not-listed", "error", message, line, f"List `{path}` as Add. {grounds.meant(path)}".strip())


def _unlisted(mention: Mention, grounds: Grounds) -> Iterator[Remark]:
    if mention.path.endswith("/") or (mention.path in grounds.spec.test_files and mention.role == "tests"):
        return
    if mention.role == "done":
        message = f"`{mention.path}` is part of the definition of done, but not among the files changed"
        advice = "List it there, or take it out here."
        yield Remark("not-listed", "error" if "/" in mention.path else "warning", message, mention.line, advice)
    elif "/" in mention.path and not _exists(mention.path, grounds):
        message = f"`{mention.path}` is named, but neither exists nor is among the files changed"
        yield Remark("unknown-path", "warning", message, mention.line, grounds.meant(mention.path))


def _exists(path: str, grounds: Grounds) -> bool:
    return grounds.kind(path) is not None or any(file.endswith(f"/{path}") for file in grounds.known)


def _is_listed(path: str, listed: frozenset[str]) -> bool:
    return path in listed or any(file.endswith(f"/{path}") for file in listed)
