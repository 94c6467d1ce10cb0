"""An answer that begins with the example of our own prompt, as small models write it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from inlay import FORMATS, ImplementationError, RepoPath, Task, Update, Workspace, generate, read
from inlay.generation.allowed_files import confined
from inlay.llm import open_model
from inlay.model.settings import Settings
from loopback import Loopback

RIGHT = "calc.py\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n"
TASK = Task(("calc.py",), "Fix the addition.")


def example() -> str:
    """What stands between the first and the second paragraph of words."""
    prompt = FORMATS["search_replace"].prompt
    return prompt[prompt.index("src/prices.py") : prompt.index("Rules:")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    return tmp_path


def asked(project: Path, *answers: str) -> Loopback:
    with Loopback(*answers) as server:
        generate(
            TASK, Workspace(project), open_model("anthropic:claude-test", Settings.of(), server.environ("anthropic"))
        )
    return server


def test_the_example_is_passed_over_and_the_edit_lands(project: Path) -> None:
    server = asked(project, example() + RIGHT)
    assert (project / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"
    assert len(server.seen) == 1
    assert not (project / "src").exists()


def test_an_edit_of_that_file_that_is_not_the_example_is_refused_as_any_other(project: Path) -> None:
    other = example().replace("item.count", "item.weight")
    server = asked(project, other + RIGHT, RIGHT)
    assert len(server.seen) == 2
    assert "src/prices.py" in server.seen[1].last


def test_nothing_but_the_example_is_no_answer(project: Path) -> None:
    with pytest.raises(ImplementationError):
        asked(project, *[example()] * 3)
    assert (project / "calc.py").read_text() == "def add(a, b):\n    return a - b\n"


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_of_every_format_is_known_again(name: str) -> None:
    shown = read(FORMATS[name].prompt, name)
    wanted = Update("calc.py", ())
    reading = replace(shown, parts=(*(part for part in shown.parts if part.path), wanted))
    assert confined(reading, [RepoPath("calc.py")], None) == ((wanted,), ())
