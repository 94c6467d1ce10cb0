"""Groups of commands that import a command only when it is called, so that start-up stays fast."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose sections give, for each command, its module and its one line of help.

    The line of help is repeated in the table so that `--help` need not import any command.
    """

    def __init__(self, *args: Any, sections: Mapping[str, Mapping[str, tuple[str, str]]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sections = sections
        self.table = {name: entry for section in sections.values() for name, entry in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.table:
            return None
        command = importlib.import_module(self.table[name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if len(self.sections) == 1:
            super().format_options(ctx, formatter)
            return
        # The usage line names the options, so that all commands fit one screen.
        title_width, name_width = max(map(len, self.sections)), max(map(len, self.table))
        formatter.write_paragraph()
        for title, section in self.sections.items():
            titles = [title, *[""] * len(section)]
            for label, (name, (_, help_line)) in zip(titles, section.items(), strict=False):
                formatter.write(f"{label:<{title_width}}  {name:<{name_width}}  {help_line}\n")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in self.table.items()])
