"""What is kept about a repository's commits in git's own directory, where bare repositories have a place too."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress

from inlay.storage.stores.answer_cache import AnswerCache

_FOLDER = "inlay"
_KEY, _FACTORS = "key", "tokens.json"
_LENGTH = 32


class RepositoryState:
    """Below git's common directory: answers that were paid for, the key of prompts, how models count tokens."""

    def __init__(self, common: str) -> None:
        self._folder = os.path.join(common, _FOLDER)

    @property
    def answers(self) -> AnswerCache:
        """Every answer about commits, by what was asked."""
        return AnswerCache(os.path.join(self._folder, "answers"))

    def key(self) -> bytes:
        """The same key every time; where none can be kept, one that holds for this call only."""
        path = os.path.join(self._folder, _KEY)
        with suppress(OSError):
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with suppress(FileExistsError):
                self._write(path, secrets.token_bytes(_LENGTH))
            with open(path, "rb") as stream:
                known = stream.read(_LENGTH)
            if len(known) == _LENGTH:
                return known
        return secrets.token_bytes(_LENGTH)

    def _write(self, path: str, data: bytes) -> None:
        """Whole or not at all, and never over what is there."""
        fresh = f"{path}.{secrets.token_hex(4)}"
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
            os.link(fresh, path)
        finally:
            os.unlink(fresh)

    def factors(self) -> dict[str, tuple[float, int]]:
        """By model: how its provider's counts compare to ours, and out of how many answers."""
        try:
            with open(os.path.join(self._folder, _FACTORS), encoding="utf-8") as stream:
                said = json.load(stream)
            return {str(name): (float(factor), int(seen)) for name, (factor, seen) in said.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}  # nothing is lost but what the next answers will tell again

    def keep_factors(self, factors: Mapping[str, tuple[float, int]]) -> None:
        """Keep what was learnt; of two processes the later one's counts."""
        path = os.path.join(self._folder, _FACTORS)
        fresh = f"{path}.{secrets.token_hex(4)}"
        with suppress(OSError):
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            with open(fresh, "w", encoding="utf-8") as stream:
                json.dump(dict(factors), stream)
            os.replace(fresh, path)
