"""Every setting at every face: a value from the user's file, the environment or an option is the one that is used.

The table names, for each setting, the faces that heed it, and for every other face one word why it cannot. A face heeds
a setting when it reads the configured value out of the settings in force. The threshold is shown by what it does, too.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from greeting import COMMAND, build
from inlay import LandOptions, SafeFileWriteError, Workspace, land, write
from inlay.cli.main import main
from inlay.model.settings import SETTINGS, Setting, Settings, Value
from inlay.nodes import safe_file_write
from inlay.storage.config import load_settings
from inlay.tools import Toolbox

pytestmark = pytest.mark.slow

FACES = ("apply", "write", "library", "node", "tools", "approve", "edit", "implement", "commits")
LANDING = "apply write library node tools edit implement"
ASKING = "edit implement commits"


def row(heeding: str, other: str = "", **others: str) -> dict[str, str]:
    """For each face "heeded", or the word why not."""
    return {face: others.get(face, "heeded" if face in heeding.split() else other) for face in FACES}


TABLE = {
    "model": row(ASKING, "modelless"),
    "base_url": row(ASKING, "modelless"),
    "format": row("edit implement", "modelless", commits="editless"),
    "max_attempts": row(ASKING, "modelless"),
    "max_tokens": row(ASKING, "modelless"),
    "max_cost": row(ASKING, "modelless"),
    "max_seconds": row(ASKING, "modelless"),
    "timeout": row(ASKING, "modelless"),
    "edit_lines": row("edit implement", "modelless", commits="editless"),
    "edit_bytes": row("edit implement", "modelless", commits="editless"),
    "concurrency": row(ASKING, "modelless"),
    "threshold": row(LANDING, commits="editless", approve="approved"),
    "check": row("edit implement", "modelless", commits="editless"),
    "threads": row(ASKING, "modelless"),
    "models": row(ASKING, "modelless"),
    "implement.headings": row("implement tools", "designless"),
    "implement.test_command": row("implement", "testless"),
    "implement.test_cwd": row("implement", "testless"),
    "implement.test_timeout": row("implement", "testless"),
    "implement.junit": row("implement", "testless"),
    "implement.coverage": row("implement", "testless"),
    "commits.preset": row("commits tools", "commitless"),
    "commits.rules": row("commits tools", "commitless"),
    "commits.exempt_authors": row("commits tools", "commitless"),
    "commits.ignore": row("commits tools", "commitless"),
    "commits.configs": row("commits tools", "commitless"),
}
HEEDED = {face: [key for key in TABLE if TABLE[key][face] == "heeded"] for face in FACES}
BY_KEY = {setting.key: setting for setting in SETTINGS}
TEST_COMMAND = f"{sys.executable} -c pass"
#: what the user's file, the environment and an option set; a text that is not here may be anything
TEXTS = {
    "model": ("openai:one", "openai:two", "openai:three"),
    "base_url": ("http://127.0.0.1:1", "http://127.0.0.1:2", ""),
    "format": ("find_replace", "search_replace", "json_edits"),
    "check": ("true", "true 2", "true 3"),
    "implement.test_command": (TEST_COMMAND, f"{TEST_COMMAND} 2", ""),
    "implement.test_cwd": ("greet", "tests", ""),
    "commits.preset": ("plain", "conventional", "plain"),
}
TABLES = {
    "models": {"openai:one": {"context": 90000}},
    "implement.headings": {"files": ["Files Changed"]},
    "commits.rules": {"subject-full-stop": "off"},
}


def value(setting: Setting, source: int) -> Value:
    """What one of the three sources sets: 0 the file, 1 the environment, 2 an option."""
    if setting.kind == "table":
        return TABLES[setting.key]
    if setting.kind == "texts":
        return (f"name-{source}",)
    if setting.kind == "text":
        return TEXTS.get(setting.key, (f"text-{source}",) * 3)[source]
    number = {"max_tokens": 900_000, "max_attempts": 1, "max_seconds": 5}.get(setting.key, 40) + source
    return float(number) if setting.kind == "number" else number


class Reads(dict[str, Value]):
    """Values of settings that note which of them were read."""

    def __init__(self, values: Mapping[str, Value], seen: dict[str, set[str]]) -> None:
        super().__init__(values)
        self.seen = seen

    def __getitem__(self, key: str) -> Value:
        found = super().__getitem__(key)
        self.seen.setdefault(key, set()).add(repr(found))
        return found


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Which settings were read, with the values that they had."""
    reads: dict[str, set[str]] = {}
    load = load_settings.load

    def watched(*arguments: object, **named: object) -> Settings:
        settings = load(*arguments, **named)  # type: ignore[arg-type]
        return replace(settings, values=Reads(settings.values, reads))

    monkeypatch.setattr(load_settings, "load", watched)
    return reads


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    build(root, tests=True)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "none")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home/inlay").mkdir(parents=True)
    (tmp_path / "none.gguf").write_bytes(b"")
    for command in (
        ("init", "-qb", "main"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"),
    ):
        subprocess.run(("git", *command), cwd=root, check=True)
    (root / "greet/hello.py").write_text("def hello(name):\n    return 'hello'\n")
    subprocess.run(("git", "add", "-A"), cwd=root, check=True)
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    return root


def user_file(project: Path, values: Mapping[str, Value]) -> None:
    lines = (f"{key} = {toml(value)}\n" for key, value in values.items())
    (project.parent / "home/inlay/config.toml").write_text("".join(lines))


def toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)


