"""Check, draft, amend and undo commit messages: what the commands call, and programs may call.

A repository is named by any directory in it. `settings` are by default those that are configured for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from inlay.commits import pipeline, rewrite
from inlay.commits.check_rules import check_commits, check_text, read_commits, rules_for
from inlay.commits.commit_events import AskEnded, AskStarted, CommitDone, CommitEvent, OnCommitEvent, RulesRead
from inlay.commits.messages import Ruleset, cleaned
from inlay.commits.session import CommitSession, open_session
from inlay.errors import EnvironmentFailure, NeedsDecision, UnknownCommit
from inlay.git import repository, rewrite_refs
from inlay.git.history import list_commits, staged_diff
from inlay.git.repository import Repository, open_repository
from inlay.llm import Model
from inlay.model.commit import SHORT, Commit, Verdict
from inlay.model.history_rewrite import Allowed, Backup, NewMessage, RewritePlan
from inlay.model.settings import Settings
from inlay.storage.config import load_settings

_Result = TypeVar("_Result", bound=Verdict | NewMessage)
#: A model, the name of one, None for the one that is configured; or a function that opens one when it is needed.
ModelSource: TypeAlias = Model | str | Callable[[], Model] | None
#: New messages by commit id, or a function that writes them for the commits it is given, oldest first.
Messages: TypeAlias = Mapping[str, str] | Callable[[Sequence[Commit]], Mapping[str, str]]
#: Which of the proposed messages are accepted, perhaps changed.
Decide: TypeAlias = Callable[[Sequence[NewMessage]], Sequence[NewMessage]]


@dataclass(frozen=True, slots=True)
class Amended:
    """What came of amending: a rewrite that is done has a backup, one that was only planned has none."""

    plan: RewritePlan | None  #: None where every message stays as it is
    backup: Backup | None
    answers: tuple[NewMessage, ...] = ()  #: by a model, where one was asked


def _ignore(event: CommitEvent) -> None:
    pass


def check(
    root: str | Repository,
    revision: str | None = None,
    *,
    settings: Settings | None = None,
    model: ModelSource = None,
    on_event: OnCommitEvent = _ignore,
) -> tuple[Verdict, ...]:
    """A verdict on every commit of a range, oldest first: by the rules and, where there is a model, by that as well.

    Without a revision, the commits that are not yet upstream. Here None means that no model is asked.
    """
    with _opened(root) as repo:
        settings, rules = _configured(repo, settings, on_event)
        ids = [pair.commit for pair in list_commits(repo, revision)]
        if model is None or not ids:
            verdicts = list[Verdict]()
            for verdict in check_commits(read_commits(repo, ids), rules):
                verdicts.append(verdict)
                on_event(CommitDone(verdict, len(verdicts), len(ids)))
            return tuple(verdicts)
        commits = list(read_commits(repo, ids))
        session = open_session(repo, _model(model, repo, settings), settings)
        results = pipeline.review(session, commits, rules)
        return _ask(results, session, "commits-check", len(commits), on_event)


def check_message(
    root: str | Repository, text: str, *, settings: Settings | None = None, on_event: OnCommitEvent = _ignore
) -> Verdict:
    """A verdict on a message that is about to become a commit, with comments as git's editor shows them."""
    with _opened(root) as repo:
        _, rules = _configured(repo, settings, on_event)
        message = cleaned(text, repository.comment_mark(repo.root))
        return check_text(message, rules, repository.author(repo.root))


def draft(
    root: str | Repository,
    *,
    settings: Settings | None = None,
    model: ModelSource = None,
    on_event: OnCommitEvent = _ignore,
) -> NewMessage:
    """A message for what is staged; raises NeedsDecision if nothing is, EnvironmentFailure without a usable answer."""
    with _opened(root) as repo:
        settings, rules = _configured(repo, settings, on_event)
        diff = staged_diff(repo.root)
        if not diff:
            raise NeedsDecision("nothing is staged; `git add` the changes to commit")
        session = open_session(repo, _model(model, repo, settings), settings)
        results = pipeline.reword_diff(session, diff, repository.author(repo.root), rules)
        message = _ask(results, session, "commits-draft", 1, on_event)[0]
    if not message.message:
        raise EnvironmentFailure(f"there is no message: {message.why}")
    return message


def propose(
    root: str | Repository,
    revision: str | None = None,
    *,
    messages: Messages | None = None,
    only_failing: bool = False,
    settings: Settings | None = None,
    model: ModelSource = None,
    on_event: OnCommitEvent = _ignore,
) -> tuple[NewMessage, ...]:
    """New messages for a range, given or a model's (with `only_failing` for what breaks a rule); changes nothing."""
    with _opened(root) as repo:
        if messages is not None:
            return tuple(_given(repo, revision, messages))
        settings, rules = _configured(repo, settings, on_event)
        commits = _commits(repo, revision)
        if only_failing:
            verdicts = check_commits(commits, rules)
            commits = [commit for commit, verdict in zip(commits, verdicts, strict=True) if verdict.outcome == "fails"]
        if not commits:
            return ()
        session = open_session(repo, _model(model, repo, settings), settings)
        results = pipeline.reword(session, commits, rules)
        return _ask(results, session, "commits-amend", len(commits), on_event)


