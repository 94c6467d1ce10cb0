"""Commit messages: reading them, the rules they are held to, the configurations that name rules; no I/O."""

from inlay.commits.messages.cleanup import cleaned
from inlay.commits.messages.parse_message import CommitMessage, Trailer, parse
from inlay.commits.messages.ruleset import Applied, Exceptions, Ruleset, check

__all__ = ["Applied", "CommitMessage", "Exceptions", "Ruleset", "Trailer", "check", "cleaned", "parse"]
