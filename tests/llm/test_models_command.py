"""`inlay models` tells what can be asked from here, and sends each key to its own provider only."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from loopback import KEY, Loopback


def inlay(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "", "HOME": str(tmp_path), "OLLAMA_HOST": "127.0.0.1:9", **environment}
    command = [sys.executable, "-m", "inlay", "models", "-C", str(tmp_path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env)


def test_what_can_be_asked(tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/inlay/models"
    folder.mkdir(parents=True)
    (folder / "qwen2.5-coder-0.5b.gguf").write_bytes(b"x")
    with Loopback() as server:
        environ = server.environ("anthropic") | {"OLLAMA_HOST": server.url}
        done = inlay(tmp_path, "--json", "--model", "openai:gpt-5", **environ)
        person = inlay(tmp_path, **environ)
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


def test_a_key_whose_provider_does_not_answer(tmp_path: Path) -> None:
    environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    told = json.loads(inlay(tmp_path, "--json", **environ).stdout)
    first = told["models"][0]
    assert (first["name"], first["reachable"]) == ("anthropic:claude-sonnet-5-5", False)
    told = json.loads(inlay(tmp_path, "--json", "--no-probe", **environ).stdout)
    assert told["models"][0]["reachable"] is None


def test_nothing_at_all_tells_what_to_do(tmp_path: Path) -> None:
    done = inlay(tmp_path, "--no-probe")
    assert done.returncode == 0
    assert "inlay model pull" in done.stdout
    assert "anthropic" in done.stdout


def test_the_table(tmp_path: Path) -> None:
    table = json.loads(inlay(tmp_path, "--known", "--json").stdout)
    assert {"claude-sonnet-5-5", "gpt-6.1-sol", "qwen3-coder"} <= {each["name"] for each in table}
    assert "claude-sonnet-5-5" in inlay(tmp_path, "--known").stdout
