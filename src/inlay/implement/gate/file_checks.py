"""Checks the files that a document names against the project, one finding for each cause."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from inlay.errors import InlayError, ReplyRejected
from inlay.implement.spec.document import Mention, PlannedFile, Remark, Spec
from inlay.model.file import RepoPath
from inlay.storage import Workspace

PLACEHOLDERS = ("src", "lib", "app")  #: folders that documents name out of habit
_TEMPLATE = re.compile(r"[<{\[].*[>}\]]|(?:^|/)(?:path/to|your[_-]|example[_/-]|foo/|xxx)|\.\.\.", re.IGNORECASE)
# A folder is added with the file that makes it a package.
_PACKAGE_FILES = frozenset({"__init__.py", "mod.rs", "index.ts", "index.js", "package.json", "go.mod", "Cargo.toml"})
_MAX_SUGGESTIONS = 3
_CLOSE = 0.75  # of the letters of a name
_LONGEST_SEARCH = 50_000  # names compared letter by letter; more would take seconds


@dataclass
class GateContext:
    """A document and the project it is for."""

    spec: Spec
    workspace: Workspace

    @cached_property
    def known(self) -> tuple[str, ...]:
        return self.workspace.files()

    @cached_property
    def listed(self) -> frozenset[str]:
        return frozenset(file.path for file in self.spec.files)

    @cached_property
    def added_folders(self) -> frozenset[str]:
        """Folders that the document adds: listed, or given by the file that makes them a package."""
        added = [file for file in self.spec.files if file.change == "add"]
        listed = {step for file in added if file.directory for step in _steps(file.path)}
        packages = {posixpath.dirname(file.path) for file in added if posixpath.basename(file.path) in _PACKAGE_FILES}
        return frozenset(listed | packages)

    def kind(self, path: str) -> str | None:
        """What is there: "file", "folder", "other" or nothing."""
        try:
            return self.workspace.kind(RepoPath(path)) if path else "folder"
        except InlayError:
            return None

    def has_folder(self, path: str) -> bool:
        return path in self.added_folders or self.kind(path) == "folder"

    def meant(self, path: str) -> str:
        return did_you_mean(path, self.known)


def check_files(context: GateContext) -> Iterator[Remark]:
    """Everything about the list of files itself."""
    for file in context.spec.files:
        yield from _name_faults(file, context) or _change_faults(file, context)
    first: dict[str, PlannedFile] = {}
    for file in context.spec.files:
        before = first.setdefault(file.path, file)
        if before is not file:
            same = before.change == file.change
            message = f"`{file.path}` is listed twice, first on line {before.line}"
            kind = "" if same else f" as {before.written or before.change}"
            yield Remark("duplicate-file", "warning" if same else "error", message + kind, file.line)


def check_mentions(context: GateContext) -> Iterator[Remark]:
    """Paths that the rest of the document names and the list of files does not."""
    for path in (path for path in context.spec.test_files if path not in context.listed):
        line = next((mention.line for mention in context.spec.mentions if mention.path == path), 0)
        if context.kind(path) == "file":
            message = f"the test file `{path}` is not among the files changed, so it is run as it is"
            yield Remark("test-not-listed", "warning", message, line)
        else:
            message = f"the test file `{path}` does not exist and is not among the files changed"
            advice = f"List `{path}` as Add. {context.meant(path)}".strip()
            yield Remark("test-not-listed", "error", message, line, advice)
    for mention in context.spec.mentions:
        listed = mention.path in context.listed or any(file.endswith(f"/{mention.path}") for file in context.listed)
        if not listed:
            yield from _unlisted(mention, context)


def _name_faults(file: PlannedFile, context: GateContext) -> list[Remark]:
    if _TEMPLATE.search(file.path):
        message = f"`{file.path}` is a placeholder, not a path"
        return [Remark("placeholder", "error", message, file.line, "Name the file that is meant.")]
    try:
        path = context.workspace.locate(file.path)
    except ReplyRejected as refusal:
        misfit = refusal.misfits[0]
        return [Remark(misfit.code, "error", misfit.message, file.line, misfit.advice)]
    except InlayError as failure:
        return [Remark("unreadable", "error", str(failure), file.line)]
    guard = context.workspace.protection(path)
    if guard.level == "approve":
        message = f"`{file.path}` will need a person's approval: it is {guard.reason}"
        return [*_change_faults(file, context), Remark("protected", "warning", message, file.line)]
    first = file.path.partition("/")[0]
    if first not in PLACEHOLDERS or "/" not in file.path or context.has_folder(first):
        return []
    message = f"`{file.path}` begins with `{first}/`, which this project does not have"
    return [Remark("placeholder-prefix", "error", message, file.line, context.meant(file.path))]


def _change_faults(file: PlannedFile, context: GateContext) -> list[Remark]:
    match file.change:
        case "add":
            return list(_added(file, context))
        case "modify" | "delete":
            wanted, there = "folder" if file.directory else "file", context.kind(file.path)
            if there is None:
                verb = "modified" if file.change == "modify" else "deleted"
                message = f"`{file.path}` is to be {verb}, but there is no such {wanted}"
                return [Remark("missing-file", "error", message, file.line, context.meant(file.path))]
            message = f"`{file.path}` is a {there}, not a {wanted}"
            return [Remark("not-a-file", "error", message, file.line)] if there != wanted else []
        case "unknown":
            message = f"nothing says whether `{file.path}` is added, modified or deleted"
            if file.written:
                message = f"`{file.written}` is not a change type for `{file.path}`"
            exists = context.kind(file.path)
            advice = "It exists, so Modify or Delete." if exists else "It does not exist, so Add, unless it is a typo."
            return [Remark("change-type", "error", message, file.line, f"Write Add, Modify or Delete. {advice}")]


def _added(file: PlannedFile, context: GateContext) -> Iterator[Remark]:
    there = context.kind(file.path)
    if there:
        harmless = file.is_test or (file.directory and there == "folder")
        message = f"`{file.path}` is to be added, but it exists already"
        advice = "" if file.directory else "Write Modify, if it is to be changed."
        yield Remark("already-there", "warning" if harmless else "error", message, file.line, advice)
        return
    folder = posixpath.dirname(file.path)
    if not file.directory and not all(map(context.has_folder, _steps(folder))):
        message = f"`{file.path}` is to be added in `{folder}/`, which neither exists nor is added"
        folders = {step for known in context.known for step in _steps(posixpath.dirname(known))}
        similar = did_you_mean(folder, sorted(folders))
        advice = f"{similar} List `{folder}/` as Add (Directory) if it is new.".strip()
        yield Remark("missing-parent", "error", message, file.line, advice)


def _steps(folder: str) -> list[str]:
    steps = folder.split("/") if folder else []
    return ["/".join(steps[: at + 1]) for at in range(len(steps))]


def _unlisted(mention: Mention, context: GateContext) -> Iterator[Remark]:
    if mention.path.endswith("/") or (mention.path in context.spec.test_files and mention.role == "tests"):
        return
    if mention.role == "done":
        message = f"`{mention.path}` is part of the definition of done, but not among the files changed"
        advice = "List it there, or take it out here."
        yield Remark("not-listed", "error" if "/" in mention.path else "warning", message, mention.line, advice)
        return
    if "/" not in mention.path or context.kind(mention.path):
        return
    if not any(file.endswith(f"/{mention.path}") for file in context.known):
        message = f"`{mention.path}` is named, but neither exists nor is among the files changed"
        yield Remark("unknown-path", "warning", message, mention.line, context.meant(mention.path))


def nearby(path: str, files: Iterable[str]) -> tuple[str, ...]:
    """Up to three files that a wrong path may mean, the likeliest first."""
    files = list(files)
    wanted = posixpath.basename(path)
    candidates = [file for file in files if posixpath.basename(file).lower() == wanted.lower()]
    if len(candidates) > _MAX_SUGGESTIONS:  # a name that every folder has says nothing without its folder
        folder = posixpath.basename(posixpath.dirname(path))
        candidates = [file for file in candidates if posixpath.basename(posixpath.dirname(file)) == folder]
    elif not candidates:
        names = {posixpath.basename(file) for file in files}
        similar = [name for name in names if abs(len(name) - len(wanted)) <= 4][:_LONGEST_SEARCH]
        close = set(difflib.get_close_matches(wanted, similar, _MAX_SUGGESTIONS, _CLOSE))
        candidates = [file for file in files if posixpath.basename(file) in close]

    def rank(file: str) -> tuple[float, str]:
        return -difflib.SequenceMatcher(None, path, file).ratio(), file

    return tuple(sorted(candidates, key=rank)[:_MAX_SUGGESTIONS])


def did_you_mean(path: str, files: Iterable[str]) -> str:
    """The same as a sentence; empty where nothing is near."""
    names = " or ".join(f"`{file}`" for file in nearby(path, files))
    return f"Did you mean {names}?" if names else ""
