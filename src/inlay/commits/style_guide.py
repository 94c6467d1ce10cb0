"""How messages are written in a repository: its rules in words, its own advice, the latest messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inlay.commits.check_rules import read_commits
from inlay.commits.messages import Applied, Ruleset
from inlay.commits.messages.rules import BY_NAME
from inlay.commits.truncate import Truncator
from inlay.git.history import recent
from inlay.git.repository import Repository
from inlay.model.commit import Commit
from inlay.prompts.commit_message import StyleGuide
from inlay.storage.config import commit_rule_files

_ADVICE = ("CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md")
_MOST_RECENT = 8  # messages
# Tokens, which together with the words of the prompt are what budget.SYSTEM sets aside.
_RULES, _GUIDANCE, _RECENT = 900, 500, 400
_ONE_RECENT = 120
_BETWEEN = "\n----\n"
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$", re.M)


def style_guide(repo: Repository, commits: Sequence[Commit], rules: Ruleset, truncator: Truncator) -> StyleGuide:
    """The style for messages of these commits, which are not examples themselves."""
    before = f"{commits[0].id}^@" if commits else "HEAD"
    texts = [commit.message.strip("\n") for commit in read_commits(repo, recent(repo, before, _MOST_RECENT))]
    advice = _advice(repo)
    examples = _BETWEEN.join(truncator.text(text, _ONE_RECENT) for text in texts if text.strip())
    return StyleGuide(
        truncator.names([_in_words(applied) for applied in rules.rules], _RULES),
        (advice[0], truncator.text(advice[1], _GUIDANCE)) if advice else None,
        truncator.text(examples, _RECENT),
    )


def _in_words(applied: Applied) -> str:
    value = applied.value if not isinstance(applied.value, tuple) else ", ".join(applied.value)
    text = f"{applied.rule}: {'not: ' if applied.never else ''}{BY_NAME[applied.rule].summary}"
    return text if value is None else f"{text} ({value})"


def _advice(repo: Repository) -> tuple[str, str] | None:
    """What the project's own guide says about commits, and no more of it."""
    files = commit_rule_files.configurations(repo, _ADVICE)
    advice = ((name, "\n".join(_sections(text)).strip()) for name, text in files)
    return next(((name, text) for name, text in advice if text), None)


def _sections(text: str) -> Iterator[str]:
    headings = list(_HEADING.finditer(text))
    end = 0
    for number, heading in enumerate(headings):
        if "commit" not in heading[2].lower() or heading.start() < end:
            continue
        later = (other.start() for other in headings[number + 1 :] if len(other[1]) <= len(heading[1]))
        end = next(later, len(text))
        yield text[heading.start() : end].strip()
