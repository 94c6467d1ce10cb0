"""How design documents reach a command: files, folders of them, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from inlay.cli import config_options
from inlay.implement.spec.document import Spec
from inlay.implement.spec.parse_document import parse
from inlay.landing.reply_text import as_text

ARGUMENT = click.argument("documents", nargs=-1, required=True, metavar="DOC...")


def read_all(documents: tuple[str, ...], root: str, *, quiet: bool) -> list[Spec]:
    """Every document as it is understood, under the titles that the project has configured."""
    headings = config_options.configured(root, quiet=quiet).table("implement.headings")
    return [parse(_text(name), _shown(name, root), headings) for name in _names(documents)]


def _names(documents: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for name in documents:
        inside = (
            sorted(str(path) for path in Path(name).glob("*.md")) if name != "-" and Path(name).is_dir() else [name]
        )
        if not inside:
            raise click.UsageError(f"there is no Markdown file in {name}")
        found += inside
    return list(dict.fromkeys(found))


def _text(name: str) -> str:
    if name == "-":
        return as_text(sys.stdin.buffer.read())
    try:
        return as_text(Path(name).read_bytes())
    except OSError as error:
        raise click.UsageError(f"{name} cannot be read: {error.strerror}") from None


def _shown(name: str, root: str) -> str:
    """The document's path from the project's root where it lies below, for people and for code hosts."""
    if name == "-":
        return "(standard input)"
    path, base = Path(name).resolve(), Path(root).resolve()
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else name