def inlay(*arguments: str, stdin: str = "") -> int:
    """The exit code of a command."""
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    with pytest.raises(SystemExit) as left:
        main(arguments)
    return int(left.value.code or 0)


def is_blocked(run: Callable[[], object]) -> bool:
    try:
        run()
    except SafeFileWriteError:
        return True
    return False


def by_reply(root: Path, text: str, limit: int | None) -> bool:
    reply = f"long.txt\n```\n{text}```\n"
    return is_blocked(lambda: land(reply, Workspace(root), options=LandOptions(threshold=limit)))


def by_content(root: Path, text: str, limit: int | None) -> bool:
    return is_blocked(lambda: write("long.txt", text, Workspace(root), options=LandOptions(threshold=limit)))


def by_tool(root: Path, text: str, limit: int | None) -> bool:
    outcome = Toolbox(root, threshold=limit).call("write_file", {"path": "long.txt", "content": text})
    return outcome.structured["kind"] != "applied"


def by_node(root: Path, text: str, limit: int | None) -> bool:
    proposal = {"file_path": "long.txt", "new_content": text}
    state: Any = {"project_root": str(root), "proposed_writes": [proposal]}
    return bool(safe_file_write(state).get("awaiting_approval"))


def by_command(command: str) -> Callable[[Path, str, int | None], bool]:
    def replace_file(root: Path, text: str, limit: int | None) -> bool:
        option = () if limit is None else ("--threshold", str(limit))
        if command == "apply":
            return inlay("apply", "--auto", *option, stdin=f"long.txt\n```\n{text}```\n") == 4
        return inlay("write", "--auto", *option, "long.txt", "-", stdin=text) == 4

    return replace_file


#: for each face that lands without a model: whether new content for a whole file waits for a person
REPLACE = {
    "apply": by_command("apply"),
    "write": by_command("write"),
    "library": by_reply,
    "library write": by_content,
    "tools": by_tool,
    "node": by_node,
}


def is_waiting(face: str, project: Path, *, lines: int = 60, limit: int | None = None) -> bool:
    text = "".join(f"line {number}\n" for number in range(lines))
    (project / "long.txt").write_text(text)
    return REPLACE[face](project, text.replace("line", "row"), limit)


@pytest.mark.parametrize("face", REPLACE)
def test_the_threshold_is_heeded_by_every_face_that_lands(
    face: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_waiting(face, project)
    user_file(project, {"threshold": 40})
    assert is_waiting(face, project)
    monkeypatch.setenv("INLAY_THRESHOLD", "80")
    assert not is_waiting(face, project)
    monkeypatch.setenv("INLAY_THRESHOLD", "40")
    user_file(project, {"threshold": 80})
    assert is_waiting(face, project)
    if face != "node":  # which has no option for it
        assert not is_waiting(face, project, limit=80)


@pytest.mark.parametrize("face", REPLACE)
def test_a_repository_only_lowers_the_threshold(face: str, project: Path) -> None:
    (project / ".inlay.toml").write_text("threshold = 500\n")
    assert is_waiting(face, project, lines=120)
    (project / ".inlay.toml").write_text("threshold = 40\n")
    assert is_waiting(face, project)
    user_file(project, {"threshold": 80})
    assert is_waiting(face, project)


def test_every_setting_has_a_row_with_a_word_for_each_face() -> None:
    assert set(TABLE) == set(BY_KEY)
    assert [(key, face) for key in TABLE for face in FACES if not TABLE[key][face].isalpha()] == []


def test_the_threshold_is_shown_for_every_face_that_lands_without_a_model() -> None:
    shown = {face.split()[0] for face in REPLACE}
    assert {face for face in FACES if "threshold" in HEEDED[face]} - set(ASKING.split()) == shown


#: for each face whose settings are read: the commands, or the calls of tools, that read all of them between them
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "edit": [("edit", "--auto", "-m", "say hello", "greet/hello.py")],
    "implement": [("implement", "--auto", "design.md")],
    "commits": [("commits", "draft"), ("commits", "check", "--ai", "HEAD"), ("commits", "plan", "HEAD")],
}
READING = (*COMMANDS, "tools")
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("check_commits", {"revision": "HEAD"}),
    ("plan_commits", {"revision": "HEAD"}),
    ("check_spec", {"path": "design.md"}),
    ("write_file", {"path": "long.txt", "content": "short\n"}),
]


