"""`inlay spec init`: an empty design document to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from inlay.cli.output.terminal import safe
from inlay.implement.spec.document_template import blank


@click.command("init")
@click.argument("file", default="design.md", metavar="[FILE]")
@click.option("--title", metavar="TEXT", help="The document's title; by default made from the file's name.")
def command(file: str, title: str | None) -> None:
    """Write an empty design document to FILE, or to design.md; - prints it. A file that exists is left alone.

    \b
    Examples:
      inlay spec init
      inlay spec init docs/retries.md --title "Retry failed uploads"
      inlay spec init - | less
    """
    text = blank(title or Path(file).stem.replace("-", " ").replace("_", " ").capitalize() or "Design")
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        with open(file, "x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise click.UsageError(f"{file} exists already and is left as it is") from None
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"Wrote {safe(file)}. Fill it in, then try `inlay spec check {safe(file)}`.", err=True)
