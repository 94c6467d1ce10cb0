"""The protocol's other end, for peers written in Python; it runs under their interpreters."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable

#: (original, reply, format, path) -> the new content; raises where the tool refuses
Apply = Callable[[str, str, str, str], str]


class HalfDone(Exception):
    """The tool reported failure and left the file changed; the content is the argument."""


def serve(apply: Apply) -> None:
    """Answer trials until stdin ends; whatever a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.process_time() + sum(os.times()[2:4])
        answer = _answer(apply, asked)
        answer["ms"] = 1000 * (time.process_time() + sum(os.times()[2:4]) - began)
        answers.write(json.dumps({"id": asked["id"], **answer}) + "\n")
        answers.flush()


def _answer(apply: Apply, asked: dict[str, str]) -> dict[str, object]:
    try:
        content = apply(asked["original"], asked["response"], asked["format"], asked["path"])
    except HalfDone as half:
        return {"status": "refused", "content": half.args[0], "error": "left half done"}
    except Exception as error:  # noqa: BLE001 - however a tool fails, it did not apply the edit
        return {"status": "refused", "error": f"{type(error).__name__}: {error}"[:300]}
    return {"status": "applied", "content": content}


def unfenced(reply: str) -> str:
    """The inside of the first fenced block, a courtesy to tools that expect a bare diff."""
    found = re.search(r"^(`{3,})[^\n]*\n(.*?)^\1[ \t]*$", reply, re.DOTALL | re.MULTILINE)
    return found[2] if found else reply


def json_pairs(reply: str) -> list[tuple[int, str, str]]:
    """(claimed line, old, new) of each edit, for tools that take one call for each."""
    said = json.loads(reply[reply.index("{") : reply.rindex("}") + 1])
    return [(e["range"]["start"], e["oldText"], e["newText"]) for e in said.get("arguments", said)["edits"]]
