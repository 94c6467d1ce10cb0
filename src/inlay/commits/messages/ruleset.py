"""The rules of a repository, and which of them a message breaks."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass, field, replace

from inlay.commits.messages.parse_message import CommitMessage
from inlay.commits.messages.rule import Applied
from inlay.commits.messages.rules import BY_NAME
from inlay.model.commit import Issue, union

__all__ = ["Applied", "Exceptions", "Ruleset", "check"]

_MERGE = re.compile(
    r"Merge (?:pull request|branch(?:es)?|remote-tracking branch(?:es)?|tag|commit|[0-9a-f]{7,} into) ?"
    r"|Merged? PR|Merged .+ (?:in|into) |Auto(?:matic)?[ -]?merged? "
)
_REVERT = re.compile(r'(?i)(?:revert|reapply) "|revert:? ')
_SQUASH = re.compile(r"(?:fixup|squash|amend)! ")


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Authors and messages that the rules do not apply to."""

    authors: tuple[str, ...] = ()  #: names or addresses, `*` matches anything
    headers: tuple[str, ...] = ()  #: expressions, searched for at the beginning of the header
    bodies: tuple[str, ...] = ()  #: expressions, one line of the body suffices
    merges: bool = True
    reverts: bool = True
    squashes: bool = False  #: `fixup!`, `squash!` and `amend!`, which are to be squashed

    def why(self, message: CommitMessage, parents: int = 1) -> str:
        """Why the rules do not apply to this message; empty where they do."""
        header = message.header
        if self.merges and (parents > 1 or _MERGE.match(header)):
            return "a merge"
        if self.reverts and _REVERT.match(header):
            return "a revert"
        if self.squashes and _SQUASH.match(header):
            return "to be squashed"
        if message.author:
            # `[` is literal here: "dependabot[bot]" is a name.
            patterns = [pattern.replace("[", "[[]").lower() for pattern in self.authors]
            names = (message.author.name.lower(), message.author.email.lower())
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns for name in names):
                return f"made by {message.author.name}"
        if any(re.match(pattern, header) for pattern in self.headers):
            return "its header is exempt"
        if any(re.match(pattern, line) for pattern in self.bodies for line in message.lines[1:]):
            return "its body is exempt"
        return ""


@dataclass(frozen=True, slots=True)
class Ruleset:
    rules: tuple[Applied, ...] = ()
    exceptions: Exceptions = field(default_factory=Exceptions)
    source: str = "plain"  #: a preset's name or a configuration file's
    notes: tuple[str, ...] = ()  #: what a configuration asks for that is not checked, for the person
    unreadable: tuple[str, ...] = ()  #: configurations that could not be read, so their rules are unchecked

    def over(self, *changes: Applied, without: frozenset[str] = frozenset()) -> Ruleset:
        """The same with these rules replaced or added, and some switched off."""
        rules = {applied.rule: applied for applied in (*self.rules, *changes) if applied.rule not in without}
        return replace(self, rules=tuple(rules.values()))


def check(message: CommitMessage, rules: Ruleset) -> tuple[Issue, ...]:
    """The rules that the message breaks, each rule and section once."""
    return union(
        Issue(applied.rule, applied.severity, BY_NAME[applied.rule].section, (broken.explanation,), broken.line)
        for applied in rules.rules
        for broken in BY_NAME[applied.rule].find(message, applied)
    )
