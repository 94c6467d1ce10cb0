"""The stages from a range of commits to verdicts or messages, and their order.

    range     git.history.list_commits                    the commits of a revision, parents first
    commits   check_rules.read_commits                    their objects
    diffs     git.history.diffs                           what each changes
    chunks    chunk_plan.plan_commits                     each diff split to the budget of a request
    requests  requests.group                              commits that share a request
    answers   requests.answers                            several requests at once, in the commits' order
    merge     review.merge_reviews, reword.merge_messages one verdict or message from the answers for all parts
    rewrite   rewrite.plan, rewrite.carry_out             the messages into the history

Each stage is a generator over the one before it, so that few diffs are in memory at a time. Only the last one writes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace

from inlay.commits.check_rules import check_commits
from inlay.commits.chunk_plan import CommitPlan, plan_commits, plan_diff
from inlay.commits.messages import Ruleset
from inlay.commits.requests import PlannedCommit, answers, group
from inlay.commits.review import ReviewQuestion, merge_reviews
from inlay.commits.reword import MessageQuestion, merge_messages
from inlay.commits.session import CommitSession
from inlay.commits.style_guide import style_guide
from inlay.git.history import CommitPair
from inlay.model.commit import Commit, Person, Verdict, joined
from inlay.model.history_rewrite import NewMessage

_STAGED = Commit("staged", "", (), Person("", ""), Person("", ""), "")


async def review(session: CommitSession, commits: Sequence[Commit], rules: Ruleset) -> AsyncIterator[Verdict]:
    """A verdict on every commit, in order, by the rules and by the model; exempt commits are not asked about."""
    by_rules = list(check_commits(commits, rules))
    asked = [commit for commit, verdict in zip(commits, by_rules, strict=True) if not verdict.exempt]
    asker, writer = session.asker(ReviewQuestion(session.blocks)), session.asker(_question(session, asked, rules))
    groups = group(_planned(session, asked), session.plan.capacity)
    verdicts = merge_reviews(answers(groups, asker), writer)
    for verdict in by_rules:
        yield verdict if verdict.exempt else joined(verdict, await anext(verdicts))


async def reword(session: CommitSession, commits: Sequence[Commit], rules: Ruleset) -> AsyncIterator[NewMessage]:
    """A message for every commit, in order, or why there is none."""
    asker = session.asker(_question(session, commits, rules))
    groups = group(_planned(session, commits), session.plan.capacity)
    async for message in merge_messages(answers(groups, asker), asker):
        yield message


async def reword_diff(
    session: CommitSession, diff: bytes, author: Person | None, rules: Ruleset
) -> AsyncIterator[NewMessage]:
    """A message for a diff that is not a commit yet."""

    def plan(capacity: int) -> CommitPlan:
        return plan_diff(_STAGED.id, diff, replace(session.plan, capacity=capacity))

    commit = replace(_STAGED, author=author or _STAGED.author)
    planned = PlannedCommit(commit, plan(session.plan.capacity), plan, session.truncator)
    asker = session.asker(_question(session, [], rules))
    async for message in merge_messages(answers(iter([(planned,)]), asker), asker):
        yield message


def _question(session: CommitSession, commits: Sequence[Commit], rules: Ruleset) -> MessageQuestion:
    return MessageQuestion(session.blocks, style_guide(session.repo, commits, rules, session.truncator), rules)


def _planned(session: CommitSession, commits: Sequence[Commit]) -> Iterator[PlannedCommit]:
    pairs = [CommitPair(commit.id, *commit.parents[:1]) for commit in commits]
    plans = plan_commits(session.repo, pairs, session.plan)
    for commit, pair, plan in zip(commits, pairs, plans, strict=True):

        def replan(capacity: int, pair: CommitPair = pair) -> CommitPlan:
            return next(plan_commits(session.repo, [pair], replace(session.plan, capacity=capacity)))

        yield PlannedCommit(commit, plan, replan, session.truncator)
