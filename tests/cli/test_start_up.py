"""`--help` of every command: quick to start, with an example, and for `inlay` itself on one screen."""

import json
import subprocess
import sys

import pytest

MOST_MODULES = 60
SCREEN = 40

# A child of one interpreter for each command: it starts with nothing loaded but the entry point.
HELP_OF_EVERY_COMMAND = """
import contextlib, io, json, os, sys
import inlay.cli.main as entry
from inlay.cli.lazy import LazyGroup

def help_of(names):
    read, write = os.pipe()
    if not os.fork():
        os.close(read)
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
            entry.main([*names, "--help"])
        command = entry.cli
        for name in names:
            command = command.get_command(None, name)
        below = command.list_commands(None) if isinstance(command, LazyGroup) else []
        loaded = [name for name in sys.modules if name.split(".")[0] == "inlay"]
        with os.fdopen(write, "w") as pipe:
            json.dump([text.getvalue(), loaded, below], pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        return json.load(pipe)

def walk(names=()):
    text, loaded, below = help_of(names)
    print(json.dumps([" ".join(names), text, loaded]))
    for name in below:
        walk((*names, name))

walk()
"""


@pytest.fixture(scope="module")
def helps() -> dict[str, tuple[str, list[str]]]:
    """For every command its `--help`, and the modules of Inlay that were loaded to print it."""
    lines = subprocess.check_output([sys.executable, "-c", HELP_OF_EVERY_COMMAND], text=True).splitlines()
    return {name: (text, loaded) for name, text, loaded in map(json.loads, lines)}


def test_every_command_is_seen(helps: dict[str, tuple[str, list[str]]]) -> None:
    assert {"", "apply", "commits amend", "mcp install", "model pull", "runs show", "spec check"} <= helps.keys()
    assert all(text.startswith(f"Usage: inlay {name}".rstrip()) for name, (text, _) in helps.items())


def test_no_help_loads_what_the_work_needs(helps: dict[str, tuple[str, list[str]]]) -> None:
    counts = {name: len(loaded) for name, (_, loaded) in helps.items()}
    assert {name: count for name, count in counts.items() if count >= MOST_MODULES} == {}


def test_every_help_has_an_example(helps: dict[str, tuple[str, list[str]]]) -> None:
    assert [name for name, (text, _) in helps.items() if "Example" not in text or f"inlay {name}" not in text] == []


def test_the_first_help_fits_one_screen(helps: dict[str, tuple[str, list[str]]]) -> None:
    lines = helps[""][0].splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 80
