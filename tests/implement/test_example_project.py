"""The sample project for the workflow: its document is sound, its tests are red before and green after."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import inlay
from inlay.implement.gate.check_document import check
from inlay.implement.spec.document import Spec
from inlay.implement.spec.parse_document import parse
from inlay.implement.spec.traceability import trace
from inlay.implement.test_quality.empty_tests import find_empty_tests, names_of_tests
from inlay.implement.testing.red_check import judge
from inlay.implement.testing.run_suite import run_tests, setup
from inlay.model.settings import Settings

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ANSWER = Path(__file__).parent / "grille"


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "grille"
    shutil.copytree(ROOT / "examples/grille", root, ignore=shutil.ignore_patterns("__pycache__", ".inlay"))
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


@pytest.fixture
def spec(project: Path) -> Spec:
    return parse((project / "design.md").read_text(), "design.md")


def test_the_document_passes_and_says_what_it_must(project: Path, spec: Spec) -> None:
    assert check(spec, inlay.Workspace(project)) == ()
    assert [(file.path, file.change) for file in spec.files] == [
        ("grille/table.py", "modify"),
        ("grille/summary.py", "add"),
        ("grille/totals.py", "delete"),
        ("tests/test_summary.py", "add"),
    ]
    assert all(each.tests and each.said for each in trace(spec))
    table = (project / "grille/table.py").read_text()
    assert len(table.splitlines()) > 500
    assert len(table.encode()) > 15_000


def test_the_tests_are_those_of_the_plan_and_none_is_hollow(spec: Spec) -> None:
    text = (ANSWER / "tests_of_summary.py").read_text()
    assert names_of_tests("tests/test_summary.py", text) == tuple(test.name for test in spec.tests)
    assert find_empty_tests("tests/test_summary.py", text) == ()


def test_red_before_and_green_after(project: Path, spec: Spec) -> None:
    how = setup(spec.plan, Settings.of())
    assert how.timeout == 60
    shutil.copy(ANSWER / "tests_of_summary.py", project / "tests/test_summary.py")
    before = run_tests(str(project), how)
    assert judge(before, spec).state == "red"
    assert before.failing == {"tests/test_summary.py"}
    assert len(before.passing) == 14

    inlay.land((ANSWER / "table_edits.txt").read_text(), inlay.Workspace(project))
    half = run_tests(str(project), how, spec.test_files)
    assert judge(half, spec).state == "red"

    shutil.copy(ANSWER / "summary.py", project / "grille/summary.py")
    (project / "grille/totals.py").unlink()
    kept = [file.path for file in spec.code_files if file.change != "delete"]
    after = run_tests(str(project), how, measure=kept)
    assert after.ok, after.output
    assert len(after.passing) == 26
    assert after.coverage is not None
    assert [(file.path, file.percent > 80) for file in after.coverage.files] == [(path, True) for path in kept]
    assert after.coverage.files[-1].percent == 100
