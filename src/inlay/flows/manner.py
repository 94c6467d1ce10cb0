"""How messages are written in a repository: its rules in words, its own advice, what was written lately."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inlay.flows import check
from inlay.messages import Applied, Ruleset
from inlay.messages.rules import BY_NAME
from inlay.model.commit import Commit
from inlay.processes import objects
from inlay.prompts.commit_message import Manner
from inlay.storage import message_rules

_ADVICE = ("CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md")
_MOST_ADVICE = 3_000  # characters
_MOST_RECENT = 8  # messages
_MOST_MESSAGE = 400  # characters of one of them
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$", re.M)


def manner_of(root: str, commits: Sequence[Commit], rules: Ruleset) -> Manner:
    """The manner to write messages for these commits in; they are no examples themselves."""
    before = f"{commits[0].id}^@" if commits else "HEAD"
    recent = (commit.message for commit in check.read(root, objects.recent(root, before, _MOST_RECENT)))
    shown = tuple(message[:_MOST_MESSAGE] for message in recent if message.strip())
    return Manner(tuple(_worded(applied) for applied in rules.rules), _advice(root), shown)


def _worded(applied: Applied) -> str:
    summary = BY_NAME[applied.rule].summary
    value = applied.value if not isinstance(applied.value, tuple) else ", ".join(applied.value)
    said = f"{applied.rule}: {'not: ' if applied.never else ''}{summary}"
    return said if value is None else f"{said} ({value})"


def _advice(root: str) -> tuple[str, str] | None:
    """What the project's own guide says about commits, and no more of it."""
    for name, text in message_rules.configurations(root, _ADVICE):
        found = "\n".join(_sections(text)).strip()
        if found:
            return name, found[:_MOST_ADVICE]
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
