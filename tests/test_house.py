"""What holds for the package as a whole: its public names, its examples, its speed at start."""

import ast
import doctest
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import inlay

ROOT = Path(__file__).parents[1]


def test_all_is_honest() -> None:
    assert sorted(inlay.__all__) == sorted({*inlay._HOME_OF, "__version__"})
    for name in inlay.__all__:
        assert getattr(inlay, name) is not None
        assert name in dir(inlay)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = inlay.nonsense  # type: ignore[attr-defined]


def test_type_checkers_find_each_public_name_where_it_is() -> None:
    """The imports under TYPE_CHECKING are those that `__getattr__` makes; packages re-export some names."""
    block = next(node for node in ast.parse(Path(inlay.__file__).read_text("utf-8")).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: str(node.module) for node in imports for alias in node.names}
    assert homes.keys() == inlay._HOME_OF.keys()
    for name, home in homes.items():
        assert getattr(importlib.import_module(home), name) is getattr(inlay, name)


def test_the_version_is_the_packages() -> None:
    from importlib.metadata import version

    assert version("inlay") == inlay.__version__


@pytest.mark.parametrize(
    "module",
    [
        "inlay",
        "inlay.commits",
        "inlay.commits.chunk_plan",
        "inlay.landing.decisions_json",
        "inlay.landing.embed",
        "inlay.landing.land",
        "inlay.landing.write",
    ],
)
def test_the_examples_in_docstrings_run(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert (failed, tried > 0) == (0, True)


@pytest.mark.parametrize("page", ["library.md", "commits.md"])
def test_the_examples_in_the_documentation_run(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def fastest(*arguments: str, runs: int = 7) -> float:
    """CPU seconds of the quickest of several runs: what else the machine does hardly shows in it."""
    return min(_once(arguments) for _ in range(runs))


def _once(arguments: tuple[str, ...]) -> float:
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_importing_inlay_is_quick() -> None:
    assert fastest("-c", "import inlay") - fastest("-c", "pass") < 0.050


def test_help_is_quick() -> None:
    assert fastest("-m", "inlay", "--help") < 0.200


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = "import sys, inlay; print(*[name for name in sys.modules if name.startswith('inlay.')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == []
    code = (
        "import sys; from inlay.cli.main import cli; print([n for n in ('rich', 'inlay.engine') if n in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["demo.py", "replies.py"])
def test_the_demonstrations_end_as_they_should(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INLAY_MODEL", raising=False)
    done = subprocess.run([sys.executable, ROOT / "examples" / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_locks_name_no_host() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        text = lock.read_text()
        assert "://" not in text
        assert "--index-url" not in text
        pins = [line for line in text.splitlines() if line and line[0].isalnum()]
        assert pins
        assert all("==" in line for line in pins)
