"""A model that was asked for one of its edits again and sends all of them, cut up otherwise."""

import asyncio
from pathlib import Path

from inlay import GenerateOptions, ModelInfo, Task, Workspace, propose
from inlay.generation.proposal import Proposal
from inlay.llm.provider import Model, OnText
from inlay.model.answer import Answer
from inlay.model.prompt import Request

FILE = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(6))


def block(find: str, new: str) -> str:
    return f"a.py\n<<<<<<< SEARCH\n{find}=======\n{new}>>>>>>> REPLACE\n"


class Script:
    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        return Answer(self._texts.pop(0), "end")


def proposed(tmp_path: Path, *texts: str, text: str = FILE) -> Proposal:
    (tmp_path / "a.py").write_text(text)
    model = Model(ModelInfo("some:model", 200_000, 8_000), Script(*texts))
    return asyncio.run(propose(Task(("a.py",), "go"), Workspace(tmp_path), model, GenerateOptions(mode="edits")))


FIRST = block("    return x + 1\n", "    return x - 1\n") + "\n" + block("    return x + 9\n", "    return x - 2\n")
BOTH = "def f1(x):\n    return x {0} 1\n\n\ndef f2(x):\n    return x {0} 2\n"


def test_one_edit_that_does_all_of_it_takes_the_place_of_what_is_held(tmp_path: Path) -> None:
    found = proposed(tmp_path, FIRST, block(BOTH.format("+"), BOTH.format("-")))
    assert len(found.attempts) == 2
    assert found.changes.changes[0].after == FILE.replace("x + 1\n", "x - 1\n").replace("x + 2\n", "x - 2\n")


def test_one_that_does_something_else_to_what_is_held_is_asked_about(tmp_path: Path) -> None:
    other = block(BOTH.format("+"), BOTH.format("*"))
    found = proposed(tmp_path, FIRST, other, other + "\n" + block("    return x + 4\n", "    return x - 4\n"))
    assert [attempt.error for attempt in found.attempts] == ["not-found", "overlap", ""]


def test_an_edit_that_was_sent_twice_by_mistake_need_come_only_once(tmp_path: Path) -> None:
    text = "".join(f"value = {n}\nsame()\n" for n in range(3))
    twice = block("same()\n", "other()\n") + "\n"
    found = proposed(tmp_path, twice * 2, block("value = 1\nsame()\n", "value = 1\nother()\n"), text=text)
    assert [attempt.error for attempt in found.attempts] == ["ambiguous", ""]