def use(face: str, project: Path) -> None:
    """Use a face in every way that reads its settings; here it does not matter how that ends."""
    for command in COMMANDS.get(face, ()):
        inlay(*command)
        if "plan" not in command:  # what only a model on this machine takes
            inlay(*command, "--model", f"local:{project.parent / 'none.gguf'}")
    for name, arguments in CALLS if face == "tools" else ():
        Toolbox(project).call(name, arguments)
    if face == "implement":
        generate_after_tests(project)


def generate_after_tests(project: Path) -> None:
    """With tests that run as they should, so that a model is asked."""
    file = project.parent / "home/inlay/config.toml"
    with pytest.MonkeyPatch.context() as patched:
        for name in [name for name in os.environ if name.startswith("INLAY_IMPLEMENT")]:
            patched.delenv(name)
        patched.setenv("INLAY_IMPLEMENT_TEST_COMMAND", COMMAND)
        others = [line for line in file.read_text().splitlines() if not line.startswith("implement.")]
        file.write_text("\n".join(others))
        inlay("implement", "--auto", "design.md")


def unread(face: str, seen: Mapping[str, set[str]], source: int, keys: Iterable[str]) -> dict[str, set[str]]:
    """The settings that were not read with the value of a source, with what was read instead."""
    wanted = {key: repr(value(BY_KEY[key], source)) for key in keys if key in HEEDED[face]}
    return {key: seen.get(key, set()) for key, text in wanted.items() if text not in seen.get(key, set())}


@pytest.mark.parametrize("face", READING)
def test_values_of_the_users_file_are_heeded(face: str, project: Path, seen: dict[str, set[str]]) -> None:
    user_file(project, {key: value(BY_KEY[key], 0) for key in BY_KEY})
    use(face, project)
    assert unread(face, seen, 0, BY_KEY) == {}


@pytest.mark.parametrize("face", READING)
def test_values_of_the_environment_are_heeded(
    face: str, project: Path, seen: dict[str, set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file(project, {key: value(BY_KEY[key], 0) for key in BY_KEY})
    settable = [setting for setting in SETTINGS if setting.kind != "table"]
    for setting in settable:
        monkeypatch.setenv(setting.variable, as_text(value(setting, 1)))
    use(face, project)
    assert unread(face, seen, 1, [setting.key for setting in settable]) == {}


def help_of(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The words of a command's help."""
    capsys.readouterr()
    inlay(*command[: 2 if command[0] == "commits" else 1], "--help")
    return capsys.readouterr().out.split()


@pytest.mark.parametrize("command", [command for commands in COMMANDS.values() for command in commands])
def test_an_option_wins(
    command: tuple[str, ...],
    project: Path,
    seen: dict[str, set[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words, face = help_of(command, capsys), command[0]
    options = {key: "--" + key.rpartition(".")[2].replace("_", "-") for key in HEEDED[face]}
    given = {key: option for key, option in options.items() if option in words}
    assert "model" in given
    for key in given:
        monkeypatch.setenv(BY_KEY[key].variable, as_text(value(BY_KEY[key], 1)))
    inlay(*command, *(word for key, option in given.items() for word in (option, as_text(value(BY_KEY[key], 2)))))
    # The model may be opened by the name that was given, without a look at the settings.
    assert "openai:three" in capsys.readouterr().err
    assert unread(face, seen, 2, given.keys() - {"model"}) == {}


def as_text(setting: Value) -> str:
    return setting[0] if isinstance(setting, tuple) else str(setting)
