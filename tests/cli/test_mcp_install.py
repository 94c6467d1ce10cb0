"""`inlay mcp install` and `inlay mcp doctor`: what is there stays, and what is written works."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, Session

FILES = {
    "claude-code": (".mcp.json", ".claude.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", ".cursor/mcp.json", "mcpServers"),
    "vscode": (".vscode/mcp.json", ".config/Code/User/mcp.json", "servers"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json", "mcpServers"),
    "codex": (".codex/config.toml", ".codex/config.toml", "mcp_servers"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with nothing in it."""
    root = tmp_path / "project"
    root.mkdir()
    return root


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory with nothing in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return folder


def told(path: Path) -> dict[str, Any]:
    text = path.read_text()
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


@pytest.mark.skipif(sys.platform == "darwin", reason="VS Code keeps its own file elsewhere there")
@pytest.mark.parametrize("scope", ["project", "user"])
@pytest.mark.parametrize("client", FILES)
def test_every_client_gets_its_own_configuration(run: Run, project: Path, home: Path, client: str, scope: str) -> None:
    done = run("mcp", "install", "--client", client, "--scope", scope, "--yes")
    assert done.code == 0, done.err
    name = FILES[client][0 if scope == "project" else 1]
    file = (project if scope == "project" else home) / name
    entry = told(file)[FILES[client][2]]["inlay"]
    assert entry["command"].endswith("inlay")
    assert entry["args"][:2] == ["mcp", "--root"]
    assert "+" in done.err  # shown before it is written
    again = run("mcp", "install", "--client", client, "--scope", scope, "--yes")
    assert "already" in again.out
    assert list(file.parent.glob("*.before-inlay*")) == []


def test_what_is_there_stays_and_the_old_file_is_kept(run: Run, project: Path, home: Path) -> None:
    old = '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n'
    (project / ".mcp.json").write_text(old)
    (project / ".mcp.json").chmod(0o640)
    done = run("mcp", "install", "--client", "claude-code", "--yes", "--json")
    assert json.loads(done.out)["status"] == "written"
    now = told(project / ".mcp.json")
    assert now["theme"] == "dark"
    assert now["mcpServers"]["other"] == {"command": "x"}
    assert set(now["mcpServers"]) == {"other", "inlay"}
    assert (project / ".mcp.json").read_text().startswith('{\n    "theme"')
    assert (project / ".mcp.json").stat().st_mode & 0o777 == 0o640
    assert (project / ".mcp.json.before-inlay").read_text() == old


@pytest.mark.parametrize(
    "text", ['{\n  // a comment\n  "servers": {}\n}\n', '{"servers": {},}', '{"a": 1, "a": 2}', "[]"]
)
def test_a_file_that_rewriting_would_damage_is_left_alone(run: Run, project: Path, home: Path, text: str) -> None:
    file = project / ".vscode/mcp.json"
    file.parent.mkdir()
    file.write_text(text)
    done = run("mcp", "install", "--client", "vscode", "--yes")
    assert done.code == 5
    assert '"command"' in done.err  # the entry to add by hand
    assert file.read_text() == text
    assert list(file.parent.iterdir()) == [file]


CODEX = """\
# my settings
model = "gpt-5"   # the one I like

[mcp_servers.other]
command = "x"

# about the tool
[tools]
web_search = true
"""


def test_comments_in_toml_stay(run: Run, project: Path, home: Path) -> None:
    file = home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(CODEX)
    assert run("mcp", "install", "--client", "codex", "--scope", "user", "--yes").code == 0
    assert file.read_text().startswith(CODEX)
    older = file.read_text().replace('args = ["mcp", "--root", "."]', 'args = ["mcp"]\n\n# below\n[last]\nx = 1')
    file.write_text(older)
    assert run("mcp", "install", "--client", "codex", "--scope", "user", "--yes").code == 0
    now = file.read_text()
    assert tomllib.loads(now)["mcp_servers"]["inlay"]["args"] == ["mcp", "--root", "."]
    assert now.startswith(CODEX)
    assert "# below\n[last]\nx = 1" in now


@pytest.mark.parametrize("text", ["mcp_servers = { inlay = { command = 'y' } }\n", "not = [toml"])
def test_toml_that_cannot_be_changed_for_certain_is_left_alone(run: Run, project: Path, home: Path, text: str) -> None:
    file = home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(text)
    done = run("mcp", "install", "--client", "codex", "--scope", "user", "--yes")
    assert done.code == 5
    assert "[mcp_servers.inlay]" in done.err
    assert file.read_text() == text


def test_nothing_is_written_unasked(run: Run, project: Path, home: Path) -> None:
    done = run("mcp", "install", "--client", "cursor")
    assert done.code == 4
    assert "+" in done.err
    printed = run("mcp", "install", "--client", "cursor", "--print")
    assert json.loads(printed.out)["mcpServers"]["inlay"]["args"] == ["mcp", "--root", "${workspaceFolder}"]
    assert list(project.iterdir()) == []


@pytest.mark.slow
def test_the_doctor_starts_what_was_installed(run: Run, project: Path, home: Path) -> None:
    assert run("mcp", "doctor", "--client", "vscode").code == 5
    run("mcp", "install", "--client", "codex", "--yes")
    broken = {"mcpServers": {"inlay": {"command": sys.executable, "args": ["-c", "raise SystemExit('broken')"]}}}
    (project / ".mcp.json").write_text(json.dumps(broken))
    done = run("mcp", "doctor", "--json")
    servers = {one["where"].partition(" (")[0]: one for one in json.loads(done.out)["servers"]}
    assert done.code == 1
    assert servers["Codex"]["answers"]
    assert "apply_edits" in servers["Codex"]["tools"]
    assert not servers["Claude Code"]["answers"]
    assert "broken" in servers["Claude Code"]["why"]
    told_person = run("mcp", "doctor", "--client", "claude-code")
    assert told_person.code == 1
    assert "✗ Claude Code" in told_person.out


@pytest.mark.slow
def test_the_doctor_without_any_configuration_tries_the_server_itself(run: Run, project: Path, home: Path) -> None:
    done = run("mcp", "doctor")
    assert done.code == 0
    assert "✔ inlay itself" in done.out


def test_a_person_at_a_terminal_is_asked(project: Path, home: Path) -> None:
    for answer, there in (("n", False), ("y", True)):
        session = Session(project, "mcp", "install", "--client", "claude-code", HOME=str(home))
        session.expect("[y/N]")
        session.answer(answer, "\n")
        assert session.end() == (0 if there else 4)
        assert (project / ".mcp.json").exists() == there


def test_codex_may_keep_its_files_elsewhere(
    run: Run, project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    assert run("mcp", "install", "--client", "codex", "--scope", "user", "--yes").code == 0
    assert (home / "elsewhere/config.toml").exists()


def test_the_server_speaks_on_standard_output_and_ends_with_its_client(run: Run, project: Path) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    done = run("mcp", stdin="".join(f"{json.dumps(line)}\n" for line in lines))
    assert done.code == 0
    answers = {answer["id"]: answer["result"] for answer in map(json.loads, done.out.splitlines())}
    assert answers[1]["serverInfo"]["name"] == "inlay"
