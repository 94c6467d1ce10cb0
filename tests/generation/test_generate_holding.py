"""However a model's edits arrive, late, cut, twice or one by one: all of them land, or none."""

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from inlay import (
    Answer,
    GenerateOptions,
    ImplementationError,
    Limits,
    Model,
    ModelInfo,
    Task,
    Usage,
    Workspace,
    propose,
)
from inlay.llm.provider import OnText
from inlay.model.prompt import Request
from inlay.prompts.retry_feedback import DONE

from .conftest import functions

pytestmark = pytest.mark.slow

COUNT = 30
OPTIONS = GenerateOptions(limits=Limits(attempts=6), mode="edits")


def _find_replace(name: str, old: str, new: str) -> str:
    find, replace = (f"```\ndef {name}():\n    return {value}\n```" for value in (old, new))
    return f"### CHANGE 1: {name} gives {new}\nFIND:\n{find}\n\nREPLACE WITH:\n{replace}\n\n"


def _search_replace(name: str, old: str, new: str) -> str:
    find, replace = (f"def {name}():\n    return {value}\n" for value in (old, new))
    return f"big.py\n<<<<<<< SEARCH\n{find}=======\n{replace}>>>>>>> REPLACE\n\n"


def _json(name: str, old: str, new: str) -> str:
    find, replace = (f"def {name}():\\n    return {value}\\n" for value in (old, new))
    return f'{{"path": "big.py", "edits": [{{"oldText": "{find}", "newText": "{replace}"}}]}}\n\n'


WRITERS = {"find_replace": _find_replace, "search_replace": _search_replace, "json_edits": _json}


@dataclass
class Simulated:
    """A model that knows what to do, and does it badly: a stand-in for money, not for our own code."""

    chance: random.Random
    wanted: list[int]
    format: str
    cut: bool = False

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        told = request.prompt.messages[-1].text
        again = len(request.prompt.messages) > 1
        chosen = self._chosen(told) if again else list(self.wanted)
        text = "".join(self._edit(n) for n in chosen) or DONE
        if self.chance.random() < 0.3:
            self.cut = True
            return Answer(text[: self.chance.randrange(len(text) + 1)], "truncated", Usage(1, 1))
        return Answer(text, "end", Usage(1, 1))

    def _chosen(self, told: str) -> list[int]:
        """What to send again; nothing is forgotten after a cut, for what was never sent cannot be missed."""
        listed = told.rsplit("were accepted:", maxsplit=1)[-1] if "were accepted:" in told else ""
        held = [n for n in self.wanted if f"def f{n}():" in listed or f": f{n} gives" in listed]
        missing = [n for n in self.wanted if n not in held]
        if not missing:
            return [] if DONE in told else list(self.wanted)
        forgets = self.chance.random() < 0.4 and not self.cut
        if forgets:
            return self.chance.sample(missing, self.chance.randrange(1, len(missing) + 1))
        return missing + self.chance.sample(held, self.chance.randrange(len(held) + 1))  # repeats some

    def _edit(self, n: int) -> str:
        kind = self.chance.random()
        old = f"{n} or none" if kind < 0.15 else str(n)
        new = f"({n}00" if 0.15 <= kind < 0.2 else f"{n}00"  # now and then what does not parse
        return WRITERS[self.format](f"f{n}", old, new)


@pytest.mark.parametrize("format", list(WRITERS))
def test_all_edits_land_or_none(tmp_path: Path, format: str) -> None:
    (tmp_path / "big.py").write_text(functions(COUNT))
    workspace, done, tries = Workspace(tmp_path), 0, 100
    for seed in range(tries):
        chance = random.Random(f"{format}{seed}")
        wanted = sorted(chance.sample(range(COUNT), chance.randrange(2, 7)))
        model = Model(ModelInfo("simulated:x", 100_000, 8_000, format=format), Simulated(chance, wanted, format))
        options = GenerateOptions(limits=OPTIONS.limits, mode="edits", format=format)
        try:
            proposal = asyncio.run(propose(Task(("big.py",), "go"), workspace, model, options))
        except ImplementationError:
            continue
        done += 1
        expected = functions(COUNT)
        for n in wanted:
            expected = expected.replace(f"return {n}\n", f"return {n}00\n")
        assert proposal.changes.changes[0].after == expected, seed
    assert done > tries // 2
    assert (tmp_path / "big.py").read_text() == functions(COUNT)
