"""Which paths are guarded, and who may change that."""

from pathlib import Path

import pytest

from inlay import Change, ChangeSet, Create, EnvironmentFailure, PathTraversalError, Reading, RepoPath, Workspace
from inlay.model.protection import Policy

DENIED = ".env .ENV .env.production app/.env .env.local.bak .git-credentials .netrc deploy/id_rsa .ssh/config .aws/x"
GUARDED = (
    ".github/workflows/ci.yml .GitHub/Workflows/ci.yml .gitlab-ci.yml sub/.gitlab-ci.yml .circleci/config.yml "
    "Jenkinsfile .gitmodules .gitattributes .husky/pre-commit .pre-commit-config.yaml .vscode/tasks.json "
    ".idea/x.xml .devcontainer/devcontainer.json .cursor/mcp.json .mcp.json AGENTS.md docs/CLAUDE.md claude.md "
    ".claude/settings.json .envrc key.pem sitecustomize.py .npmrc .inlay.toml"
)
FREE = (
    "src/app.py .gitignore .gitkeep .env.example .env.staging.example package.json Makefile docs/.github-notes.md "
    "my.git.notes.txt src/git.py .hidden github/workflows/x.yml environment.py .editorconfig src/keys.py AGENTS.txt "
    "..foo src/agents.mdx .github/ISSUE_TEMPLATE.md"
)


@pytest.mark.parametrize(
    ("names", "level"), [(DENIED, "deny"), (GUARDED, "approve"), (FREE, "none")], ids=["deny", "approve", "none"]
)
def test_built_in_rules(tmp_path: Path, names: str, level: str) -> None:
    workspace = Workspace(tmp_path, policy=Policy())
    found = {name: workspace.protection(RepoPath(name)).level for name in names.split()}
    assert found == dict.fromkeys(names.split(), level)
    assert all((workspace.protection(RepoPath(name)).reason == "") is (level == "none") for name in names.split())


@pytest.mark.parametrize(
    "name",
    [".git/config", "src/.git", ".GIT/x", ".git./x", ".git /x", "GIT~1/x", "．git/x", ".hg/hgrc", ".inlay/log/head"],
)
def test_private_directories_of_tools_are_closed_whatever_the_policy_says(tmp_path: Path, name: str) -> None:
    workspace = Workspace(tmp_path, policy=Policy(allow=("*",)))
    assert workspace.protection(RepoPath(name)).level == "deny"


def test_what_is_denied_is_neither_resolved_nor_written(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    with pytest.raises(PathTraversalError, match="a place for secrets"):
        workspace.resolve(Reading("x", (Create(".env", ""),)))
    with pytest.raises(PathTraversalError, match="a place for secrets"):
        workspace.locate("app/.env")
    with pytest.raises(PathTraversalError, match="a place for secrets"):
        workspace.commit(ChangeSet((Change(RepoPath(".env"), None, "KEY=1\n"),)))
    with pytest.raises(PathTraversalError, match=r"\.git"):
        workspace.commit(ChangeSet((Change(RepoPath("src/.git/config"), None, ""),)))
    assert not (tmp_path / ".env").exists()


def test_a_caller_may_set_the_policy(tmp_path: Path) -> None:
    policy = Policy(allow=(".env.test", "CLAUDE.md"), approve=("infra/",), deny=("/vendor/*.js",))
    workspace = Workspace(tmp_path, policy=policy)
    levels = {name: workspace.protection(RepoPath(name)).level for name in (
        ".env.test", "CLAUDE.md", ".env", "a/infra/main.tf", "vendor/x.js", "a/vendor/x.js", "vendor/x.ts"
    )}  # fmt: skip
    assert levels == {
        ".env.test": "none",
        "CLAUDE.md": "none",
        ".env": "deny",
        "a/infra/main.tf": "approve",
        "vendor/x.js": "deny",
        "a/vendor/x.js": "none",
        "vendor/x.ts": "none",
    }


@pytest.fixture
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = tmp_path / "config/inlay/protection.toml"
    file.parent.mkdir(parents=True)
    return file


def test_the_users_own_configuration_counts(tmp_path: Path, configuration: Path) -> None:
    configuration.write_text('deny = ["*.lock"]\nallow = [".envrc"]\n')
    (tmp_path / "project").mkdir()
    workspace = Workspace(tmp_path / "project")
    assert workspace.protection(RepoPath("uv.lock")).level == "deny"
    assert workspace.protection(RepoPath(".envrc")).level == "none"


def test_a_configuration_inside_the_project_does_not_count(tmp_path: Path, configuration: Path) -> None:
    configuration.write_text('allow = ["*"]\n')
    assert Workspace(tmp_path).protection(RepoPath(".env")).level == "deny"


@pytest.mark.parametrize("text", ["alow = []", "deny = 3", "deny = [1]", "deny = ["])
def test_a_configuration_that_cannot_be_meant_is_an_error(tmp_path: Path, configuration: Path, text: str) -> None:
    configuration.write_text(text)
    (tmp_path / "project").mkdir()
    with pytest.raises(EnvironmentFailure, match=r"protection\.toml"):
        Workspace(tmp_path / "project")
