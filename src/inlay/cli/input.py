"""What a command reads besides its options: a reply, content, design documents, and paths as a person types them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, overload

import click

if TYPE_CHECKING:
    from inlay.cli.options import Root
    from inlay.implement.spec.document import Spec


def read_reply(stream: BinaryIO) -> str:
    if stream.isatty():
        click.echo("Reading the reply from the keyboard; end with Ctrl-D.", err=True)
    try:
        return _as_text(stream.read())
    except IsADirectoryError:
        raise click.UsageError(f"{stream.name} is a directory, not a reply") from None


def read_content(content: str) -> str:
    """The content given as an argument, or that of standard input where it is "-"."""
    if content != "-":
        if os.path.isfile(content):
            # Naming a file here means its content; writing its name would be a surprise.
            raise click.UsageError(f"CONTENT is the text itself; for the content of a file use: - < {content}")
        return content
    if sys.stdin.isatty():
        click.echo("Reading the content from the keyboard; end with Ctrl-D.", err=True)
    return _as_text(sys.stdin.buffer.read(), "the content")


def read_documents(documents: tuple[str, ...], root: str, *, quiet: bool) -> list[Spec]:
    """Every design document, parsed with the headings that the project configures."""
    from inlay.cli import command_settings
    from inlay.implement.spec.parse_document import parse

    headings = command_settings.load(root, quiet=quiet).table("implement.headings")
    names: list[str] = []
    for name in documents:
        is_folder = name != "-" and Path(name).is_dir()
        files = sorted(str(path) for path in Path(name).glob("*.md")) if is_folder else [name]
        if not files:
            raise click.UsageError(f"there is no Markdown file in {name}")
        names += files
    return [parse(_as_text(read_bytes(name)), _document_name(name, root), headings) for name in dict.fromkeys(names)]


def _as_text(data: bytes, what: str = "the reply") -> str:
    """Decode what came over a pipe; bytes that are not UTF-8 become lone surrogates."""
    from inlay.errors import Misfit, ReplyMalformed
    from inlay.model.file import decode

    decoded = decode(data)
    if decoded is None:
        raise ReplyMalformed(Misfit("not-text", f"{what} is not text: it has NUL bytes or broken UTF-16"))
    return decoded[0]


def read_bytes(file: str) -> bytes:
    """The content of a file, or of standard input for `-`."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}") from None


def read_text(file: str) -> str:
    """The text of a file, or of standard input for `-`."""
    return _as_text(read_bytes(file), file)


def _document_name(name: str, root: str) -> str:
    """The document's path relative to the project's root where it is inside, for people and for code hosts."""
    if name == "-":
        return "(standard input)"
    path, base = Path(name).resolve(), Path(root).resolve()
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else name


@overload
def relative(root: Root, file: str) -> str: ...
@overload
def relative(root: Root, file: str | None) -> str | None: ...
def relative(root: Root, file: str | None) -> str | None:
    """A file that a person names, relative to the root; a name that leads out of it stays as it is, to be refused."""
    if not file:
        return file
    if os.path.isabs(file):
        top = os.path.realpath(root)
        # Shells complete to absolute names, through links too; the last step may be a link of the project's own.
        spelled = (file, os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file)))
        inside = (os.path.relpath(name, base) for name in spelled for base in (os.path.abspath(root), top))
        return next((name for name in inside if not _leads_out(name)), file)
    if not root.directory:
        return file
    name = os.path.normpath(os.path.join(root.directory, file))
    return file if _leads_out(name) else name + ("/" if file.endswith("/") else "")


def _leads_out(name: str) -> bool:
    return name == ".." or name.startswith("../")
