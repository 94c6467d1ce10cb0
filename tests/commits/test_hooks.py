"""`inlay commits install-hooks`, and the files that other tools start us by."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from inlay.cli.commands.commits.check import command as check
from inlay.cli.commands.commits.draft import command as draft

from .conftest import Repo, Run

ROOT = Path(__file__).parents[2]


def committed(repo: Repo, message: str, *options: str) -> subprocess.CompletedProcess[bytes]:
    """An empty commit as a person makes it, hooks and all."""
    command = ["git", "commit", "--allow-empty", "-m", message, *options]
    return subprocess.run(command, cwd=repo.root, capture_output=True, env=os.environ)


def existing(repo: Repo, script: str, folder: str = ".git/hooks") -> Path:
    hook = repo.root / folder / "commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)
    return hook


def test_git_holds_messages_to_the_rules(run: Run, repo: Repo) -> None:
    done = run("install-hooks")
    assert (done.code, "commit-msg: installed" in done.out) == (0, True)
    refused = committed(repo, "WIP: x")
    assert refused.returncode == 1
    assert b"[header-forbidden]" in refused.stdout + refused.stderr
    assert committed(repo, "WIP: x", "--no-verify").returncode == 0
    assert committed(repo, "Add x").returncode == 0
    assert "commit-msg: unchanged" in run("install-hooks").out
    assert not (repo.root / ".git/hooks/prepare-commit-msg").exists()


def test_removed_again(run: Run, repo: Repo) -> None:
    run("install-hooks", "--draft")
    done = run("install-hooks", "--remove")
    assert "commit-msg: removed" in done.out
    assert "prepare-commit-msg: removed" in done.out
    assert committed(repo, "WIP: x").returncode == 0
    assert "Nothing to do" in run("install-hooks", "--remove").out


@pytest.mark.slow
def test_a_hook_that_is_there_goes_on_first(run: Run, repo: Repo) -> None:
    hook = existing(repo, 'grep -q forbidden "$1" && exit 7; echo seen > seen')
    before = hook.read_bytes()
    assert "the former hook runs before it" in run("install-hooks").out
    assert committed(repo, "forbidden").returncode == 1
    assert not (repo.root / "seen").exists()
    assert committed(repo, "WIP: x").returncode == 1
    assert (repo.root / "seen").read_text() == "seen\n"
    assert committed(repo, "Add x").returncode == 0
    assert "is restored" in run("install-hooks", "--remove").out
    assert hook.read_bytes() == before
    assert os.access(hook, os.X_OK)


def test_no_room_for_a_second_hook_is_said_and_nothing_changes(run: Run, repo: Repo) -> None:
    hook = existing(repo, "true")
    (hook.parent / "commit-msg.before-inlay").write_text("somebody's")
    done = run("install-hooks", "--draft")
    assert (done.code, "move one of them away" in done.err) == (4, True)
    assert hook.read_text() == "#!/bin/sh\ntrue\n"
    assert not (hook.parent / "prepare-commit-msg").exists()


def test_the_directory_that_the_repository_names_is_used(run: Run, repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".githooks")
    said = json.loads(run("install-hooks", "--json").out)
    assert said["hooks"] == [{"name": "commit-msg", "action": "installed", "chained": False}]
    assert (repo.root / ".githooks/commit-msg").exists()
    assert committed(repo, "WIP: x").returncode == 1


def test_a_directory_for_all_repositories_is_left_alone(run: Run, repo: Repo) -> None:
    shared = repo.root.parent / "shared"
    (Path(os.environ["HOME"]) / ".gitconfig").write_text(f"[core]\n\thooksPath = {shared}\n")
    done = run("install-hooks")
    assert (done.code, "for all repositories" in done.err) == (4, True)
    assert not shared.exists()


def test_a_check_that_cannot_happen_does_not_pass(run: Run, repo: Repo) -> None:
    run("install-hooks", "--draft")
    for name in ("commit-msg", "prepare-commit-msg"):
        hook = repo.root / ".git/hooks" / name
        hook.write_text(re.sub(r"\[ -x \S+ \]", "[ -x /nowhere ]", hook.read_text()))
    (repo.root / "bin").mkdir()
    done = subprocess.run(
        ["git", "commit", "--allow-empty", "-m", "Add x"],
        cwd=repo.root,
        capture_output=True,
        env={**os.environ, "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 1
    assert b"inlay is not there any more, so the hook commit-msg did nothing" in done.stderr


def test_a_linked_worktree_shares_the_hooks(run: Run, repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    assert run("install-hooks", "-C", str(tmp_path / "tree")).code == 0
    assert committed(Repo(tmp_path / "tree"), "WIP: x").returncode == 1


@pytest.mark.parametrize("command", [check, draft])
def test_the_hook_files_name_options_that_there_are(command: object) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    options = {"check": "--message", "draft": "--hook"}
    name = command.name  # type: ignore[attr-defined]
    (hook,) = [each for each in hooks if each["entry"].startswith(f"inlay commits {name} ")]
    assert hook["entry"] == f"inlay commits {name} {options[name]}"
    assert any(options[name] in parameter.opts for parameter in command.params)  # type: ignore[attr-defined]
    assert hook["language"] == "python"


def test_the_action_checks_a_range_and_takes_nothing_from_outside_into_its_script(repo: Repo) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    *_, step = action["runs"]["steps"]
    assert "${{" not in step["run"]
    assert set(re.findall(r"\$\{?([A-Z]+)", step["run"])) <= set(step["env"])
    environ = {"RANGE": "", "PRESET": "", "BASE": repo.id("HEAD~3"), "HEAD": repo.id()}
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=repo.root,
        env={**os.environ, **environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "3 messages checked by plain: 2 pass, 1 fail." in done.stdout
