"""Which Python runs a project's tests, and what it has installed."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from functools import lru_cache

from inlay.errors import EnvironmentFailure
from inlay.processes.command import run

_PROBE = (
    "import importlib.util as u, json;"
    "print(json.dumps([n for n in ('pytest','coverage','pytest_cov') if u.find_spec(n)]))"
)
_TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python with what matters here."""

    path: str
    has: frozenset[str]  #: of "pytest", "coverage" and "pytest_cov"


@lru_cache(maxsize=64)
def for_tests(root: str) -> Interpreter:
    """The project's own Python if it has pytest, else the one that runs this, else the one on the path."""
    folders = [os.path.join(root, ".venv"), os.path.join(root, "venv"), os.environ.get("VIRTUAL_ENV")]
    pythons = [os.path.join(folder, "bin", "python") for folder in folders if folder]
    paths = dict.fromkeys([*pythons, sys.executable, shutil.which("python3") or ""])
    candidates = [path for path in paths if os.access(path, os.X_OK)]
    for path in candidates:
        interpreter = _probe(path)
        if interpreter is not None and "pytest" in interpreter.has:
            return interpreter
    names = " or ".join(candidates)
    raise EnvironmentFailure(
        f"pytest is not installed for {names}. Install it there, or name the command that runs the tests"
    )


def _probe(path: str) -> Interpreter | None:
    import json

    done = run([path, "-c", _PROBE], cwd=os.path.dirname(path), timeout=_TIMEOUT)
    if not done.ok:
        return None
    # A plugin that pytest does not load takes no options either.
    unloaded = {"pytest_cov"} if os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD") else set()
    try:
        return Interpreter(path, frozenset(json.loads(done.output)) - unloaded)
    except ValueError:
        return None
