"""`plan_commits`: how the diffs of commits would be split into requests to a model."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

from msgspec import Meta

from inlay.tools import commit_arguments, schemas
from inlay.tools.arguments import ToolArguments, tool
from inlay.tools.tool import Call

DESCRIPTION = """\
See how the diffs of commits would be sent to a model within a budget of tokens: whole where they fit, else split at
files, hunks and lines and packed into chunks. Nothing is sent. Without `budget`, 100,000 tokens of diff go into one.
"""
_MOST_COMMITS = 50
_DEFAULT_BUDGET = 100_000


class Arguments(ToolArguments, frozen=True):
    revision: commit_arguments.Revision
    budget: Annotated[int, Meta(ge=100, description="Tokens of diff in one request.")] = _DEFAULT_BUDGET


@tool(
    "Plan what is asked about commits",
    DESCRIPTION,
    Arguments,
    output=schemas.result(
        ("commit_plan",),
        capacity={"type": "integer"},
        commits={"type": "array", "items": {"type": "object"}},
        more={"type": "boolean", "description": "Whether commits follow that are not shown."},
    ),
    example='{"revision": "main..HEAD", "budget": 20000}',
    read_only=True,
)
def plan_commits(call: Call) -> dict[str, Any]:
    from inlay.commits.chunk_plan import PlanOptions, plan_range
    from inlay.git.repository import open_repository
    from inlay.render.commit_plan import commit_plan_brief

    revision = commit_arguments.require_plain(call.arguments.revision)
    ignore = commit_arguments.settings(str(call.workspace.root)).texts("commits.ignore")
    options = PlanOptions.of(None, call.arguments.budget, ignore)
    with open_repository(str(call.workspace.root)) as repo:
        plans = plan_range(repo, revision, options)
        shown = [commit_plan_brief(plan) for plan in islice(plans, _MOST_COMMITS)]
        more = next(plans, None) is not None
    return {"kind": "commit_plan", "capacity": options.capacity, "commits": shown, "more": more}
