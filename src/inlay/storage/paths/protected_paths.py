"""Which paths are protected: private directories of tools, secrets, and whatever is executed or obeyed later.

The rules go by names alone, so a file that does not exist yet is protected too. They can be changed in the user's own
configuration directory or by the caller, never in the project that is edited.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import lru_cache
from pathlib import Path

from inlay.errors import EnvironmentFailure
from inlay.model.file import RepoPath
from inlay.model.protection import Policy, Protection
from inlay.storage.config import user_files
from inlay.storage.paths import path_names
from inlay.storage.state import record_codec

_SECRET = "a place for secrets"
_CI = "run by a build service with its secrets"
_HOOK = "run by git or a hook manager"
_EDITOR = "run or obeyed by an editor"
_AGENT = "obeyed by coding agents"
_STARTED = "run when a program starts"

_DENY = {
    _SECRET: ".env .env.* .git-credentials .netrc _netrc .pgpass .pypirc .htpasswd .vault-token .ssh/ .gnupg/ .aws/ "
    ".kube/ .docker/config.json id_rsa id_dsa id_ecdsa id_ed25519 *.kdbx",
}
_APPROVE = {
    _SECRET: "*.pem *.key *.p12 *.pfx *.jks *.keystore *.ppk credentials.json secrets.json secrets.y*ml secrets.toml "
    "service-account*.json .npmrc .yarnrc .yarnrc.yml",
    _CI: ".github/workflows/ .github/actions/ .gitlab-ci.y*ml .gitlab/ .circleci/ .buildkite/ .woodpecker/ "
    ".woodpecker.y*ml .teamcity/ .drone.y*ml .travis.y*ml .appveyor.y*ml appveyor.y*ml azure-pipelines*.y*ml "
    "bitbucket-pipelines.y*ml cloudbuild.y*ml Jenkinsfile .forgejo/workflows/ .gitea/workflows/ .azuredevops/ "
    "CODEOWNERS dependabot.y*ml",
    _HOOK: ".husky/ .githooks/ .lefthook/ lefthook.y*ml .lefthook.y*ml .pre-commit-config.y*ml .pre-commit-hooks.y*ml "
    ".overcommit.yml .gitmodules .gitattributes .gitconfig hooks/pre-commit hooks/pre-push hooks/post-checkout "
    "hooks/post-merge hooks/commit-msg",
    _EDITOR: ".vscode/ .idea/ .zed/ .fleet/ .devcontainer/ .devcontainer.json *.code-workspace .vimrc .exrc .nvimrc "
    ".nvim.lua .dir-locals.el .sublime-project *.sublime-project",
    _AGENT: "AGENTS.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md .claude/ .cursor/ .cursorrules .mcp.json "
    "mcp.json .codex/ .gemini/ .windsurf/ .windsurfrules .clinerules .clinerules/ .roo/ .roorules .continue/ .kiro/ "
    ".junie/ .amazonq/ .goosehints .aider* .github/copilot-instructions.md .github/instructions/ .github/prompts/ "
    ".github/chatmodes/ .github/agents/ .opencode/ .augment/ .trae/ .inlay.toml",
    _STARTED: ".envrc .bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .mise.toml mise.toml "
    ".tool-versions sitecustomize.py usercustomize.py *.pth .pdbrc .gdbinit .lldbinit .irbrc .pryrc .inputrc",
}


# The first that matches decides. Templates hold no secrets, and people ask for them.
_BUILT_IN = (
    (".env.example .env.sample .env.template .env.dist .env.defaults .env.*.example", Protection()),
    *((patterns, Protection("deny", reason)) for reason, patterns in _DENY.items()),
    *((patterns, Protection("approve", reason)) for reason, patterns in _APPROVE.items()),
)


def judge(path: RepoPath, policy: Policy) -> Protection:
    """How `path` is protected; a tool's private directory is denied whatever the policy says."""
    if step := next((step for step in path.value.split("/") if path_names.is_metadata(step)), None):
        return Protection("deny", f"part of {step!r}, which belongs to a tool and not to the project")
    # As the most lenient file system reads the name: no case, no final dots and blanks, no look-alikes.
    steps = unicodedata.normalize("NFKC", path.value).casefold().split("/")
    folded = "/".join(step.rstrip(". ") or step for step in steps)
    chosen: tuple[tuple[str | tuple[str, ...], Protection], ...] = (
        (policy.deny, Protection("deny", "denied by your configuration")),
        (policy.allow, Protection()),
        (policy.approve, Protection("approve", "protected by your configuration")),
    )
    for patterns, protection in (*chosen, *_BUILT_IN):
        if patterns and _compiled(patterns).search(folded):
            return protection
    return Protection()


@lru_cache(maxsize=64)
def _compiled(patterns: str | tuple[str, ...]) -> re.Pattern[str]:
    """As .gitignore matches: a name anywhere, with a slash before it from the root, a directory with all below it."""
    expressions = []
    for pattern in patterns.split() if isinstance(patterns, str) else patterns:
        start = "^" if pattern.startswith("/") else "(?:^|/)"
        steps = re.escape(pattern.casefold().strip("/")).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
        expressions.append(f"{start}{steps}(?:/|$)")
    return re.compile("|".join(expressions))


def configured(root: Path) -> Policy:
    """The user's own policy; a file inside the project is not the user's."""
    file = user_files.config_home(os.environ) / "inlay" / "protection.toml"
    lists = None if user_files.is_inside(file, root) else user_files.read_toml(file)
    for key, value in (lists or {}).items():
        # A misspelt key would leave unprotected what the user believes protected.
        if key not in ("allow", "approve", "deny"):
            raise EnvironmentFailure(f"{file}: {key!r} is none of allow, approve, deny")
        if not isinstance(value, list) or not all(isinstance(pattern, str) for pattern in value):
            raise EnvironmentFailure(f"{file}: {key!r} must be a list of patterns")
    return record_codec.convert(lists, Policy) if lists else Policy()
