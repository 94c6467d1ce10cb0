"""`inlay config`: every setting with its value and where that came from."""

from __future__ import annotations

import difflib
import json
import os
import sys
from typing import Any

import click

from inlay.cli import config_options
from inlay.cli import reply_input as replies
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.model.settings import SETTINGS, Setting, Settings
from inlay.storage.audit.redaction import redact
from inlay.storage.config.sources import config_file


@click.command("config")
@click.argument("key", required=False)
@ROOT
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, key: str | None, root: str, as_json: bool) -> None:
    """Show every setting, or the one named KEY, with its value and where that came from.

    Later places win: [tool.inlay] in pyproject.toml, .inlay.toml, the user's own config.toml, INLAY_* variables,
    options. The edited repository can only tighten limits; whatever it may not set is told and passed over.

    \b
    Examples:
      inlay config
      inlay config max_attempts
      INLAY_MODEL=ollama:qwen3 inlay config model --json
    """
    reporting.audience = "program" if as_json else "person"
    chosen = _chosen(key)
    settings = config_options.configured(root, quiet=as_json)
    if as_json:
        click.echo(json.dumps(_as_json(settings, chosen)))
    elif key:
        say(_described(settings, chosen[0]))
    else:
        say(_table(settings))


def _chosen(key: str | None) -> tuple[Setting, ...]:
    if key is None:
        return SETTINGS
    found = tuple(setting for setting in SETTINGS if setting.key == key)
    if not found:
        alike = difflib.get_close_matches(key, [setting.key for setting in SETTINGS], 1)
        raise click.UsageError(f"{key!r} is no setting." + (f" Did you mean {alike[0]!r}?" if alike else ""))
    return found


def _as_json(settings: Settings, chosen: tuple[Setting, ...]) -> dict[str, Any]:
    told = {
        setting.key: {
            "value": _struck(settings.values[setting.key]),
            "origin": settings.origins[setting.key],
            "default": setting.default,
            "scope": setting.scope,
            "variable": setting.variable,
        }
        for setting in chosen
    }
    return {"settings": told, "notes": list(settings.notes), "user_file": str(config_file(os.environ))}


_SCOPES = {
    "anyone": "any place may set it",
    "user": "the edited repository may not set it",
    "lower": "the edited repository may only lower it",
    "named": "the edited repository may name a service's model, but no file",
}


def _described(settings: Settings, setting: Setting) -> str:
    paint = Painter(sys.stdout)
    return "\n".join(
        [
            f"{paint(setting.key, bold=True)} = {paint(_shown(settings.values[setting.key]), 'cyan')}",
            paint(f"  from     {settings.origins[setting.key]}"),
            paint(f"  default  {_shown(setting.default)}"),
            paint(f"  variable {setting.variable}"),
            paint(f"  scope    {_SCOPES[setting.scope]}"),
            paint(f"  {setting.help}"),
        ]
    )


def _table(settings: Settings) -> str:
    paint = Painter(sys.stdout)
    shown = {setting.key: _shown(settings.values[setting.key]) for setting in SETTINGS}
    widths = max(map(len, shown)), min(max(map(len, shown.values())), 40)
    lines = []
    for key, value in shown.items():
        origin = settings.origins[key]
        painted = paint(f"{value:<{widths[1]}}", None if origin == "default" else "cyan")
        lines.append(f"{paint(f'{key:<{widths[0]}}')}  {painted}  {paint(origin, dim=origin == 'default')}")
    return "\n".join(lines)


def _struck(value: object) -> object:
    """An address may carry a password."""
    return redact(value) if isinstance(value, str) else value


def _shown(value: object) -> str:
    return "-" if value is None else json.dumps(value) if not isinstance(value, str) else redact(value)
