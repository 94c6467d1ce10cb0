"""A small project, the command line, and models that answer from a script over the real wire."""

import io
import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from loopback import KEY, Loopback

MODEL = "anthropic:claude-test"
MODELS = {"anthropic": MODEL, "openai": "openai:gpt-test"}
SMALL = "def f():\n    return 1\n"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """What `--json` printed."""
        parsed: dict[str, Any] = json.loads(self.out)
        return parsed


Run = Callable[..., Outcome]
Serve = Callable[..., AbstractContextManager[Loopback]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "small.py").write_text(SMALL)
    return root


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`python -m inlay` in the project, in this process."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project.parent / "config"))

    def call(*arguments: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["inlay", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        with pytest.raises(SystemExit) as exit:
            runpy.run_module("inlay", run_name="__main__")
        printed = capsys.readouterr()
        assert isinstance(exit.value.code, int)
        return Outcome(exit.value.code, printed.out, printed.err)

    return call


@pytest.fixture
def serve(project: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """`with serve(*script) as server:`; the user's settings name it as the model to ask."""

    @contextmanager
    def start(
        *script: Any, wire: str = "anthropic", key: str = KEY, context: int = 200_000, max_output: int = 8_192
    ) -> Iterator[Loopback]:
        folder = project.parent / "config/inlay"
        folder.mkdir(parents=True, exist_ok=True)
        prices = "input_price = 3.0\noutput_price = 15.0\n"
        limits = f"context = {context}\nmax_output = {max_output}\n"
        model = MODELS[wire]
        (folder / "config.toml").write_text(f'model = "{model}"\n[models."{model}"]\n{limits}{prices}')
        monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent))
        with Loopback(*script) as server:
            for name, value in server.environ(wire, key).items():
                monkeypatch.setenv(name, value)
            yield server

    return start


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True).stdout.decode()


def whole(path: str, content: str) -> str:
    """A reply that holds a file whole."""
    return f"{path}\n```python\n{content}```\n"


def change(number: int, find: str, replace: str, fence: str = "python") -> str:
    """A reply, or a part of one, that edits a file."""
    old, new = (f"```{fence}\n{text}\n```" for text in (find, replace))
    return f"### CHANGE {number}: change {number}\nFIND:\n{old}\n\nREPLACE WITH:\n{new}\n\n"


def functions(count: int) -> str:
    """A module of four lines a function."""
    return "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(count))


def contents(root: Path) -> dict[str, bytes]:
    """Every file of a project but Inlay's own."""
    paths = [path for path in root.rglob("*") if path.is_file() and ".inlay" not in path.parts]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}
