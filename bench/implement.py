"""How much the workflow adds to the time that the model and the tests take: ten files, a model of 200 ms."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from inlay.implement.run.schedule import Document, Launch, implement_all
from inlay.implement.workflow.run_events import RunEvent
from inlay.llm.provider import Model, OnText
from inlay.model.answer import Answer, ModelInfo, Usage
from inlay.model.prompt import Request
from inlay.model.run import RunOptions
from inlay.model.settings import Settings

MOST = 1.3  #: times the critical path
FILES = 10
THINKS = 0.2  # seconds
_INFO = ModelInfo("bench:model", 200_000, 8_000)
_HEAD = """\
# Numbers

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
"""


class Thinking:
    """A model that answers right after its time to think, and keeps when it was at it."""

    def __init__(self) -> None:
        self.spans: list[tuple[float, float]] = []

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        began = time.perf_counter()
        await asyncio.sleep(THINKS)
        self.spans.append((began, time.perf_counter()))
        path = request.label.rpartition(":")[2]
        number = int(Path(path).stem.removeprefix("number"))
        return Answer(f"{path}\n```python\ndef value{number}():\n    return {number}\n```\n", "end", Usage(10, 10))


def document(*, chained: bool) -> str:
    """Ten files that have nothing to do with each other, or each of which builds on the one before."""
    rows = [f"| `figures/number{n}.py` | Add | The number {n}{_link(n) if chained else ''} |" for n in range(FILES)]
    rows.append("| `tests/test_numbers.py` | Add | Tests |")
    signatures = [f"# figures/number{n}.py\ndef value{n}() -> int: ...\n" for n in range(FILES)]
    needs = [f"{n + 1}. The value {n} is right" for n in range(FILES)]
    tests = [f"| T{n} | test_value{n} | the value {n} | {n} | {n + 1} |" for n in range(FILES)]
    plan = ["| ID | Test | Scenario | Expected | Requirement |", "|----|------|----------|----------|---|", *tests]
    return "\n".join(
        [
            _HEAD + "\n".join(rows),
            "\n### 2.4 Function Signatures\n\n```python",
            *signatures,
            "```\n\n## 3. Requirements\n",
            *needs,
            "\n## 10. Verification & Testing\n",
            *plan,
            "",
        ]
    )


def _link(n: int) -> str:
    return f", after figures/number{n - 1}.py" if n else ""


@contextmanager
def project() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="inlay-bench-") as folder:
        root = Path(folder)
        (root / "figures").mkdir()
        (root / "tests").mkdir()
        (root / "figures/__init__.py").write_text("")
        (root / "conftest.py").write_text("")
        tests = [
            f"def test_value{n}():\n    from importlib import import_module\n\n"
            f"    assert import_module('figures.number{n}').value{n}() == {n}\n"
            for n in range(FILES)
        ]
        (root / "tests/test_numbers.py").write_text("\n\n".join(tests))
        yield root


def measure(*, chained: bool) -> dict[str, float]:
    """Seconds that a run took, that its model and tests took on the critical path, and the one by the other."""
    model = Thinking()
    with project() as root:
        launch = Launch(str(root), lambda name: Model(_INFO, model), Settings.of(), _unheard)
        given = [Document("design.md", document(chained=chained))]
        began = time.perf_counter()
        (ending,) = asyncio.run(implement_all(given, launch, RunOptions()))
        wall = time.perf_counter() - began
    assert ending.status == "green", ending.reason
    assert ending.report is not None
    thought, tested = _union(model.spans), ending.report.testing_seconds
    return {"wall": wall, "model": thought, "tests": tested, "ratio": wall / (thought + tested)}


def _unheard(event: RunEvent) -> None:
    """Nobody watches."""


def _union(spans: Sequence[tuple[float, float]]) -> float:
    """The time in which at least one answer was waited for."""
    total, end = 0.0, 0.0
    for first, last in sorted(spans):
        total += max(0.0, last - max(first, end))
        end = max(end, last)
    return total


def main(argv: Sequence[str]) -> int:
    """Measure both documents; 0 where both stay below the bar."""
    measure(chained=False)  # imports and caches
    worst = 0.0
    for chained in (False, True):
        # The best of three: whatever else the machine does only adds to the time between model and tests.
        found = min((measure(chained=chained) for _ in range(3)), key=lambda each: each["ratio"])
        worst = max(worst, found["ratio"])
        told = ", ".join(f"{name} {value:.2f}" for name, value in found.items())
        print(f"{'each on the one before' if chained else 'independent files':<24} {told}")
    print(f"at most {MOST} times the critical path: {'kept' if worst <= MOST else 'MISSED'}")
    return int(worst > MOST)
