"""`check_commits`: check commit messages by the rules of the repository."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from msgspec import Meta

from inlay.render.verdict import verdict_brief
from inlay.tools import commit_arguments, schemas
from inlay.tools.arguments import ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
Check commit messages by the rules of this repository: a commit, a range, or with `message` one that is about to become
a commit. Without either, what is not yet upstream is checked. No model is asked and nothing is changed.
"""
_MOST = 100


class Arguments(ToolArguments, frozen=True):
    revision: commit_arguments.Revision | None = None
    message: Annotated[str, Meta(min_length=1, description="A message that is about to become a commit.")] | None = None


@tool(
    "Check commit messages",
    DESCRIPTION,
    Arguments,
    output=schemas.result(
        ("commit_check",),
        passes={"type": "integer"},
        fails={"type": "integer"},
        unchecked={"type": "integer"},
        commits={"type": "array", "items": {"type": "object"}},
        more={"type": "boolean", "description": "Whether commits follow that are not shown."},
    ),
    example='{"revision": "main..HEAD"}',
    read_only=True,
)
def check_commits(call: Call) -> dict[str, Any]:
    from inlay.commits import check_rules
    from inlay.commits.messages import cleaned
    from inlay.git.history import list_commits
    from inlay.git.repository import open_repository

    root = str(call.workspace.root)
    message, revision = call.arguments.message, call.arguments.revision
    more = False
    with open_repository(root) as repo:
        rules = check_rules.rules_for(repo, commit_arguments.settings(root))
        if message is not None:
            verdicts = [check_rules.check_text(cleaned(message, "#"), rules)]
        else:
            pairs = list_commits(repo, commit_arguments.require_plain(revision) if revision else None)
            commits = check_rules.read_commits(repo, [pair.commit for pair in pairs[:_MOST]])
            verdicts, more = list(check_rules.check_commits(commits, rules)), len(pairs) > _MOST
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    return {
        "kind": "commit_check",
        **{outcome: outcomes[outcome] for outcome in ("passes", "fails", "unchecked")},
        "commits": [verdict_brief(verdict) for verdict in verdicts],
        "more": more,
    }
