"""`inlay prompt`: show the prompts that are sent to models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from inlay.cli import command_settings, options
from inlay.cli.input import relative
from inlay.cli.output.terminal import safe, say_json

if TYPE_CHECKING:
    from inlay.model.prompt import Prompt


@click.command("prompt")
@click.argument("name", required=False, metavar="[NAME]")
@options.ROOT
@click.option("--file", "files", multiple=True, metavar="FILE", help="File to change, as for `inlay edit`.")
@click.option("-m", "--message", "instruction", default="", metavar="TEXT", help="The instruction.")
@click.option("--context", multiple=True, metavar="FILE", help="File to show to the model but not to change.")
@options.MODEL
@options.EDIT_FORMAT
@click.option("--json", "as_json", is_flag=True, help="Print JSON; errors are printed as text.")
def command(
    name: str | None,
    root: options.Root,
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
      inlay prompt retry                                       what is sent when an answer does not fit
      inlay prompt edit --file src/app.py -m "add a timeout"   exactly what would be sent
      inlay prompt whole --file src/app.py -m "…" --json
    """
    from inlay.errors import NoModel
    from inlay.generation.propose import first_prompts
    from inlay.llm.models import model_names, registry
    from inlay.model.task import GenerateOptions, Task
    from inlay.prompts import PROMPTS
    from inlay.storage import Workspace

    if name is None and as_json:
        say_json([{"name": prompt.name, "title": prompt.title} for prompt in PROMPTS.values()])
        return
    if name is None:
        width = max(map(len, PROMPTS))
        for prompt in PROMPTS.values():
            click.echo(f"{prompt.name:<{width}}  {prompt.title}")
        return
    if name not in PROMPTS:
        raise click.BadParameter(f"no prompt {name!r}; choose from {', '.join(PROMPTS)}", param_hint="NAME")
    if not files:
        _show((PROMPTS[name].example(),), as_json=as_json)
        return
    if name not in ("edit", "whole"):
        raise click.UsageError("--file requires the prompt `edit` or `whole`")
    settings = command_settings.load(root, quiet=as_json, model=model, format=format)
    names, shown = (tuple(relative(root, name) for name in given) for given in (files, context))
    task = Task(names, instruction or "(no instruction)", shown, label="edit")
    command_settings.require_format(settings)
    generate_options = GenerateOptions.of(settings)
    if name == "whole":
        generate_options = replace(generate_options, mode="whole")
    try:  # the model's limits; showing a prompt needs no key
        info, _ = registry.look_up(model_names.parse(settings.text("model") or ""), settings.table("models"))
    except NoModel:
        info = registry.SAFE
    _show(first_prompts(task, Workspace(root), info, generate_options), as_json=as_json)


def _show(prompts: tuple[Prompt, ...], *, as_json: bool) -> None:
    if as_json:
        shown = [
            {"system": prompt.system, "messages": [{"role": m.role, "text": m.text} for m in prompt.messages]}
            for prompt in prompts
        ]
        say_json(shown)
        return
    for prompt in prompts:
        for role, text in (("system", prompt.system), *((message.role, message.text) for message in prompt.messages)):
            click.echo(f"=== {role} ===\n" + "\n".join(map(safe, text.split("\n"))))
