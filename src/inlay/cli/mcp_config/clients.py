"""The MCP clients: where each keeps its list of servers, and the format of an entry."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Scope: TypeAlias = Literal["project", "user"]
NAME = "inlay"  #: the server's name in every configuration


@dataclass(frozen=True, slots=True)
class Client:
    name: str
    title: str
    project: str  #: its file, relative to the project
    user: str  #: its file, relative to the home directory
    key: str  #: of the table of servers
    root: str  #: its placeholder for the open project's directory
    typed: bool = False  #: whether an entry names its transport
    toml: bool = False

    def file(self, scope: Scope, root: Path) -> Path:
        if scope == "project":
            return root / self.project
        if self.name == "codex" and (own := os.environ.get("CODEX_HOME")):
            return Path(own, "config.toml")
        return Path.home() / self.user

    def entry(self, command: str) -> dict[str, Any]:
        kind = {"type": "stdio"} if self.typed else {}
        return {**kind, "command": command, "args": ["mcp", "--root", self.root]}


_VSCODE_USER = f"{'Library/Application Support' if sys.platform == 'darwin' else '.config'}/Code/User/mcp.json"
CLIENTS = {
    client.name: client
    for client in (
        # Clients with "." start servers in the project's directory.
        Client("claude-code", "Claude Code", ".mcp.json", ".claude.json", "mcpServers", ".", typed=True),
        Client("codex", "Codex", ".codex/config.toml", ".codex/config.toml", "mcp_servers", ".", toml=True),
        Client("cursor", "Cursor", ".cursor/mcp.json", ".cursor/mcp.json", "mcpServers", "${workspaceFolder}"),
        Client("gemini", "Gemini CLI", ".gemini/settings.json", ".gemini/settings.json", "mcpServers", "."),
        Client("vscode", "VS Code", ".vscode/mcp.json", _VSCODE_USER, "servers", "${workspaceFolder}", typed=True),
    )
}


def command() -> str:
    """The command that starts Inlay: its name if the shell finds this program by it, else the path."""
    program = Path(sys.executable).with_name(NAME)
    on_path = shutil.which(NAME)
    if not program.exists() or (on_path and os.path.realpath(on_path) == os.path.realpath(program)):
        return NAME
    return str(program)
