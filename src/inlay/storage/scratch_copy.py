"""A copy of a project with changes that are not written yet, for a command to run in."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from inlay.errors import EnvironmentFailure
from inlay.model.change import Change, ChangeSet
from inlay.storage.paths import path_names
from inlay.storage.workspace import Workspace

# Installed dependencies: ignored by git, too large to copy, and needed to run anything.
_INSTALLED = ("node_modules", ".venv", "venv", "vendor")


@contextlib.contextmanager
def scratch(workspace: Workspace, changes: ChangeSet) -> Iterator[Path]:
    """The copy's directory; it is removed afterwards in any case.

    It holds every file that git does not ignore, copied and never linked, so that the command cannot reach the
    project through it. Directories with installed dependencies are links to the project's own.
    """
    folder = Path(tempfile.mkdtemp(prefix="inlay-check-"))
    try:
        try:
            _copy(workspace, folder)
            for change in changes.changes:
                _apply(change, folder)
        except OSError as error:
            raise EnvironmentFailure(f"the project could not be copied for the check: {error}") from error
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def environment(folder: Path) -> dict[str, str]:
    """The variables for a command in the copy, which comes before an editable install of the project."""
    paths = [str(folder / "src"), str(folder), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1"}


def _copy(workspace: Workspace, folder: Path) -> None:
    root = workspace.root.resolve()
    made: set[str] = set()
    for name in workspace.files():
        if any(map(path_names.is_metadata, name.split("/"))):
            continue
        parent = os.path.dirname(name)
        if parent not in made:
            (folder / parent).mkdir(parents=True, exist_ok=True)
            made.add(parent)
        _copy_one(root, name, folder)
    parents = {str(parent) for name in made if name for parent in (Path(name), *Path(name).parents)}
    for directory, name in product({"", *parents} - {"."}, _INSTALLED):
        source, target = root / directory / name, folder / directory / name
        if source.is_dir() and not os.path.lexists(target):
            target.symlink_to(source.resolve())


def _copy_one(root: Path, name: str, folder: Path) -> None:
    source, target = root / name, folder / name
    with contextlib.suppress(FileNotFoundError):  # git lists files that were deleted
        if source.is_symlink():
            link = Path(os.readlink(source))
            # A link into the project must not lead back out of the copy.
            os.symlink(folder / link.relative_to(root) if link.is_relative_to(root) else link, target)
        elif source.is_file():
            shutil.copyfile(source, target)
            status = source.stat()
            os.chmod(target, stat.S_IMODE(status.st_mode) | stat.S_IWUSR)
            # Tools that build by date must not rebuild everything.
            os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def _apply(change: Change, folder: Path) -> None:
    if change.move_to is not None or change.after is None:
        (folder / str(change.path)).unlink(missing_ok=True)
    if (content := change.content) is not None:
        target = folder / str(change.target)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(change.permissions(change.before.mode if change.before else 0o644))
