"""Where each client keeps its list of servers, and how it writes one down."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Scope: TypeAlias = Literal["project", "user"]
NAME = "inlay"  #: what the server is called in every configuration


@dataclass(frozen=True, slots=True)
class Client:
    """One program that starts servers."""

    name: str
    title: str
    project: str  #: its file, relative to the project
    user: str  #: its file, relative to the home directory
    key: str  #: under which the servers stand
    root: str  #: how it writes the directory of the open project
    typed: bool = False  #: whether an entry says how it is reached
    toml: bool = False

    def file(self, scope: Scope, root: Path) -> Path:
        """The configuration file."""
        if scope == "project":
            return root / self.project
        if self.name == "codex" and (own := os.environ.get("CODEX_HOME")):
            return Path(own, "config.toml")
        return Path.home() / self.user

    def entry(self, command: str) -> dict[str, Any]:
        """What the client needs to know about our server."""
        kind = {"type": "stdio"} if self.typed else {}
        return {**kind, "command": command, "args": ["mcp", "--root", self.root]}


_CODE = "Library/Application Support/Code" if sys.platform == "darwin" else ".config/Code"
CLIENTS = {
    client.name: client
    for client in (
        # Started in the project's directory, so that a dot is the project.
        Client("claude-code", "Claude Code", ".mcp.json", ".claude.json", "mcpServers", ".", typed=True),
        Client("codex", "Codex", ".codex/config.toml", ".codex/config.toml", "mcp_servers", ".", toml=True),
        Client("cursor", "Cursor", ".cursor/mcp.json", ".cursor/mcp.json", "mcpServers", "${workspaceFolder}"),
        Client("gemini", "Gemini CLI", ".gemini/settings.json", ".gemini/settings.json", "mcpServers", "."),
        Client(
            "vscode",
            "VS Code",
            ".vscode/mcp.json",
            f"{_CODE}/User/mcp.json",
            "servers",
            "${workspaceFolder}",
            typed=True,
        ),
    )
}


def command() -> str:
    """How a client starts us: by name where that is what its shell would find, else by this very program."""
    ours = Path(sys.executable).with_name(NAME)
    found = shutil.which(NAME)
    if found and (not ours.exists() or os.path.realpath(found) == os.path.realpath(ours)):
        return NAME
    return str(ours) if ours.exists() else NAME
