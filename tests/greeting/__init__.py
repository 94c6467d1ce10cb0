"""A small project with a design document for three files, and models that answer as a test wants them to.

    root = greeting.build(tmp_path)
    model = greeting.Scripted()            # does everything right
    ending = greeting.implement(root, model)

The models are real providers: they speak the one protocol that every provider speaks, and what they say goes through
all of the program.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inlay.implement.run.drive import Ending
from inlay.implement.run.schedule import Document, Launch, go_on, implement_all, prepare
from inlay.implement.workflow.run_events import RunEvent
from inlay.llm.cache import key_of
from inlay.llm.provider import Model, OnText
from inlay.model.answer import Answer, ModelInfo, Usage
from inlay.model.decision import Approve
from inlay.model.prompt import Request
from inlay.model.run import RunOptions
from inlay.model.settings import Settings
from inlay.storage.stores import runs
from inlay.storage.stores.runs import RunFolder

HERE = Path(__file__).parent
DOCUMENT = (HERE / "design.md").read_text()
TESTS = "tests/test_hello.py"
OLD = "def hello(name):\n    return 'hi'\n"
RIGHT: Mapping[str, str] = {
    path: (HERE / "right" / path).read_text() for path in (TESTS, "greet/names.py", "greet/words.py", "greet/hello.py")
}
INFO = ModelInfo("scripted:model", 100_000, 8_000, input_price=1.0, output_price=5.0)

# pytest takes half a second to start; this runs the same tests and leaves the same kind of report in a twentieth.
COMMAND = f"{sys.executable} -S -E {HERE / 'run_tests.py'} {{junit}} {{tests}}"

Reply = str | Callable[[Request], str]


def build(root: Path, *, tests: bool = False) -> Path:
    """The project before anything is done; with `tests` the tests of the document are there already."""
    files = {"greet/__init__.py": "", "greet/hello.py": OLD, "tests/test_old.py": _OLD_TEST, "conftest.py": ""}
    for name, text in {**files, **({TESTS: RIGHT[TESTS]} if tests else {}), "design.md": DOCUMENT}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


_OLD_TEST = "import greet\n\n\ndef test_the_package_is_there():\n    assert greet.__name__ == 'greet'\n"


def whole(path: str, text: str) -> str:
    """A file as models write it whole."""
    return f"{path}\n```python\n{text}```\n"


class Scripted:
    """A model that answers each request by its label, the next time with the next answer; right where nothing is said.

    A label is `implement:kind:path`; a script may name only the path, or the end of the label.
    """

    def __init__(self, script: Mapping[str, Reply | list[Reply]] | None = None, *, delay: float = 0.0) -> None:
        self.asked: list[Request] = []
        self.repeated: list[str] = []  # requests whose answer was stored already
        self._script = {
            key: list(value) if isinstance(value, list) else [value] for key, value in (script or {}).items()
        }
        self._delay = delay
        self._keys: set[str] = set()

    @property
    def labels(self) -> list[str]:
        return [request.label for request in self.asked]

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        key = key_of(INFO.name, request)
        if key in self._keys:
            self.repeated.append(request.label)
        self._keys.add(key)
        self.asked.append(request)
        if self._delay:
            await asyncio.sleep(self._delay)
        text = self._said(request)
        truncated = text.endswith("✂")
        usage = Usage(len(request.prompt.text) // 4, len(text) // 4)
        return Answer(text.removesuffix("✂"), "truncated" if truncated else "end", usage, INFO.price(usage), "scripted")

    def _said(self, request: Request) -> str:
        for key, replies in self._script.items():
            if request.label.endswith(key) and replies:
                reply = replies.pop(0) if len(replies) > 1 else replies[0]
                return reply(request) if callable(reply) else reply
        path = request.label.rpartition(":")[2]
        return whole(path, RIGHT[path])


def lengthen(root: Path) -> Scripted:
    """Make the file that is modified so long that replacing it needs a decision; the model that replaces it all."""
    padding = "".join(f"# a line of its own, number {n}\n" for n in range(120))
    (root / "greet/hello.py").write_text(padding + OLD)
    new = padding.replace("number", "no.") + RIGHT["greet/hello.py"]
    return Scripted({"code:greet/hello.py": whole("greet/hello.py", new)})


def launch(
    root: Path, model: Any, *, ask: Approve | None = None, events: list[RunEvent] | None = None, **settings: Any
) -> Launch:
    """Everything that a command would bring."""
    heard = events.append if events is not None else lambda event: None
    opened = Model(INFO, model)
    chosen = Settings.of(**{"implement__test_command": COMMAND, **settings})
    return Launch(str(root), lambda name: opened, chosen, heard, ask)


def implement(
    root: Path,
    model: Any,
    *,
    options: RunOptions | None = None,
    document: str = DOCUMENT,
    ask: Approve | None = None,
    events: list[RunEvent] | None = None,
    **settings: Any,
) -> Ending:
    """One document, as far as it goes."""
    given = [Document("design.md", document)]
    going = implement_all(given, launch(root, model, ask=ask, events=events, **settings), options or RunOptions())
    return asyncio.run(going)[0]


def resume(root: Path, model: Any, run: str = "1", answer: Any = None, **settings: Any) -> Ending:
    return asyncio.run(go_on(runs.find(str(root), run), launch(root, model, **settings), answer))


def tree(root: Path) -> dict[str, str]:
    """Every file of the project with its text, without what is Inlay's own."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".inlay", "__pycache__", ".pytest_cache", ".git")]
        found |= {str(Path(folder, name).relative_to(root)): Path(folder, name).read_text() for name in names}
    return found


def written(root: Path) -> list[str]:
    """Every file in every change that was written, as often as it was."""
    from inlay.storage import Workspace

    return [str(file.path) for receipt in Workspace(root).history() for file in receipt.files]


__all__ = [
    "COMMAND",
    "DOCUMENT",
    "INFO",
    "OLD",
    "RIGHT",
    "TESTS",
    "RunFolder",
    "Scripted",
    "build",
    "implement",
    "launch",
    "lengthen",
    "prepare",
    "resume",
    "tree",
    "whole",
    "written",
]
