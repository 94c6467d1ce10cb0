"""What looks like a secret; it is removed from everything that is stored, shown or sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

REDACTED = "[secret]"

# By the prefixes that providers give their keys, so that ordinary text is left alone.
_KEYS = re.compile(
    r"""
      sk-[A-Za-z0-9_-]{16,}                                 # OpenAI, Anthropic and others
    | (?:AKIA|ASIA)[0-9A-Z]{16}                             # AWS
    | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_\w{20,}       # GitHub
    | glpat-[\w-]{16,}                                      # GitLab
    | xox[abeoprs]-[\w-]{10,}                               # Slack
    | AIza[\w-]{30,} | ya29\.[\w-]{20,}                     # Google
    | (?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}           # Stripe
    | hf_[A-Za-z0-9]{20,} | npm_[A-Za-z0-9]{20,} | pypi-[\w-]{20,}
    | eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                       # JSON web tokens
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----[\s\S]*?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|\Z)
    """,
    re.VERBOSE,
)
_NAMED = re.compile(
    r"(?i)\b((?:[\w-]*(?:password|passwd|secret|token|api[_-]?key|private[_-]?key|credential)s?)\s*[=:]\s*|bearer\s+)"
    r"(\"[^\"]{4,}\"|'[^']{4,}'|[^\s\"',;]{4,})"
)
_VARIABLE = re.compile(r"(?i)key|token|secret|passw|credential")
_SHORTEST = 8  # shorter values are words like "local", which may stand anywhere
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)")
_LONGEST = 500  # characters of one field: a log tells what happened and does not repeat it


def without_secrets(text: str) -> str:
    """`text` with every secret replaced by a word that says so."""
    text = _KEYS.sub(REDACTED, text)
    text = _NAMED.sub(lambda match: match[1] + REDACTED, text)
    return _IN_ADDRESS.sub(REDACTED, text)


def redact(text: str) -> str:
    """`text` as a log may keep it: without secrets and not too long."""
    text = without_secrets(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def without(text: str, secrets: Iterable[str]) -> str:
    """`text` without the given secrets; every other character stays as it is."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, REDACTED)
    return text


def without_keys(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without the given secrets and whatever looks like a key; every other character stays as it is."""
    return _KEYS.sub(REDACTED, without(text, secrets))


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(value for name, value in environ.items() if _VARIABLE.search(name) and len(value) >= _SHORTEST)
