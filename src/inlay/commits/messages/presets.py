"""The sets of rules that come with Inlay: one for any repository, one for Conventional Commits."""

from __future__ import annotations

from inlay.commits.messages.rule import Applied
from inlay.commits.messages.rules.patterns import TYPES
from inlay.commits.messages.ruleset import Exceptions, Ruleset

BOTS = ("*[bot]", "dependabot*", "renovate*", "*greenkeeper*", "pre-commit-ci*", "snyk-bot")
_SHOUTED = ("sentence-case", "start-case", "pascal-case", "upper-case")

# Errors are what no project wants; matters of taste are warnings.
_ANYWHERE = (
    Applied("header-empty", "error", never=True),
    Applied("message-encoding", "error"),
    Applied("message-control", "error"),
    Applied("body-leading-blank", "error"),
    Applied("header-squash", "error"),
    Applied("header-forbidden", "error", ("WIP",)),
    Applied("trailer-form", "warning"),
    Applied("header-trim", "warning"),
    Applied("subject-imperative", "warning"),
)
_PLAIN = (
    *_ANYWHERE,
    Applied("header-max-length", "warning", 72),
    Applied("header-full-stop", "warning", ".", never=True),
    Applied("body-max-line-length", "warning", 100),
)
#: What `@commitlint/config-conventional` asks for, no more and no less.
COMMITLINT_CONVENTIONAL = (
    Applied("body-leading-blank", "warning"),
    Applied("body-max-line-length", "error", 100),
    Applied("footer-leading-blank", "warning"),
    Applied("footer-max-line-length", "error", 100),
    Applied("header-max-length", "error", 100),
    Applied("header-trim", "error"),
    Applied("subject-case", "error", _SHOUTED, never=True),
    Applied("subject-empty", "error", never=True),
    Applied("subject-full-stop", "error", ".", never=True),
    Applied("type-case", "error", ("lower-case",)),
    Applied("type-empty", "error", never=True),
    Applied("type-enum", "error", TYPES),
)
_EXCEPTIONS = Exceptions(authors=BOTS)
PRESETS = {
    "plain": Ruleset(_PLAIN, _EXCEPTIONS, "plain"),
    "conventional": Ruleset(COMMITLINT_CONVENTIONAL, _EXCEPTIONS, "conventional").over(
        *_ANYWHERE, Applied("breaking-change-form", "error")
    ),
}
