"""`inlay models` tells what can be asked from here, and sends each key to its own provider only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from loopback import KEY, Loopback

Told = Callable[..., CompletedProcess[str]]


@pytest.fixture
def models(inlay: Told, tmp_path: Path) -> Told:
    def run(*arguments: str, **environment: str) -> CompletedProcess[str]:
        nowhere = {"HOME": str(tmp_path), "OLLAMA_HOST": "127.0.0.1:9"}
        return inlay("models", "-C", str(tmp_path), *arguments, **(nowhere | environment))

    return run


def test_what_can_be_asked(models: Told, tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/inlay/models"
    folder.mkdir(parents=True)
    (folder / "qwen2.5-coder-0.5b.gguf").write_bytes(b"x")
    with Loopback() as server:
        environ = server.environ("anthropic") | {"OLLAMA_HOST": server.url}
        done = models("--json", "--model", "openai:gpt-5", **environ)
        person = models(**environ)
    told = json.loads(done.stdout)
    assert told["chosen"] == "openai:gpt-5"
    by_name = {each["name"]: each for each in told["models"]}
    assert by_name["openai:gpt-5"]["why"] == "set by --model"
    assert by_name["anthropic:claude-sonnet-5-5"]["reachable"] is True
    assert by_name["anthropic:claude-sonnet-5-5"]["input_price"] == 2
    assert by_name["ollama:second-model"]["known"] is False
    assert by_name["local:qwen2.5-coder-0.5b"]["context"] == 32_768
    assert "→ ✔ anthropic:claude-sonnet-5-5" in person.stdout
    assert "guessed" in person.stdout
    assert KEY not in done.stdout + done.stderr + person.stdout + person.stderr


def test_a_key_whose_provider_does_not_answer(models: Told) -> None:
    environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    told = json.loads(models("--json", **environ).stdout)
    first = told["models"][0]
    assert (first["name"], first["reachable"]) == ("anthropic:claude-sonnet-5-5", False)
    told = json.loads(models("--json", "--no-probe", **environ).stdout)
    assert told["models"][0]["reachable"] is None


def test_nothing_at_all_tells_what_to_do(models: Told) -> None:
    done = models("--no-probe")
    assert done.returncode == 0
    assert "inlay model pull" in done.stdout
    assert "anthropic" in done.stdout


def test_the_table(models: Told) -> None:
    table = json.loads(models("--known", "--json").stdout)
    assert {"claude-sonnet-5-5", "gpt-6.1-sol", "qwen3-coder"} <= {each["name"] for each in table}
    assert "claude-sonnet-5-5" in models("--known").stdout


def test_a_name_of_nothing_is_told_as_it_was_given(models: Told) -> None:
    told = json.loads(models("--json", "--no-probe", "--model", "nonsense").stdout)
    assert told == {"chosen": "nonsense", "models": []}


def test_every_key_is_tried_at_its_own_place(models: Told) -> None:
    with Loopback() as server:
        environ = {
            **server.environ("openai"),
            "OPENROUTER_API_KEY": KEY,
            "OPENROUTER_BASE_URL": "http://127.0.0.1:9",
        }
        told = json.loads(models("--json", **environ).stdout)
    reached = {each["name"]: each["reachable"] for each in told["models"]}
    assert reached["openai:gpt-6.1-sol"] is True
    assert reached["openrouter:anthropic/claude-sonnet-5.5"] is False
    assert reached["openai:second-model"] is True
    assert told["chosen"] == "openai:first-model"
