"""Where a command works: the project's directory, and files as a person types them."""

from __future__ import annotations

from pathlib import Path
from typing import overload

import click

ROOT = click.option(
    "-C", "--root", default=".", metavar="DIR", help="The project's directory; nothing outside is touched."
)


@overload
def below(root: Path, file: str) -> str: ...
@overload
def below(root: Path, file: str | None) -> str | None: ...
def below(root: Path, file: str | None) -> str | None:
    """What the user typed, relative to the root; a shell completes to absolute paths, and a person may mean them."""
    if file is None or not Path(file).is_absolute() or not Path(file).is_relative_to(root):
        return file
    return Path(file).relative_to(root).as_posix()
