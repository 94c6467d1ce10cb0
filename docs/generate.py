"""Generates docs/cli.md, docs/demo.svg and the table of settings in docs/configuration.md from the program."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from inlay.cli.main import cli
from inlay.model.settings import SETTINGS, Setting

HERE = Path(__file__).resolve().parent
WIDTH = 100
HEAD = """\
# The command line

*Generated from `--help` by `make docs`; do not edit.*
"""


def command_line() -> str:
    """docs/cli.md: the help of every command, as the program prints it."""
    return "\n".join([HEAD, *_sections(cli, click.Context(cli, info_name="inlay", **cli.context_settings))])


def configuration() -> str:
    """docs/configuration.md with its table of settings as the program has them."""
    text = (HERE / "configuration.md").read_text(encoding="utf-8")
    rows = "".join(f"| `{s.key}` | {_default(s)} | {s.scope} | {s.help} |\n" for s in SETTINGS)
    head, rule, rest = text.partition("| key | default | scope | |\n|---|---|---|---|\n")
    return head + rule + rows + rest[rest.index("\n\n") + 1 :]


def _default(setting: Setting) -> str:
    return f"`{json.dumps(setting.default)}`" if setting.default not in (None, {}, ()) else ""


def _sections(command: click.Command, context: click.Context) -> Iterator[str]:
    """The help of a command and of every command below it."""
    context.terminal_width = context.max_content_width = WIDTH
    text = "\n".join(line.rstrip() for line in command.get_help(context).split("\n"))
    yield f"## {context.command_path}\n\n```text\n{text}\n```\n"
    for name in command.list_commands(context) if isinstance(command, click.Group) else ():
        below = command.get_command(context, name)
        assert below is not None
        yield from _sections(below, click.Context(below, info_name=name, parent=context))


def picture() -> str:
    """docs/demo.svg: a run on the sample project, with one reply that is applied and one that is refused."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        shutil.copytree(HERE.parent / "examples/project", project)
        for reply in ("02-search-replace.md", "20-ambiguous.md"):
            shutil.copy(HERE.parent / "examples/replies" / reply, project / reply[3:])
            console.print(Text(f"$ inlay apply {reply[3:]}", style="bold"))
            console.print(Text.from_ansi(_run(project, reply[3:])))
    return _without_web_fonts(console.export_svg(title="inlay", unique_id="inlay-demo"))


def _without_web_fonts(svg: str) -> str:
    """A picture that loads nothing from the network."""
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*<!-- Generated with Rich.*?-->", "", svg)
    return svg.replace("font-family: Fira Code", "font-family: ui-monospace, Menlo, Consolas").rstrip() + "\n"


def _run(project: Path, reply: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"FORCE_COLOR": "1"}
    command = [sys.executable, "-m", "inlay", "apply", reply]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, encoding="utf-8", check=False)
    return done.stdout + done.stderr


if __name__ == "__main__":
    (HERE / "cli.md").write_text(command_line(), encoding="utf-8")
    (HERE / "configuration.md").write_text(configuration(), encoding="utf-8")
    (HERE / "demo.svg").write_text(picture(), encoding="utf-8")
