"""`inlay models`: the available models, their limits and prices."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from inlay.cli import command_settings, options
from inlay.cli.output.terminal import Painter, say, say_json

if TYPE_CHECKING:
    from inlay.model.answer import ModelInfo

_REACHED = {True: ("✔", "green"), False: ("✘", "red"), None: ("·", None)}


@click.command("models")
@options.ROOT
@options.MODEL
@click.option("--known", is_flag=True, help="List the built-in table of models with limits and prices instead.")
@click.option("--no-probe", is_flag=True, help="Do not contact servers.")
@options.JSON
def command(root: str, model: str | None, known: bool, no_probe: bool, as_json: bool) -> None:
    """List available models: those with an API key, on a local server, or downloaded.

    Servers are asked for their list of models, which costs nothing; a key is sent to its own provider only. The model
    marked with → is used when none is named.

    \b
    Examples:
      inlay models
      inlay models --known            limits and prices of every model in the table
      inlay models --json | jq .chosen
    """
    from inlay.llm.models import registry
    from inlay.llm.models.list_models import survey
    from inlay.llm.models.model_names import PROVIDERS
    from inlay.model.answer import ModelInfo

    if known:
        table = [ModelInfo(name, **fields) for name, fields in registry.table().items()]
        if as_json:
            say_json([asdict(info) for info in table])
            return
        for info in table:
            say(f"{info.name:<28} {_limits(info)}")
        return
    settings = command_settings.load(root, quiet=as_json, model=model)
    available = survey(settings, os.environ, probe=not no_probe)
    if as_json:
        models = [
            asdict(offer.info) | {"where": offer.where, "reachable": offer.reachable, "why": offer.why}
            for offer in available.offers
        ]
        say_json({"chosen": available.chosen, "models": models})
        return
    paint = Painter()
    for offer in available.offers:
        mark, colour = _REACHED[offer.reachable]
        arrow = "→" if offer.info.name == available.chosen else " "
        say(f"{arrow} {paint(mark, colour)} {paint(offer.info.name, bold=True)}  {paint(_limits(offer.info))}")
        say(paint(f"      {offer.why}{f', at {offer.where}' if offer.where else ''}", dim=True))
    if not available.offers:
        say("No model is available yet. A model is named PROVIDER:NAME, where PROVIDER is one of:\n")
        for provider, description in PROVIDERS.items():
            say(f"  {provider:<11} {description}")
        say("\n`inlay model pull` downloads a small model to run on this machine.")


def _limits(info: ModelInfo) -> str:
    if info.input_price is None or info.output_price is None:
        price = "price unknown"
    elif not info.input_price and not info.output_price:
        price = "free"
    else:
        price = f"${info.input_price:g} in, ${info.output_price:g} out per million tokens"
    limits = [f"{info.context:,} tokens, answers up to {info.max_output:,}", price, info.format]
    return "  ".join(limits + ([] if info.known else ["(guessed: not in the table)"]))
