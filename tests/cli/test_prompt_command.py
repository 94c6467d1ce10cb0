"""`inlay prompt` shows what would be sent, to the letter."""

import json
from pathlib import Path

import pytest

from loopback import Loopback

from .conftest import Run


def test_the_prompts_are_listed_and_shown(run: Run) -> None:
    listed = run("prompt")
    assert listed.code == 0
    assert "retry" in listed.out
    names = [each["name"] for each in json.loads(run("prompt", "--json").out)]
    for name in names:
        shown = run("prompt", name)
        assert (shown.code, "=== system ===" in shown.out) == (0, True)
    assert run("prompt", "nonsense").code == 2
    assert run("prompt", "retry", "--file", "notes.txt").code == 2
    assert run("prompt", "edit", "--file", "notes.txt", "--format", "nonsense").code == 2


def test_what_is_shown_is_what_is_sent(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "AGENTS.md").write_text("Be brief.\n")
    arguments = ["-m", "make it three", "--context", "notes.txt", "--model", "anthropic:claude-test"]
    shown = run("prompt", "edit", "--file", "src/app.py", *arguments, "--json")
    assert shown.code == 0, shown.err
    (prompt,) = json.loads(shown.out)
    with Loopback("no edits") as server:
        for name, value in server.environ("anthropic").items():
            monkeypatch.setenv(name, value)
        run("edit", "src/app.py", *arguments, "--max-attempts", "1")
    assert server.seen[0].system == prompt["system"]
    assert server.seen[0].messages == [(each["role"], each["text"]) for each in prompt["messages"]]


def test_a_prompt_needs_no_key_and_can_be_forced_to_whole_files(run: Run, project: Path) -> None:
    (project / "big.py").write_text("x = 1\n" * 600)
    assert "big.py: answer with edits." in run("prompt", "edit", "--file", "big.py", "-m", "x").out
    assert "big.py: answer with the whole file." in run("prompt", "whole", "--file", "big.py", "-m", "x").out


@pytest.mark.parametrize(
    ("content", "how"),
    [
        ("x\n" * 500, "the whole file"),
        ("x\n" * 501, "edits"),
        ("x" * 14_999 + "\n", "the whole file"),
        ("x" * 15_000 + "\n", "edits"),
        ("x = 1\n" * 100, "the whole file"),
    ],
    ids=["500-lines", "501-lines", "15000-bytes", "15001-bytes", "small"],
)
def test_size_decides_how_a_file_is_asked_for(run: Run, project: Path, content: str, how: str) -> None:
    (project / "a.txt").write_text(content)
    assert f"a.txt: answer with {how}." in run("prompt", "edit", "--file", "a.txt", "-m", "x").out


@pytest.mark.parametrize("format", ["find_replace", "search_replace", "unified_diff", "json_edits", "apply_patch"])
def test_the_request_for_edits_carries_the_rules_of_its_format(run: Run, project: Path, format: str) -> None:
    (project / "a.txt").write_text("x\n" * 501)
    taught = run("formats", format).out
    asked = run("prompt", "edit", "--file", "a.txt", "-m", "x", "--format", format, "--json").out
    assert taught.strip() in json.loads(asked)[0]["system"]
