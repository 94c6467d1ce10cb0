"""`inlay prompt`: show the prompts that models are sent."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from inlay.cli import config_options, root_option
from inlay.cli import reply_input as replies
from inlay.cli.output.terminal import safe
from inlay.errors import NoModel
from inlay.llm.models import model_names, registry
from inlay.model.answer import ModelInfo
from inlay.model.prompt import Prompt
from inlay.model.settings import Settings
from inlay.model.task import GenerateOptions, Task
from inlay.prompts import PROMPTS
from inlay.storage import Workspace


@click.command("prompt")
@click.argument("name", required=False, metavar="[NAME]")
@root_option.ROOT
@click.option("--file", "files", multiple=True, metavar="FILE", help="A file to change, as for `inlay edit`.")
@click.option("-m", "--message", "instruction", default="", metavar="TEXT", help="The instruction.")
@click.option("--context", multiple=True, metavar="FILE", help="A file to show that must not change.")
@config_options.MODEL
@config_options.FORMAT
@replies.JSON
def command(
    name: str | None,
    root: str,
    files: tuple[str, ...],
    instruction: str,
    context: tuple[str, ...],
    model: str | None,
    format: str | None,
    as_json: bool,
) -> None:
    """List the prompts, or show one: with sample data, or with --file exactly as `inlay edit` would send it.

    \b
    Examples:
      inlay prompt
      inlay prompt retry                                       what is said when an answer does not fit
      inlay prompt edit --file src/app.py -m "add a timeout"   what would be sent, to the letter
      inlay prompt whole --file src/app.py -m "…" --json
    """
    if name is None:
        return _list(as_json=as_json)
    if name not in PROMPTS:
        raise click.BadParameter(f"there is no prompt {name!r}; there are {', '.join(PROMPTS)}", param_hint="NAME")
    if not files:
        return _show((PROMPTS[name].example(),), as_json=as_json)
    if name not in ("edit", "whole"):
        raise click.UsageError("--file goes with `edit` and `whole` only")
    settings = config_options.configured(root, quiet=as_json, model=model, format=format)
    task = Task(files, instruction or "(no instruction)", context, label="edit")
    return _show(_first(task, name, root, settings), as_json=as_json)


def _first(task: Task, name: str, root: str, settings: Settings) -> tuple[Prompt, ...]:
    from inlay.generation.propose import first_prompts

    config_options.require_format(settings)
    options = GenerateOptions.of(settings)
    if name == "whole":
        options = replace(options, mode="whole")
    return first_prompts(task, Workspace(root), _info(settings), options)


def _info(settings: Settings) -> ModelInfo:
    """What is known about the model that would be asked; no key is needed to look at a prompt."""
    try:
        return registry.look_up(model_names.parse(settings.text("model") or ""), settings.table("models"))[0]
    except NoModel:
        return registry.SAFE


def _list(*, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([{"name": each.name, "title": each.title} for each in PROMPTS.values()]))
        return
    width = max(map(len, PROMPTS))
    for each in PROMPTS.values():
        click.echo(f"{each.name:<{width}}  {each.title}")


def _show(prompts: tuple[Prompt, ...], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_as_json(prompt) for prompt in prompts]))
        return
    for prompt in prompts:
        for role, text in (("system", prompt.system), *((each.role, each.text) for each in prompt.messages)):
            click.echo(f"=== {role} ===\n" + "\n".join(map(safe, text.split("\n"))))


def _as_json(prompt: Prompt) -> dict[str, Any]:
    return {"system": prompt.system, "messages": [{"role": m.role, "text": m.text} for m in prompt.messages]}
