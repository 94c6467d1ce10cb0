"""What must hold for files that a reply gives, makes or removes as a whole."""

from __future__ import annotations

from inlay.engine.checks.rules import placeholders
from inlay.engine.staging.located import NotLocated
from inlay.errors import Misfit
from inlay.model.file import File, RepoPath
from inlay.text.lines import Source

_SUMMARY_OF = 8  # lines that show anything; a shorter file may well be rewritten


def check_new(path: RepoPath, content: str, before: File | None) -> None:
    """A new file must not stand in the place of another; the same content or an empty file is no harm."""
    if before is not None and before.text.strip() and before.text != content:
        advice = "Edit it instead of creating it, or choose another name."
        raise NotLocated(Misfit("exists", f"{path} exists already", advice))
    _check_content(path, content, "")


def check_whole(path: RepoPath, content: str, before: File | None) -> None:
    """A whole file must be the file: no elision, no summary."""
    _check_content(path, content, before.text if before else "")
    if before is None:
        return
    # A much shorter text that shares no line with the file describes it instead.
    had = {line.strip() for line in before.text.split("\n")} - {""}
    new = {line.strip() for line in content.split("\n")} - {""}
    if len(had) >= _SUMMARY_OF and 2 * len(new) < len(had) and not new & had:
        counts = content.count("\n") + 1, before.text.count("\n") + 1
        message = f"the new content has {counts[0]} lines where the file has {counts[1]}, and not one in common"
        raise NotLocated(Misfit("summary", message, "Send the whole file as it should be, or edits."))


def check_deletable(path: RepoPath, lines: tuple[str, ...] | None, before: File | None) -> File:
    """A file may only go if it is there and is what the reply takes it for."""
    if before is None:
        message = f"{path} does not exist, so it cannot be deleted"
        raise NotLocated(Misfit("missing", message, "Name an existing file."))
    if lines is not None and [line.rstrip() for line in lines] != [line.rstrip() for line in Source(before.text).lines]:
        message = f"{path} is to be deleted, but does not have the lines that the reply quotes"
        raise NotLocated(Misfit("not-found", message, "Look at the file as it is now before deleting it."))
    return before


def in_style(content: str, before: str) -> str:
    """New content with the file's own line endings and final newline."""
    if "\r\n" in before and "\n" not in before.replace("\r\n", ""):
        content = content.replace("\r\n", "\n").replace("\n", "\r\n")
    if before and not before.endswith("\n"):
        return content.removesuffix("\n").removesuffix("\r")
    return content


def _check_content(path: RepoPath, content: str, before: str) -> None:
    known = set(before.split("\n"))
    added = [line for line in content.split("\n") if line not in known]
    if (placeholder := placeholders.in_file(added, before, content, path)) is not None:
        message = f"the file has {placeholder!r} instead of its lines"
        raise NotLocated(Misfit("elided", message, "Write out the whole file, or send edits."))
