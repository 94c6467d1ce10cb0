"""`inlay models`: what can be asked from here, its limits and its prices."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import Any

import click

from inlay.cli import reply_input as replies
from inlay.cli.config_options import MODEL, configured
from inlay.cli.output.error_report import Reporting
from inlay.cli.output.terminal import Painter, say
from inlay.cli.root_option import ROOT
from inlay.llm.models import registry
from inlay.llm.models.list_models import Offer, Survey, survey
from inlay.llm.models.model_names import PROVIDERS
from inlay.model.answer import ModelInfo

_REACHED = {True: ("✔", "green"), False: ("✘", "red"), None: ("·", None)}


@click.command("models")
@ROOT
@MODEL
@click.option("--known", is_flag=True, help="List the table of models with their limits and prices instead.")
@click.option("--no-probe", is_flag=True, help="Ask no server whether it answers.")
@replies.JSON
@click.pass_obj
def command(reporting: Reporting, root: str, model: str | None, known: bool, no_probe: bool, as_json: bool) -> None:
    """List what can be asked from here: by a key, on a server, or as a pulled file.

    A server is asked for its list of models, which costs nothing; a key is sent to its own provider only. The model
    marked with → is the one that is asked when none is named.

    \b
    Examples:
      inlay models
      inlay models --known            limits and prices of every model in the table
      inlay models --json | jq .chosen
    """
    reporting.audience = "program" if as_json else "person"
    if known:
        _tell_known(as_json)
        return
    settings = configured(root, quiet=as_json, model=model)
    found = survey(settings, os.environ, probe=not no_probe)
    if as_json:
        click.echo(json.dumps({"chosen": found.chosen, "models": [_as_json(offer) for offer in found.offers]}))
    else:
        _tell(found)


def _as_json(offer: Offer) -> dict[str, Any]:
    return asdict(offer.info) | {"where": offer.where, "reachable": offer.reachable, "why": offer.why}


def _tell(found: Survey) -> None:
    paint = Painter(sys.stdout)
    for offer in found.offers:
        mark, colour = _REACHED[offer.reachable]
        arrow = "→" if offer.info.name == found.chosen else " "
        say(f"{arrow} {paint(mark, colour)} {paint(offer.info.name, bold=True)}  {paint(_limits(offer.info))}")
        say(paint(f"      {offer.why}{f', at {offer.where}' if offer.where else ''}", dim=True))
    if not found.offers:
        say("Nothing can be asked from here yet. A model is named PROVIDER:NAME, where the provider is one of:\n")
        for provider, about in PROVIDERS.items():
            say(f"  {provider:<11} {about}")
        say("\n`inlay model pull` fetches a small model to run on this machine.")


def _limits(info: ModelInfo) -> str:
    about = [f"{info.context:,} tokens, answers up to {info.max_output:,}", _price(info), info.format]
    return "  ".join(about + ([] if info.known else ["(guessed: not in the table)"]))


def _price(info: ModelInfo) -> str:
    if info.input_price is None or info.output_price is None:
        return "price not known"
    if not info.input_price and not info.output_price:
        return "free"
    return f"${info.input_price:g} in, ${info.output_price:g} out a million"


def _tell_known(as_json: bool) -> None:
    table = [ModelInfo(name, **said) for name, said in registry.table().items()]
    if as_json:
        click.echo(json.dumps([asdict(info) for info in table]))
        return
    for info in table:
        say(f"{info.name:<28} {_limits(info)}")
