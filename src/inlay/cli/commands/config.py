"""`inlay config`: the settings, their values and where those come from."""

from __future__ import annotations

import difflib
import json
import os
from typing import TYPE_CHECKING

import click

from inlay.cli import command_settings, options
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.model.settings import Setting, Settings

_SCOPES = {
    "anyone": "may be set anywhere",
    "user": "may not be set by the edited repository",
    "lower": "may only be lowered by the edited repository",
    "named": "the edited repository may name a service's model, but no file",
}


@click.command("config")
@click.argument("key", required=False)
@options.ROOT
@options.JSON
def command(key: str | None, root: str, as_json: bool) -> None:
    """Show the settings, or the one named KEY, with the value and where it comes from.

    Later sources win: [tool.inlay] in pyproject.toml, .inlay.toml, the user's config.toml, INLAY_* variables, options.
    The edited repository can only tighten limits; anything else it sets is ignored with a note.

    \b
    Examples:
      inlay config
      inlay config max_attempts
      INLAY_MODEL=ollama:qwen3 inlay config model --json
    """
    from inlay.model.settings import SETTINGS
    from inlay.storage.config.load_settings import config_file

    chosen = tuple(setting for setting in SETTINGS if key in (None, setting.key))
    if key is not None and not chosen:
        similar = difflib.get_close_matches(key, [setting.key for setting in SETTINGS], 1)
        raise click.UsageError(f"unknown setting {key!r}." + (f" Did you mean {similar[0]!r}?" if similar else ""))
    settings = command_settings.load(root, quiet=as_json)
    if as_json:
        shown = {
            setting.key: {
                "value": _redacted(settings.values[setting.key]),
                "origin": settings.origins[setting.key],
                **{field: getattr(setting, field) for field in ("default", "scope", "variable")},
            }
            for setting in chosen
        }
        say_json({"settings": shown, "notes": list(settings.notes), "user_file": str(config_file(os.environ))})
    else:
        say("\n".join(_description(settings, chosen[0]) if key else _table(settings, chosen)))


def _description(settings: Settings, setting: Setting) -> list[str]:
    paint = Painter()
    return [
        f"{paint(setting.key, bold=True)} = {paint(_text(settings.values[setting.key]), 'cyan')}",
        paint(f"  from     {settings.origins[setting.key]}"),
        paint(f"  default  {_text(setting.default)}"),
        paint(f"  variable {setting.variable}"),
        paint(f"  scope    {_SCOPES[setting.scope]}"),
        paint(f"  {setting.help}"),
    ]


def _table(settings: Settings, chosen: tuple[Setting, ...]) -> list[str]:
    paint = Painter()
    values = {setting.key: _text(settings.values[setting.key]) for setting in chosen}
    key_width, value_width = max(map(len, values)), min(max(map(len, values.values())), 40)
    lines = []
    for key, value in values.items():
        origin = settings.origins[key]
        painted = paint(f"{value:<{value_width}}", None if origin == "default" else "cyan")
        lines.append(f"{paint(f'{key:<{key_width}}')}  {painted}  {paint(origin, dim=origin == 'default')}")
    return lines


def _redacted(value: object) -> object:
    """The value without secrets: an address may contain a password."""
    from inlay.text.redact import redact

    return redact(value) if isinstance(value, str) else value


def _text(value: object) -> str:
    return "-" if value is None else json.dumps(value) if not isinstance(value, str) else str(_redacted(value))
