"""Checking commit messages by rules: which rules hold, and a verdict on every commit, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from inlay.commits.messages import CommitMessage, Ruleset, check, commit_object, parse, resolve_rules
from inlay.git import objects as stored
from inlay.model.commit import Commit, Person, Verdict
from inlay.model.settings import Settings
from inlay.storage.config import commit_rule_files


def rules_for(root: str, settings: Settings) -> Ruleset:
    """The rules that hold in the repository: a preset that is named, else its own configuration, else "plain"."""
    preset, wanted = settings.text("commits.preset"), settings.texts("commits.configs")
    names = [name for name, tool in resolve_rules.FILES if tool in wanted]
    files = [] if preset else commit_rule_files.configurations(root, names)
    return resolve_rules.ruleset(
        preset, settings.table("commits.rules"), settings.texts("commits.exempt_authors"), files
    )


def read(root: str, ids: Iterable[str]) -> Iterator[Commit]:
    """The commits with these ids, one in memory at a time."""
    return (commit_object.read(commit_id, data) for commit_id, data in stored.read(root, ids))


def check_commits(commits: Iterable[Commit], rules: Ruleset) -> Iterator[Verdict]:
    """A verdict on every commit by the rules alone."""
    return (_verdict(commit.id, parse(commit.message.strip("\n"), commit.author), len(commit.parents), rules)
            for commit in commits)  # fmt: skip


def check_message(text: str, rules: Ruleset, author: Person | None = None) -> Verdict:
    """A verdict on a message that is about to become a commit; `text` is cleaned already.

    What is to be squashed into another commit may say so at this point.
    """
    yielding = replace(rules, exceptions=replace(rules.exceptions, squashes=True))
    return _verdict("", parse(text, author), 1, yielding)


def _verdict(commit: str, message: CommitMessage, parents: int, rules: Ruleset) -> Verdict:
    exempt = rules.exceptions.why(message, parents)
    if exempt:
        return Verdict(commit, message.header.strip(), exempt=exempt)
    return Verdict(commit, message.header.strip(), check(message, rules), rules.unreadable)
