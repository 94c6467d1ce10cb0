"""Asks a model behind the loopback server, for the tests of providers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from inlay.llm import Model, open_model
from inlay.model.answer import Answer
from inlay.model.prompt import Message, Prompt, Request
from inlay.model.settings import Settings
from loopback import Loopback

NAMES = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-6.1-sol"}


def request(*, timeout: float = 5.0, label: str = "", max_output: int = 100, system: str = "Be brief.") -> Request:
    return Request(Prompt(system, (Message("user", "Say it."),)), max_output, label=label, timeout=timeout)


def opened(server: Loopback, wire: str, **settings: object) -> Model:
    return open_model(NAMES[wire], Settings.of(**settings), server.environ(wire))  # type: ignore[arg-type]


def answered(model: Model, asked: Request, on_text: Callable[[str], None] | None = None) -> Answer:
    return asyncio.run(model.provider.ask(asked, on_text))
