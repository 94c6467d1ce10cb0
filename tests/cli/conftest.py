"""A small project and a way to call the command line in this process."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from inlay.cli.main import main


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src/app.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 1\n")
    (root / "notes.txt").write_text("one\ntwo\n")
    return root


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call `inlay` in the project with text or bytes on standard input."""
    monkeypatch.chdir(project)

    def call(*arguments: str, stdin: str | bytes = b"") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        with pytest.raises(SystemExit) as left:
            main(arguments)
        told = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Outcome(left.value.code, told.out, told.err)

    return call
