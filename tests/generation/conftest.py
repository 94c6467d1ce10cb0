"""Models that answer from a script, over the real wire, and tasks for them."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from inlay import GenerateOptions, Proposal, Settings, Task, Workspace, propose
from inlay.generation.events import Event
from inlay.llm import Model, open_model
from loopback import Loopback

FAST = {"anthropic:claude-test": {"context": 200_000, "max_output": 8_192, "input_price": 3.0, "output_price": 15.0}}


def change(number: int, name: str, old: str, new: str, *, fence: str = "```") -> str:
    """One change in the format that models are asked for by default."""
    find, replace = (f"{fence}python\ndef {name}():\n    return {value}\n{fence}" for value in (old, new))
    return f"### CHANGE {number}: {name} gives {new}\nFIND:\n{find}\n\nREPLACE WITH:\n{replace}\n\n"


def whole(path: str, content: str) -> str:
    return f"{path}\n```python\n{content}```\n"


def functions(count: int) -> str:
    return "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(count))


def recorded(folder: Path, *texts: str) -> Model:
    """A model that gives these answers, without a server: for tests that ask very often."""
    file = folder.parent / f"{folder.name}.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return open_model(f"recorded:{file}", Settings.of(), {})


@dataclass
class Bench:
    """A project, a server that answers as scripted, and everything that happened."""

    root: Path
    server: Loopback
    model: Model
    events: list[Event] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def propose(self, *files: str, say: str = "do it", options: GenerateOptions | None = None, **more: Any) -> Proposal:
        task = Task(files, say, **more)
        workspace = Workspace(self.root)
        return asyncio.run(
            propose(task, workspace, self.model, options, on_event=self.events.append, sleep=self._sleep)
        )

    def after(self, proposal: Proposal, path: str) -> str:
        found = [change.after for change in proposal.changes.changes if str(change.path) == path]
        assert len(found) == 1
        assert found[0] is not None
        return found[0]


MakeBench = Callable[..., Any]
Sleep = Callable[[float], Awaitable[None]]


@pytest.fixture
def bench(tmp_path: Path) -> MakeBench:
    """`with bench(*script) as b:`; the project is empty, the model takes 8,192 tokens of answer."""
    root = tmp_path / "project"
    root.mkdir()

    @contextmanager
    def make(
        *script: Any, wire: str = "anthropic", models: dict[str, Any] | None = None, files: dict[str, str] | None = None
    ) -> Iterator[Bench]:
        for name, content in (files or {}).items():
            (root / name).write_text(content)
        with Loopback(*script) as server:
            name = "anthropic:claude-test" if wire == "anthropic" else "openai:test"
            settings = Settings.of(models=models or FAST)
            yield Bench(root, server, open_model(name, settings, server.environ(wire)))

    return make