def _given(repo: Repository, revision: str | None, messages: Messages) -> Iterator[NewMessage]:
    if callable(messages):
        commits = _commits(repo, revision)
        texts = messages(commits)
    else:
        texts = messages
        ids = {pair.commit for pair in list_commits(repo, revision)} if revision else texts.keys()
        if strangers := [commit for commit in texts if commit not in ids]:
            raise UnknownCommit(f"there is a message for {strangers[0][:SHORT]}, which is not in {revision}")
        commits = list(read_commits(repo, texts))
    return (NewMessage(commit, texts[commit.id]) for commit in commits if commit.id in texts)


def amend(
    root: str | Repository,
    revision: str | None = None,
    *,
    messages: Messages | None = None,
    only_failing: bool = False,
    allowed: Allowed | None = None,
    decide: Decide | None = None,
    dry_run: bool = False,
    settings: Settings | None = None,
    model: ModelSource = None,
    on_event: OnCommitEvent = _ignore,
) -> Amended:
    """Give commits new messages, as `propose` has them, and change nothing else.

    `decide` is asked about the messages once it is certain that they may be written; without it all are accepted.
    Raises RewriteRefused with every reason against it.
    """
    with _opened(root) as repo:
        proposals = propose(
            repo,
            revision,
            messages=messages,
            only_failing=only_failing,
            settings=settings,
            model=model,
            on_event=on_event,
        )
        answers = proposals if messages is None else ()
        texts = rewrite.changed([proposal for proposal in proposals if messages is not None or proposal.message])
        plan = rewrite.plan(repo, texts, allowed)
        if plan is not None and decide is not None and not dry_run:
            accepted = decide([proposal for proposal in proposals if proposal.commit.id in texts])
            plan = rewrite.plan(repo, rewrite.changed(accepted), allowed)
        backup = None if plan is None or dry_run else rewrite.carry_out(repo, plan)
        return Amended(plan, backup, answers)


def undo(root: str | Repository, number: int | None = None) -> Backup:
    """Undo a rewrite of messages: the last one on this branch, or the one with that number.

    Raises RewriteRefused where the branch has moved on since, UnknownReceipt where there is no such rewrite.
    """
    with _opened(root) as repo:
        return rewrite.undo(repo, number)


def backups(root: str | Repository) -> tuple[Backup, ...]:
    """Every rewrite that can be undone or was, the latest first."""
    with _opened(root) as repo:
        return rewrite_refs.backups(repo.root)


def recover(root: str | Repository) -> tuple[str, ...]:
    """Remove the lock files that an interrupted rewrite left, and return their names."""
    with _opened(root) as repo:
        return rewrite.recover(repo)


def _opened(root: str | Repository) -> AbstractContextManager[Repository]:
    return nullcontext(root) if isinstance(root, Repository) else open_repository(root)


def _configured(repo: Repository, settings: Settings | None, on_event: OnCommitEvent) -> tuple[Settings, Ruleset]:
    settings = settings or load_settings.load(repo.top or repo.root)
    rules = rules_for(repo, settings)
    on_event(RulesRead(rules))
    return settings, rules


def _commits(repo: Repository, revision: str | None) -> list[Commit]:
    return list(read_commits(repo, [pair.commit for pair in list_commits(repo, revision)]))


def _model(source: ModelSource, repo: Repository, settings: Settings) -> Model:
    if isinstance(source, Model):
        return source
    if callable(source):
        return source()
    from inlay.llm.models.open_model import model_for

    return model_for(source, repo.top or repo.root, settings)


def _ask(
    results: AsyncIterator[_Result], session: CommitSession, job: str, total: int, on_event: OnCommitEvent
) -> tuple[_Result, ...]:
    """Every result, for a caller without an event loop; the session is closed whatever happens."""
    done: list[_Result] = []

    async def run() -> None:
        try:
            async for result in results:
                done.append(result)
                on_event(CommitDone(result, len(done), total, session.spent))
        finally:
            complete = [
                not result.unchecked if isinstance(result, Verdict) else bool(result.message) for result in done
            ]
            is_good = len(done) == total and all(complete)
            session.close(job, "done" if is_good else "failed")

    on_event(AskStarted(session.model.info.name, total))
    asyncio.run(run())
    on_event(AskEnded(session.model.info.name, session.spent))
    return tuple(done)
