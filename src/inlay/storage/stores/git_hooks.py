"""The hooks of a repository: ours installed, an older one kept to run before it, and both restored on removal."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from inlay.errors import EnvironmentFailure, NeedsDecision
from inlay.storage.state import atomic_write

_MARK = "# Put here by `inlay commits install-hooks`; `inlay commits install-hooks --remove` takes it away."
_BEFORE = ".before-inlay"
_SCRIPT = """\
#!/bin/sh
{mark}
before="$(dirname "$0")/{name}{before}"
if [ -x "$before" ]; then
  "$before" "$@" || exit $?
fi
if [ -x {program} ]; then
  inlay() {{ {program} -m inlay "$@"; }}
elif ! command -v inlay >/dev/null 2>&1; then
  echo "inlay is not there any more, so the hook {name} did nothing" >&2
  exit {missing}
fi
{body}
"""
# A missing program fails the check, which must not look passed; a draft is optional.
_BODIES = {
    "commit-msg": ('inlay commits check --message "$1"', 1),
    "prepare-commit-msg": ('inlay commits draft --hook "$@" || true', 0),
}


@dataclass(frozen=True, slots=True)
class Placed:
    """The outcome for one hook."""

    name: str
    action: str  #: "installed", "updated", "removed", "unchanged"
    chained: bool = False  #: an older hook runs before ours


def install(folder: str, names: tuple[str, ...], program: str) -> list[Placed]:
    """Install our hooks in a directory; a hook that is there already runs before ours.

    Raises NeedsDecision before anything is changed where one of them cannot be installed safely.
    """
    hooks = Path(folder)
    for name in names:
        hook, older = hooks / name, hooks / (name + _BEFORE)
        if os.path.lexists(hook) and not _is_ours(hook) and os.path.lexists(older):
            raise NeedsDecision(f"{hook} is not ours, and {older} is taken; move one of them away")
        if hook.is_symlink() and not _is_ours(hook) and not hook.exists():
            raise NeedsDecision(f"{hook} is a dangling link; move it away")
    try:
        hooks.mkdir(parents=True, exist_ok=True)
        return [_install(hooks, name, program) for name in names]
    except OSError as error:
        raise EnvironmentFailure(f"the hooks in {folder} cannot be written: {error.strerror}") from None


def remove(folder: str) -> list[Placed]:
    """Remove our hooks, and give older ones their names back."""
    try:
        return [placed for name in _BODIES if (placed := _remove(Path(folder), name))]
    except OSError as error:
        raise EnvironmentFailure(f"the hooks in {folder} cannot be changed: {error.strerror}") from None


def _install(hooks: Path, name: str, program: str) -> Placed:
    hook, older = hooks / name, hooks / (name + _BEFORE)
    body, missing = _BODIES[name]
    values = {"mark": _MARK, "name": name, "before": _BEFORE, "body": body, "missing": missing}
    script = _SCRIPT.format(program=shlex.quote(program), **values)
    is_there = os.path.lexists(hook)
    if is_there and not _is_ours(hook):
        hook.rename(older)
        is_there = False
    if is_there and hook.read_text(encoding="utf-8", errors="replace") == script:
        return Placed(name, "unchanged", older.exists())
    # Whole, because git could start it at any moment.
    atomic_write.replace_path(hook, script.encode(), mode=0o755)
    return Placed(name, "updated" if is_there else "installed", older.exists())


def _remove(hooks: Path, name: str) -> Placed | None:
    hook, older = hooks / name, hooks / (name + _BEFORE)
    if not os.path.lexists(hook) or not _is_ours(hook):
        return None
    if is_chained := os.path.lexists(older):
        older.replace(hook)
    else:
        hook.unlink()
    return Placed(name, "removed", is_chained)


def _is_ours(hook: Path) -> bool:
    try:
        return _MARK in hook.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
