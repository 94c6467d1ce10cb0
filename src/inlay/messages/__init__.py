"""Commit messages: reading them, the rules they are held to, the configurations that name rules; no I/O."""

from inlay.messages.cleanup import cleaned
from inlay.messages.parsing import Message, Trailer, parse
from inlay.messages.ruleset import Applied, Exceptions, Ruleset, check

__all__ = ["Applied", "Exceptions", "Message", "Ruleset", "Trailer", "check", "cleaned", "parse"]
