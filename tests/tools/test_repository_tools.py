"""The tools about design documents and commits."""

import subprocess
from pathlib import Path

import pytest

from inlay.tools import Toolbox

SPEC = """\
# Greeting

## Files Changed

| File | Change | Description |
|---|---|---|
| `a.py` | Modify | greet by name |
| `none.py` | Modify | not there |

## Requirements

1. The greeting has a name.

## Verification & Testing

| Id | Scenario | Requirement |
|---|---|---|
| T1 | greet("Ann") says Ann | 1 |
"""


@pytest.fixture
def repository(project: Path) -> Path:
    def git(*arguments: str) -> None:
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
        subprocess.run(command, cwd=project, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "Begin")
    (project / "a.py").write_text("x = 1\n")
    git("commit", "-q", "-a", "-m", "x" * 200)
    return project


def test_a_document_is_judged_from_a_file_or_as_text(box: Toolbox, project: Path) -> None:
    (project / "design.md").write_text(SPEC)
    structured = box.call("check_spec", {"path": "design.md"}).structured
    assert structured["kind"] == "spec"
    assert structured["status"] == "blocked"
    assert any("none.py" in finding["message"] and finding["line"] for finding in structured["findings"])
    same = box.call("check_spec", {"text": SPEC}).structured
    assert same["findings"] == structured["findings"]


@pytest.mark.parametrize("arguments", [{}, {"path": "a.py", "text": "x"}, {"path": "none.md"}, {"path": "../x.md"}])
def test_a_document_must_be_there(box: Toolbox, arguments: dict[str, str]) -> None:
    assert box.call("check_spec", arguments).is_error


def test_commits_are_planned_within_a_budget(repository: Path) -> None:
    structured = Toolbox(repository).call("plan_commits", {"revision": "main", "budget": 100}).structured
    assert structured["kind"] == "commit_plan"
    assert structured["commits"][0]["chunks"][0]["files"] == ["a.py"]
    assert structured["more"] is False


def test_messages_are_checked(repository: Path) -> None:
    box = Toolbox(repository)
    structured = box.call("check_commits", {"revision": "main"}).structured
    assert structured["kind"] == "commit_check"
    assert structured["fails"] + structured["passes"] == 1
    assert structured["commits"][0]["issues"]
    assert box.call("check_commits", {}).structured["kind"] == "commit_check"
    one = box.call("check_commits", {"message": "Greet people by name\n"}).structured
    assert one["passes"] == 1


@pytest.mark.parametrize("revision", ["nonsense", "--output=x", "a\0b", "\ud800", "HEAD\n"])
@pytest.mark.parametrize("tool", ["plan_commits", "check_commits"])
def test_what_names_no_commit_is_refused(repository: Path, tool: str, revision: str) -> None:
    outcome = Toolbox(repository).call(tool, {"revision": revision})
    assert outcome.is_error
    assert outcome.structured["code"] == "unknown-commit", outcome.text


def test_outside_a_repository_that_is_said(box: Toolbox) -> None:
    assert box.call("check_commits", {"revision": "HEAD"}).is_error
    assert box.call("plan_commits", {"revision": "HEAD"}).is_error
