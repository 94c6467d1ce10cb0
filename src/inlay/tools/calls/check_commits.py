"""`check_commits`: commit messages held to the rules of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from inlay.tools import commit_arguments, schemas
from inlay.tools.arguments import ToolArguments, input_schema
from inlay.tools.tool import Annotations, Call, Tool

if TYPE_CHECKING:
    from inlay.model.commit import Verdict

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
    with open_repository(root) as repo:
        rules = check_rules.rules_for(repo, commit_arguments.settings(root))
        if message is not None:
            return _told([check_rules.check_text(cleaned(message, "#"), rules)], more=False)
        pairs = list_commits(repo, commit_arguments.require_plain(revision) if revision else None)
        commits = check_rules.read_commits(repo, [pair.commit for pair in pairs[:_MOST]])
        return _told(list(check_rules.check_commits(commits, rules)), more=len(pairs) > _MOST)


def _told(verdicts: list[Verdict], *, more: bool) -> dict[str, Any]:
    counts = {name: sum(each.outcome == name for each in verdicts) for name in ("passes", "fails", "unchecked")}
    return {"kind": "commit_check", **counts, "commits": [_verdict(each) for each in verdicts], "more": more}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    issues = [
        {"rule": issue.rule, "severity": issue.severity, "line": issue.line, "message": issue.explanation}
        for issue in verdict.issues
    ]
    return {
        "commit": verdict.commit,
        "subject": verdict.subject,
        "outcome": verdict.outcome,
        "issues": issues,
        **({"unchecked": list(verdict.unchecked)} if verdict.unchecked else {}),
        **({"exempt": verdict.exempt} if verdict.exempt else {}),
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
