"""`check_commits`: check commit messages by the rules of the repository."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from msgspec import Meta

from inlay.render.verdict import verdict_brief
from inlay.tools import commit_arguments, schemas
from inlay.tools.arguments import ToolArguments, input_schema
from inlay.tools.tool import Annotations, Call, Tool

DESCRIPTION = """\
Check commit messages by the rules of this repository: a commit, a range, or with `message` one that is about to become
a commit. Without either, what is not yet upstream is checked. No model is asked and nothing is changed.
"""
_MOST = 100


class Arguments(ToolArguments, frozen=True):
    revision: commit_arguments.Revision | None = None
    message: Annotated[str, Meta(min_length=1, description="A message that is about to become a commit.")] | None = None


def run(call: Call) -> dict[str, Any]:
    """A verdict on every commit of a range, or on one message."""
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
        "passes": outcomes["passes"],
        "fails": outcomes["fails"],
        "unchecked": outcomes["unchecked"],
        "commits": [verdict_brief(verdict) for verdict in verdicts],
        "more": more,
    }


TOOL = Tool(
    name="check_commits",
    title="Check commit messages",
    description=DESCRIPTION,
    input_schema=input_schema(Arguments),
    output_schema=schemas.result(
        ("commit_check",),
        passes={"type": "integer"},
        fails={"type": "integer"},
        unchecked={"type": "integer"},
        commits={"type": "array", "items": {"type": "object"}},
        more={"type": "boolean", "description": "Whether commits follow that are not shown."},
    ),
    annotations=Annotations(read_only=True, idempotent=True),
    run=run,
    example='{"revision": "main..HEAD"}',
)
