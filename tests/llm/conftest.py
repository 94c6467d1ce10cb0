"""Tests that take `wire` run over both wire formats; `inlay` calls the command line in this process."""

import os
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from inlay.cli.main import main

_OURS = ("INLAY_", "PIP_", "UV_", "XDG_", "HF_", "ANTHROPIC_", "OPENAI_", "OPENROUTER_", "OLLAMA_")


@pytest.fixture(params=["anthropic", "openai"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def inlay(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., CompletedProcess[str]]:
    """Run a command with nothing in the environment that bears on it but what is given."""

    def run(*arguments: str, **environment: str) -> CompletedProcess[str]:
        with monkeypatch.context() as patch:
            for name in [name for name in os.environ if name.startswith(_OURS)]:
                patch.delenv(name)
            for name, value in environment.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as left:
                main(arguments)
        told = capsys.readouterr()
        return CompletedProcess(arguments, int(left.value.code or 0), told.out, told.err)

    return run
