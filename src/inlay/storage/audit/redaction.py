"""What a log must not keep: secrets, and text that is too long."""

from __future__ import annotations

from inlay.text.redact import without_secrets

_LONGEST = 500  # characters of one field: a log tells what happened and does not repeat it


def redact(text: str) -> str:
    """`text` without secrets and not too long."""
    text = without_secrets(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
