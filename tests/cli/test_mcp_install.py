"""`inlay mcp install` and `inlay mcp doctor`: what is there stays, and what is written works."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

INLAY = str(Path(sys.executable).with_name("inlay"))
FILES = {
    "claude-code": (".mcp.json", ".claude.json", "mcpServers"),
    "cursor": (".cursor/mcp.json", ".cursor/mcp.json", "mcpServers"),
    "vscode": (".vscode/mcp.json", ".config/Code/User/mcp.json", "servers"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json", "mcpServers"),
    "codex": (".codex/config.toml", ".codex/config.toml", "mcp_servers"),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return tmp_path / "home"


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [INLAY, "mcp", *arguments], cwd=project, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def told(path: Path) -> dict[str, Any]:
    text = path.read_text()
    return tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)


@pytest.mark.skipif(sys.platform == "darwin", reason="VS Code keeps its own file elsewhere there")
@pytest.mark.parametrize("scope", ["project", "user"])
@pytest.mark.parametrize("client", FILES)
def test_every_client_gets_its_own_configuration(home: Path, client: str, scope: str) -> None:
    project = home.parent / "project"
    done = run(project, "install", "--client", client, "--scope", scope, "--yes")
    assert done.returncode == 0, done.stderr
    name = FILES[client][0 if scope == "project" else 1]
    file = (project if scope == "project" else home) / name
    entry = told(file)[FILES[client][2]]["inlay"]
    assert entry["command"].endswith("inlay")
    assert entry["args"][:2] == ["mcp", "--root"]
    assert "+" in done.stderr  # shown before it is written
    again = run(project, "install", "--client", client, "--scope", scope, "--yes")
    assert "already" in again.stdout
    assert list(file.parent.glob("*.before-inlay*")) == []


def test_what_is_there_stays_and_the_old_file_is_kept(home: Path) -> None:
    project = home.parent / "project"
    old = '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n'
    (project / ".mcp.json").write_text(old)
    (project / ".mcp.json").chmod(0o640)
    done = run(project, "install", "--client", "claude-code", "--yes", "--json")
    assert json.loads(done.stdout)["status"] == "written"
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
def test_a_file_that_rewriting_would_damage_is_left_alone(home: Path, text: str) -> None:
    file = home.parent / "project/.vscode/mcp.json"
    file.parent.mkdir()
    file.write_text(text)
    done = run(home.parent / "project", "install", "--client", "vscode", "--yes")
    assert done.returncode == 5
    assert '"command"' in done.stderr  # the entry to add by hand
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


def test_comments_in_toml_stay(home: Path) -> None:
    file = home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(CODEX)
    project = home.parent / "project"
    assert run(project, "install", "--client", "codex", "--scope", "user", "--yes").returncode == 0
    assert file.read_text().startswith(CODEX)
    older = file.read_text().replace('args = ["mcp", "--root", "."]', 'args = ["mcp"]\n\n# below\n[last]\nx = 1')
    file.write_text(older)
    assert run(project, "install", "--client", "codex", "--scope", "user", "--yes").returncode == 0
    now = file.read_text()
    assert tomllib.loads(now)["mcp_servers"]["inlay"]["args"] == ["mcp", "--root", "."]
    assert now.startswith(CODEX)
    assert "# below\n[last]\nx = 1" in now


@pytest.mark.parametrize("text", ["mcp_servers = { inlay = { command = 'y' } }\n", "not = [toml"])
def test_toml_that_cannot_be_changed_for_certain_is_left_alone(home: Path, text: str) -> None:
    file = home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(text)
    done = run(home.parent / "project", "install", "--client", "codex", "--scope", "user", "--yes")
    assert done.returncode == 5
    assert "[mcp_servers.inlay]" in done.stderr
    assert file.read_text() == text


def test_nothing_is_written_unasked(home: Path) -> None:
    project = home.parent / "project"
    done = run(project, "install", "--client", "cursor")
    assert done.returncode == 4
    assert "+" in done.stderr
    printed = run(project, "install", "--client", "cursor", "--print")
    assert json.loads(printed.stdout)["mcpServers"]["inlay"]["args"] == ["mcp", "--root", "${workspaceFolder}"]
    assert list(project.iterdir()) == []


def test_the_doctor_starts_what_was_installed(home: Path) -> None:
    project = home.parent / "project"
    assert run(project, "doctor", "--client", "vscode").returncode == 5
    run(project, "install", "--client", "codex", "--yes")
    broken = {"mcpServers": {"inlay": {"command": "/no/such/program", "args": []}}}
    (project / ".mcp.json").write_text(json.dumps(broken))
    done = run(project, "doctor", "--json")
    servers = {one["where"].partition(" (")[0]: one for one in json.loads(done.stdout)["servers"]}
    assert done.returncode == 1
    assert servers["Codex"]["answers"]
    assert "apply_edits" in servers["Codex"]["tools"]
    assert not servers["Claude Code"]["answers"]
    told_person = run(project, "doctor", "--client", "claude-code")
    assert told_person.returncode == 1
    assert "✗ Claude Code" in told_person.stdout


def test_the_doctor_without_any_configuration_tries_the_server_itself(home: Path) -> None:
    done = run(home.parent / "project", "doctor")
    assert done.returncode == 0
    assert "✔ inlay itself" in done.stdout
