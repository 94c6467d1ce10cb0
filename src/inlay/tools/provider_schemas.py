"""Tool definitions as the APIs of model providers and agent libraries take them; plain data, nothing is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inlay.tools.tool import Tool


def anthropic(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """For `client.messages.create(tools=…)`."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.input_schema)} for tool in tools
    ]


def openai(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """For `client.chat.completions.create(tools=…)`."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.input_schema),
            },
        }
        for tool in tools
    ]


def langchain(tools: Iterable[Tool], call: Callable[[str, Mapping[str, Any]], str]) -> list[dict[str, Any]]:
    """For `[StructuredTool.from_function(**each) for each in …]`."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "args_schema": {"title": tool.name, "description": tool.description, **tool.input_schema},
            "func": _bound(tool.name, call),
        }
        for tool in tools
    ]


def _bound(name: str, call: Callable[[str, Mapping[str, Any]], str]) -> Callable[..., str]:
    def run(**arguments: Any) -> str:
        return call(name, {key: value for key, value in arguments.items() if value is not None})

    run.__name__ = name
    return run
