"""The tracer of `bench walks`: what it counts and what it skips."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bench.tracer import CHECK, STAGE, Trail, trace
from bench.walks import WALKS, main

FILES = {
    "__init__.py": "",
    "errors.py": "def fail():\n    return None\n",
    "checks/__init__.py": "def run(text):\n    return [word for word in text.split() if (lambda: word)()]\n",
    "staging/__init__.py": "from tiny.staging.stage import stage\n",
    "staging/stage.py": (
        "from tiny.staging.deep import weave\n"
        "def at_import():\n    return 1\n"
        "LIMIT = at_import()\n"
        "class Staged:\n    def __init__(self):\n        self.text = weave.woven()\n"
        "def stage(text):\n    return _again(text) and Staged()\n"
        "def _again(text):\n    return text\n"
    ),
    "staging/deep/__init__.py": "",
    "staging/deep/weave.py": "def woven():\n    return 'a b'\n",
    "flow.py": (
        "def land(text):\n"
        "    from tiny import checks, staging\n"  # during the walk
        "    for _ in range(3):\n        staging.stage(text)\n"
        "    checks.run(text)\n"
    ),
    "unused.py": "def never():\n    return None\n",
}


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "tiny" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] == "tiny"]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path / "tiny"


def walk(tiny: Path) -> Trail:
    importlib.import_module("tiny.unused")
    return trace(tiny, lambda: importlib.import_module("tiny.flow").land("a b"))


def test_functions_are_ordered_by_their_first_call(tiny: Path) -> None:
    trail = walk(tiny)
    assert trail.entered == (
        ("flow.py", "land"),
        ("staging/stage.py", "stage"),
        ("staging/stage.py", "_again"),
        ("staging/deep/weave.py", "woven"),
        ("checks/__init__.py", "run"),
    )
    assert (trail.modules, trail.functions) == (4, 5)


def test_packages_are_counted_at_the_top_and_by_folder(tiny: Path) -> None:
    trail = walk(tiny)
    assert trail.top_changes == 2  # flow, staging, checks
    assert trail.folder_changes == 3  # flow, staging, staging/deep, checks


def test_every_call_of_a_front_door_counts(tiny: Path) -> None:
    trail = walk(tiny)
    assert (trail.calls[STAGE], trail.calls[CHECK]) == (3, 1)


def test_programs_are_counted_and_git_apart(tiny: Path) -> None:
    def run() -> None:
        subprocess.run([sys.executable, "-c", ""], check=True)
        subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)

    trail = trace(tiny, run)
    subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)
    assert (len(trail.programs), trail.git, trail.functions) == (2, 1, 0)


def test_other_threads_are_followed(tiny: Path) -> None:
    def run() -> None:
        thread = threading.Thread(target=importlib.import_module("tiny.errors").fail)
        thread.start()
        thread.join()

    assert trace(tiny, run).entered == (("errors.py", "fail"),)


def test_tracing_ends_with_the_run(tiny: Path) -> None:
    def fails() -> None:
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        trace(tiny, fails)
    assert sys.getprofile() is None


@pytest.mark.slow
def test_the_walk_of_apply_stages_and_checks_once(capsys: pytest.CaptureFixture[str]) -> None:
    main(["apply", "--list"])
    rows = [line.split("|") for line in capsys.readouterr().out.splitlines() if line.startswith("| apply")]
    assert [cell.strip() for cell in rows[0][-3:-1]] == ["1", "1"]


def test_a_walk_that_does_not_exist_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["fly"])
    assert "fly" not in WALKS
