"""An agent loop around Inlay's tools: the model calls, Inlay answers, refusals go back as they are.

    python examples/agent_loop.py                            offline, with a model that is a script
    python examples/agent_loop.py --model claude-sonnet-5    with the Anthropic API (needs ANTHROPIC_API_KEY)

The scripted model makes two mistakes that real ones make: it wraps its patch in a fence, and it replaces a line that
occurs twice. Watch it correct both from the answers of the tools.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inlay.tools import Toolbox

Message = dict[str, Any]
Ask = Callable[[list[Message], list[dict[str, Any]]], list[dict[str, Any]]]

BEFORE = """\
def total(items):
    result = 0
    for item in items:
        result += item.price
    return result


def count(items):
    result = 0
    for item in items:
        result += 1
    return result
"""
TASK = "In prices.py, multiply each price by the item's count, and start counting at 1."


def run(ask: Ask, toolbox: Toolbox, task: str, most: int = 10) -> str:
    """Ask, carry out every call, send the outcomes back, until the model calls no more."""
    messages: list[Message] = [{"role": "user", "content": task}]
    for _ in range(most):
        content = ask(messages, toolbox.anthropic())
        messages.append({"role": "assistant", "content": content})
        calls = [block for block in content if block["type"] == "tool_use"]
        if not calls:
            return "".join(block.get("text", "") for block in content)
        messages.append({"role": "user", "content": [carry_out(toolbox, call) for call in calls]})
    return "stopped: too many turns"


def carry_out(toolbox: Toolbox, call: dict[str, Any]) -> dict[str, Any]:
    """One call; whatever comes of it is an answer that the model can act on."""
    outcome = toolbox.call(call["name"], call["input"])
    result = outcome.structured
    print(f"{call['name']}: {result['kind']}{' ' + result['code'] if outcome.is_error else ''}")
    print(f"    {result.get('message', '')}")
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "content": outcome.text,
        "is_error": outcome.is_error,
    }


def scripted() -> Ask:
    """A model that reads, errs, and mends its errors from the answers."""
    hunk = "@@ -3,3 +3,3 @@\n     for item in items:\n-        result += item.price\n+        result += item.price * item.count\n     return result\n"
    patch = f"--- a/prices.py\n+++ b/prices.py\n{hunk}"
    turns = iter(
        [
            ("read_file", {"path": "prices.py"}),
            ("write_patch", {"patch": f"```diff\n{patch}```\n"}),
            ("write_patch", {"patch": patch}),
            ("replace_text", {"path": "prices.py", "old_string": "    result = 0", "new_string": "    result = 1"}),
            ("apply_edits", {"path": "prices.py", "edits": []}),  # the line is filled in from the answer
        ]
    )

    def ask(messages: list[Message], tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        name, arguments = next(turns, ("", {}))
        if not name:
            return [{"type": "text", "text": "Done."}]
        if name == "apply_edits":
            line = json.loads(messages[-1]["content"][0]["content"])["candidates"][-1]
            edit = {"range": {"start": line, "end": line}, "oldText": "    result = 0", "newText": "    result = 1"}
            arguments = {**arguments, "edits": [edit]}
        return [{"type": "tool_use", "id": f"call_{len(messages)}", "name": name, "input": arguments}]

    return ask


def anthropic(model: str) -> Ask:
    """A real model."""
    from anthropic import Anthropic

    client = Anthropic()

    def ask(messages: list[Message], tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        answer = client.messages.create(model=model, max_tokens=4096, messages=messages, tools=tools)
        return [block.model_dump(exclude_none=True) for block in answer.content]

    return ask


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="ask a real model by its name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "prices.py")
        file.write_text(BEFORE)
        answer = run(anthropic(options.model) if options.model else scripted(), Toolbox(folder), TASK)
        print(f"\n{answer}\n\n{file.read_text()}")


if __name__ == "__main__":
    main()
