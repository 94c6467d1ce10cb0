"""How messages are written in a repository: its rules in words, its own advice, what was written lately."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from inlay.commits import check_rules
from inlay.commits.messages import Applied, Ruleset
from inlay.commits.messages.rules import BY_NAME
from inlay.commits.truncate import Truncator
from inlay.git import objects
from inlay.model.commit import Commit
from inlay.prompts.commit_message import Manner
from inlay.storage.config import commit_rule_files

_ADVICE = ("CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md")
_MOST_RECENT = 8  # messages
# Tokens, which together with the words of the prompt are what budget.SYSTEM sets aside.
_RULES, _GUIDANCE, _RECENT = 900, 500, 400
_ONE_RECENT = 120
_BETWEEN = "\n----\n"
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$", re.M)


def manner_of(root: str, commits: Sequence[Commit], rules: Ruleset, fitting: Truncator) -> Manner:
    """The manner to write messages for these commits in; they are no examples themselves."""
    before = f"{commits[0].id}^@" if commits else "HEAD"
    worded = fitting.names([_worded(applied) for applied in rules.rules], _RULES)
    recent = check_rules.read(root, objects.recent(root, before, _MOST_RECENT))
    return Manner(worded, _advice(root, fitting), _examples((commit.message for commit in recent), fitting))


def _examples(messages: Iterable[str], fitting: Truncator) -> str:
    shown = (fitting.text(message.strip("\n"), _ONE_RECENT) for message in messages if message.strip())
    return fitting.text(_BETWEEN.join(shown), _RECENT)


def _worded(applied: Applied) -> str:
    summary = BY_NAME[applied.rule].summary
    value = applied.value if not isinstance(applied.value, tuple) else ", ".join(applied.value)
    said = f"{applied.rule}: {'not: ' if applied.never else ''}{summary}"
    return said if value is None else f"{said} ({value})"


def _advice(root: str, fitting: Truncator) -> tuple[str, str] | None:
    """What the project's own guide says about commits, and no more of it."""
    for name, text in commit_rule_files.configurations(root, _ADVICE):
        found = "\n".join(_sections(text)).strip()
        if found:
            return name, fitting.text(found, _GUIDANCE)
    return None


def _sections(text: str) -> Iterator[str]:
    headings = list(_HEADING.finditer(text))
    end = 0
    for number, heading in enumerate(headings):
        if "commit" not in heading[2].lower() or heading.start() < end:
            continue
        later = (each for each in headings[number + 1 :] if len(each[1]) <= len(heading[1]))
        following = next(later, None)
        end = following.start() if following else len(text)
        yield text[heading.start() : end].strip()
