"""Commit messages: how they are parsed, the rules for them, the configurations that name rules; no I/O."""

from inlay.commits.messages.cleanup import cleaned
from inlay.commits.messages.parse_message import CommitMessage, Trailer, parse
from inlay.commits.messages.ruleset import Applied, Exceptions, Ruleset, check

__all__ = ["Applied", "CommitMessage", "Exceptions", "Ruleset", "Trailer", "check", "cleaned", "parse"]
