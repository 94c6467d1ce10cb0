"""What the loop adds to the time a model takes."""

import asyncio
import statistics
import time
from pathlib import Path

from inlay import GenerateOptions, ModelInfo, Task, Workspace, land_proposal, propose
from inlay.llm.provider import Model, OnText
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Request

TOKENS = 150  # of a small edit
FAST = 200  # tokens a second, more than most models manage
ROUNDS = 7


class AtOnce:
    """A model that takes no time at all, so that all the time that passes is ours; its answer comes in many pieces."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        for at in range(0, len(self._text), 4):
            if on_text is not None:
                on_text(self._text[at : at + 4])
        return Answer(self._text, "end", Usage(5_000, TOKENS), 0.0, "at-once")


def test_the_loop_takes_less_than_a_twentieth_of_a_fast_models_time(tmp_path: Path) -> None:
    file = tmp_path / "app.py"
    original = "".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(250))
    reply = "app.py\n<<<<<<< SEARCH\n    return x + 99\n=======\n    return x\n>>>>>>> REPLACE\n"
    model = Model(ModelInfo("some:model", 200_000, 8_000), AtOnce(reply))
    took = []
    for _ in range(ROUNDS):
        file.write_text(original)
        # CPU time: what else the machine does must not decide.
        began = time.process_time()
        workspace = Workspace(tmp_path)
        proposal = asyncio.run(propose(Task(("app.py",), "simplify f99"), workspace, model, GenerateOptions()))
        land_proposal(proposal, workspace)
        took.append(time.process_time() - began)
        assert "return x\n" in file.read_text()
    assert statistics.median(took) < 0.05 * TOKENS / FAST
