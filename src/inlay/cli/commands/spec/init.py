"""`inlay spec init`: create an empty design document."""

from __future__ import annotations

from pathlib import Path

import click

from inlay.cli.output.terminal import safe


@click.command("init")
@click.argument("file", default="design.md", metavar="[FILE]")
@click.option("--title", metavar="TEXT", help="Title of the document; made from the file name by default.")
def command(file: str, title: str | None) -> None:
    """Create an empty design document in FILE (default design.md); - prints it. Existing files are not overwritten.

    \b
    Examples:
      inlay spec init
      inlay spec init docs/retries.md --title "Retry failed uploads"
      inlay spec init - | less
    """
    from inlay.implement.spec.document_template import blank

    text = blank(title or Path(file).stem.replace("-", " ").replace("_", " ").capitalize() or "Design")
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        with open(file, "x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise click.UsageError(f"{file} already exists") from None
    except OSError as error:
        raise click.UsageError(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"Wrote {safe(file)}. Fill it in, then run `inlay spec check {safe(file)}`.", err=True)
