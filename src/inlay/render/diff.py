"""The unified diff of one change."""

from __future__ import annotations

from inlay.model.change import Change
from inlay.text.diff import Difference, difference
from inlay.text.excerpt import MOST_SHOWN, excerpt


def change_difference(change: Change) -> Difference:
    """What a change adds and removes; a file that is created or deleted has an empty other side."""
    return difference(change.before.text if change.before else "", change.after or "")


def diff_headers(change: Change) -> tuple[str, ...]:
    """The lines that name the file, as git writes them, below those with a new mode."""
    before = f"a/{change.path}" if change.before else "/dev/null"
    after = f"b/{change.target}" if change.after is not None else "/dev/null"
    return (*_mode_lines(change), f"--- {before}", f"+++ {after}")


def _mode_lines(change: Change) -> tuple[str, ...]:
    if change.git_mode is None:
        return ()
    if change.before is None:
        return (f"new file mode {change.git_mode}",)
    return f"old mode {'100644' if change.executable else '100755'}", f"new mode {change.git_mode}"


def diff_lines(change: Change, limit: int | None = MOST_SHOWN) -> list[str]:
    """The hunks without file headers; cut after `limit` bytes, and then the last line says so."""
    difference = change_difference(change)
    if limit is None:
        return [line.plain for line in difference.lines()]
    shown = excerpt(difference, limit)
    return [*(line.plain for line in shown.lines), *([shown.note] if shown.note else [])]


def unified_diff(change: Change, limit: int | None = None) -> str:
    """The hunks below their file headers; empty where the change changes nothing."""
    return "" if change.is_noop else "\n".join([*diff_headers(change), *diff_lines(change, limit)]) + "\n"
