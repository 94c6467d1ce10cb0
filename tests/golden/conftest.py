"""A sample repository with fixed dates and names, and the command line in this process without the user's settings."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inlay.cli.main import main
from loopback import FileServer, Loopback

from .golden import FOLDER, Collection, Normaliser

GREETING = FOLDER.parent / "greeting"
_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "1700000000 +0100",
    "GIT_COMMITTER_NAME": "Bob",
    "GIT_COMMITTER_EMAIL": "bob@example.org",
    "GIT_COMMITTER_DATE": "1700000100 -0230",
}
#: what a user's environment must not bring in
_FOREIGN = (
    *("INLAY_", "PIP_", "UV_", "XDG_", "HF_", "ANTHROPIC_", "OPENAI_", "OPENROUTER_", "OLLAMA_", "CODEX_", "GIT_"),
    *("CLICOLOR", "FORCE_COLOR", "VISUAL", "EDITOR", "CI", "LC_", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"),
)
_HISTORY: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "Start the shop\n",
        {
            "src/app.py": "def f():\n    return 1\n\n\ndef g():\n    return 1\n",
            "notes.txt": "one\ntwo\nthree\nfour\nfive\n",
            "long.txt": "".join(f"line {number}\n" for number in range(1, 151)),
        },
    ),
    ("feat: Add a basket\n\nIt keeps what is chosen.\n", {"src/basket.py": "class Basket:\n    items = 0\n"}),
    ("fixup! Start the shop\n", {"docs/manual.md": "# Manual\n\nUse it.\n"}),
    ("Added a price.\n", {"src/price.py": "PRICE = 3\n", "logo.bin": "\0\1\2"}),
)


def git(root: Path, *arguments: str) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _GIT
    done = subprocess.run(["git", *arguments], cwd=root, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that every session gets a copy of."""
    mask = os.umask(0o022)
    root = tmp_path_factory.mktemp("pattern") / "project"
    root.mkdir()
    git(root, "init", "-q", "-b", "main", "--template=")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    for message, files in _HISTORY:
        write(root, files)
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", message)
    os.umask(mask)
    return root


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Nothing of the user's own: no settings, no keys, no servers."""
    for name in [name for name in os.environ if name.startswith(_FOREIGN)]:
        monkeypatch.delenv(name)
    (tmp_path / "home").mkdir()
    fixed = {"HOME": str(tmp_path / "home"), "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LANG": "C.UTF-8"}
    for name, value in {**_GIT, **fixed}.items():
        monkeypatch.setenv(name, value)
    mask = os.umask(0o022)
    yield monkeypatch
    os.umask(mask)


@pytest.fixture
def project(pattern: Path, tmp_path: Path, environment: pytest.MonkeyPatch) -> Path:
    return Path(shutil.copytree(pattern, tmp_path / "project"))


class Session:
    """Commands one after the other in one project, each compared with its golden file."""

    def __init__(
        self, name: str, root: Path, capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch
    ) -> None:
        self.root = root
        self.tmp = root.parent
        self.environment = environment
        self.normaliser = Normaliser.of(self.tmp)
        self.ports: set[int] = set()  #: where a connection may be made
        self.golden = Collection("json", name)
        self._capsys = capsys

    def run(self, *arguments: str, case: str, stdin: str = "") -> Any:
        """Call `inlay`; `case` is `<command>/<name>`. Returns what was printed, parsed where it is JSON."""
        code, out, err = self.call(*arguments, stdin=stdin)
        parsed = _parsed(out)
        if made := isinstance(parsed.get("output"), dict) and parsed["output"].get("commit"):
            self.normaliser.name(made, "<commit>")  # `edit --commit` makes it now
        self.golden.compare(
            case,
            {
                "arguments": self.normaliser.value(list(arguments)),
                "exit_code": code,
                **self.normaliser.value(parsed),
                "stderr": self.normaliser.text(err).splitlines(),
            },
        )
        return next(iter(parsed.values()))

    def call(self, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        """Call `inlay` without a golden file."""
        self.environment.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        printed = self._capsys.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, printed.out, printed.err

    def write(self, files: dict[str, str]) -> None:
        write(self.root, files)

    def git(self, *arguments: str) -> str:
        return git(self.root, *arguments)

    def recording(self, *entries: dict[str, Any], name: str = "recording.jsonl", price: bool = True) -> str:
        """The name of a model that gives these answers."""
        head = [{"model": "anthropic:claude-sonnet-4-5" if price else "openai:unknown-model"}]
        lines = [*head, *({"usage": {"input": 100, "output": 20}, **entry} for entry in entries)]
        (self.tmp / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return f"recorded:../{name}"  # relative, because it becomes part of a commit message

    def allow(self, server: Loopback | FileServer) -> None:
        """Let the commands connect to a server of this test."""
        self.ports.add(int(server.url.rpartition(":")[2]))


def _parsed(out: str) -> dict[str, Any]:
    """One JSON value, or one for each line, or else lines of text."""
    try:
        return {"output": json.loads(out)}
    except ValueError:
        pass
    try:
        return {"output_lines": [json.loads(line) for line in out.splitlines()]} if out else {"output_text": []}
    except ValueError:
        return {"output_text": out.splitlines()}


@pytest.fixture
def session(
    request: pytest.FixtureRequest,
    project: Path,
    environment: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Session:
    """A session named after the parameter `name` of its test."""
    made = Session(request.getfixturevalue("name"), project, capsys, environment)
    environment.chdir(project)
    _refuse_other_servers(environment, made.ports)
    return made


def _refuse_other_servers(environment: pytest.MonkeyPatch, ports: set[int]) -> None:
    """Whatever else answers on this machine, or beyond it, must not show in a golden file."""
    connect = socket.socket.connect

    def checked(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[1] not in ports:
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        connect(self, address)

    environment.setattr(socket.socket, "connect", checked)
