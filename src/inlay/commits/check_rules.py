"""Check commit messages by rules: which rules apply in a repository, and a verdict on every commit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from inlay.commits.messages import CommitMessage, Ruleset, check, commit_object, parse, resolve_rules
from inlay.git.repository import Repository
from inlay.model.commit import Commit, Person, Verdict
from inlay.model.settings import Settings
from inlay.storage.config import commit_rule_files


def rules_for(repo: Repository, settings: Settings) -> Ruleset:
    """The rules of the repository: a preset that is named, else its own configuration, else "plain"."""
    preset, tools = settings.text("commits.preset"), settings.texts("commits.configs")
    rules, exempt = settings.table("commits.rules"), settings.texts("commits.exempt_authors")
    names = [name for name, tool in resolve_rules.FILES if tool in tools]
    files = [] if preset else commit_rule_files.configurations(repo, names)
    return resolve_rules.ruleset(preset, rules, exempt, files)


def read_commits(repo: Repository, ids: Iterable[str]) -> Iterator[Commit]:
    """The commits with these ids, few of them in memory at a time."""
    return (commit_object.read(commit_id, data) for commit_id, data in repo.objects.commits(ids))


def check_commits(commits: Iterable[Commit], rules: Ruleset) -> Iterator[Verdict]:
    """A verdict on every commit by the rules alone."""
    for commit in commits:
        yield _verdict(commit.id, parse(commit.message.strip("\n"), commit.author), len(commit.parents), rules)


def check_text(text: str, rules: Ruleset, author: Person | None = None) -> Verdict:
    """A verdict on a cleaned message that is about to become a commit; a `fixup!` passes, to be squashed later."""
    lenient = replace(rules, exceptions=replace(rules.exceptions, squashes=True))
    return _verdict("", parse(text, author), 1, lenient)


def _verdict(commit: str, message: CommitMessage, parents: int, rules: Ruleset) -> Verdict:
    subject = message.header.strip()
    if exempt := rules.exceptions.why(message, parents):
        return Verdict(commit, subject, exempt=exempt)
    return Verdict(commit, subject, check(message, rules), rules.unreadable)
