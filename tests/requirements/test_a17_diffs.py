"""Diffs that are larger than a request, through `inlay commits`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from loopback import Seen

from .conftest import MODEL, Run, Serve, git

_ID = re.compile(r"^# Commit (\w+)$", re.MULTILINE)
_DIFF = re.compile(r"^\[begin diff (\w+) #(\w+)\]\n(.*?)^\[end diff #\2\]", re.MULTILINE | re.DOTALL)


@pytest.fixture
def repo(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as a repository with one commit, without anybody's configuration of git."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(project.parent))
    git(project, "init", "-q", "-b", "main")
    git(project, "config", "user.name", "Ada")
    git(project, "config", "user.email", "ada@example.org")
    commit(project, "Start")
    return project


def commit(repo: Path, message: str, files: dict[str, str | bytes] | None = None) -> str:
    for name, content in (files or {}).items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    git(repo, "add", ".")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)
    return git(repo, "rev-parse", "HEAD").strip()


def text(topic: str, lines: int) -> str:
    return "".join(f"line {number} about {topic}\n" for number in range(lines))


def plans(run: Run, *arguments: str) -> list[dict[str, Any]]:
    done = run("commits", "plan", *arguments, "--json")
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def diff_of(repo: Path, revision: str = "HEAD") -> str:
    return git(repo, "diff-tree", "-p", "-r", "-M", "--full-index", f"{revision}^", revision)


# --- a model that answers by a rule that a test can foresee ---------------------------------------------------------


def asked_about(seen: Seen) -> list[str]:
    return _ID.findall(seen.messages[0][1])


def shown(seen: Seen) -> dict[str, str]:
    """The diff of every commit in a request."""
    return {name: diff for name, _, diff in _DIFF.findall(seen.messages[0][1])}


def is_merge(seen: Seen) -> bool:
    return "[begin part " in seen.messages[0][1]


def answer(seen: Seen) -> str:
    """An error for every added line with HIDDEN in it; a message that names the files of the diff."""
    if '"issues"' in seen.system:
        return json.dumps({"commits": [verdict(name, shown(seen).get(name, "")) for name in asked_about(seen)]})
    return json.dumps({"commits": [wording(seen, name) for name in asked_about(seen)]})


def verdict(name: str, diff: str) -> dict[str, Any]:
    hidden = re.findall(r"^\+.*HIDDEN (\w+)", diff, re.MULTILINE)
    issues = [{"rule": "leaves-out", "severity": "error", "explanation": f"It hides {what}."} for what in hidden]
    suggestion = f"Say {' and '.join(hidden)}" if hidden else None
    return {"id": name, "summary": "It changes things.", "issues": issues, "suggestion": suggestion}


def wording(seen: Seen, name: str) -> dict[str, Any]:
    files = re.findall(r"^diff --git a/(\S+)", shown(seen).get(name, ""), re.MULTILINE)
    message = f"Merge {seen.number}" if is_merge(seen) else f"Say {' '.join(files)[:40]}"
    return {"id": name, "summary": "s", "message": message}


# --- the whole diff first ------------------------------------------------------------------------------------------

FILES: dict[str, str | bytes] = {f"{folder}/f.txt": text(folder, 400) for folder in ("one", "two", "three")}


def test_a_diff_is_whole_up_to_the_very_budget(repo: Path, run: Run) -> None:
    commit(repo, "Add three files", FILES)
    (plan,) = plans(run, "HEAD", "--budget", "1000000")
    budget = plan["tokens"]
    (plan,) = plans(run, "HEAD", "--budget", str(budget))
    (chunk,) = plan["chunks"]
    assert "".join(file["diff"] for file in chunk["files"]) == diff_of(repo)
    assert plan["requests"] == 1
    (plan,) = plans(run, "HEAD", "--budget", str(budget - 1))
    assert len(plan["chunks"]) > 1


def smallest_context(run: Run, serve: Serve) -> int:
    """The smallest context of a model for which the last commit is not split."""
    low, high = 12_000, 200_000
    while low < high:
        middle = (low + high) // 2
        with serve(context=middle, max_output=4_000):
            (plan,) = plans(run, "HEAD", "--model", MODEL)
        low, high = (low, middle) if len(plan["chunks"]) == 1 else (middle + 1, high)
    return low


COMMANDS = pytest.mark.parametrize(
    "arguments", [["check", "HEAD", "--ai"], ["amend", "HEAD", "--yes"], ["draft"]], ids=["check", "amend", "draft"]
)


def requests(repo: Path, run: Run, serve: Serve, arguments: list[str], context: int) -> list[Seen]:
    """What a command sends about the last commit, or about the same changes before they are committed."""
    if arguments == ["draft"]:
        git(repo, "reset", "-q", "--soft", "HEAD~1")
    with serve(answer, context=context, max_output=4_000) as server:
        assert run("commits", *arguments).code == 0
    return server.seen


@COMMANDS
def test_one_request_holds_the_whole_diff_where_it_fits(
    repo: Path, run: Run, serve: Serve, arguments: list[str]
) -> None:
    commit(repo, "Add three files", FILES)
    whole, context = diff_of(repo), smallest_context(run, serve)
    (plan,) = plans(run, "HEAD", "--model", MODEL)
    assert context - plan["tokens"] <= 12_000  # for the answer and the words of the request
    sent = requests(repo, run, serve, arguments, context)
    assert [list(shown(seen).values()) for seen in sent] == [[whole]]


@COMMANDS
def test_one_token_more_and_it_is_split(repo: Path, run: Run, serve: Serve, arguments: list[str]) -> None:
    commit(repo, "Add three files", FILES)
    whole, context = diff_of(repo), smallest_context(run, serve)
    sent = requests(repo, run, serve, arguments, context - 1)
    parts = [diff for seen in sent for diff in shown(seen).values()]
    assert len(parts) > 1
    assert sorted(added(*parts)) == sorted(added(whole))


def added(*diffs: str) -> list[str]:
    lines = [line for diff in diffs for line in diff.splitlines()]
    return [line for line in lines if line.startswith("+") and not line.startswith("+++")]
