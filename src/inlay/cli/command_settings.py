"""The settings of one command: its options over the environment, the user's file and the repository's."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from inlay.cli.options import ModelLimits
from inlay.cli.output.terminal import Painter, say

if TYPE_CHECKING:
    from inlay.model.settings import Settings, Value


def load(root: str, *, quiet: bool = False, limits: ModelLimits | None = None, **options: Value) -> Settings:
    """The settings for work in `root`; settings that were ignored are reported on standard error unless `quiet`.

    An option that is None was not given; `commits__ignore` means "commits.ignore".
    """
    from inlay.storage.config import load_settings

    if limits is not None:
        options |= asdict(limits)
    settings = load_settings.load(root, os.environ, {key.replace("__", "."): value for key, value in options.items()})
    if not quiet:
        paint = Painter(sys.stderr)
        for note in settings.notes:
            say(f"{paint('note:', 'yellow')} {paint(note)}", err=True)
    return settings


def require_format(settings: Settings) -> None:
    from inlay.engine.formats.all_formats import format_named

    try:
        format_named(settings.text("format") or "find_replace")
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=settings.origins["format"]) from None
