"""The sets of rules that come with Inlay: one for any repository, one for Conventional Commits."""

from __future__ import annotations

from inlay.messages.rule import Applied
from inlay.messages.rules.enums import TYPES
from inlay.messages.ruleset import Exceptions, Ruleset

BOTS = ("*[bot]", "dependabot*", "renovate*", "*greenkeeper*", "pre-commit-ci*", "snyk-bot")
_SHOUTED = ("sentence-case", "start-case", "pascal-case", "upper-case")

# Errors are what no project wants; tastes are warnings.
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
_CONVENTIONAL = (
    *_ANYWHERE,
    Applied("type-empty", "error", never=True),
    Applied("type-case", "error", ("lower-case",)),
    Applied("type-enum", "error", TYPES),
    Applied("subject-empty", "error", never=True),
    Applied("subject-case", "error", _SHOUTED, never=True),
    Applied("subject-full-stop", "error", ".", never=True),
    Applied("header-max-length", "error", 100),
    Applied("footer-leading-blank", "warning"),
    Applied("body-max-line-length", "error", 100),
    Applied("footer-max-line-length", "error", 100),
    Applied("breaking-change-form", "error"),
)
_EXCEPTIONS = Exceptions(authors=BOTS)

#: What `@commitlint/config-conventional` asks for, no more and no less.
COMMITLINT_CONVENTIONAL = tuple(
    applied if applied.rule != "body-leading-blank" else Applied("body-leading-blank", "warning")
    for applied in _CONVENTIONAL
    if applied not in _ANYWHERE or applied.rule in ("body-leading-blank", "header-trim")
    if applied.rule != "breaking-change-form"
)
PRESETS = {
    "plain": Ruleset(_PLAIN, _EXCEPTIONS, "plain"),
    "conventional": Ruleset(_CONVENTIONAL, _EXCEPTIONS, "conventional"),
}
