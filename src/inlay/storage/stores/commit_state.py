"""What is kept about a repository's commits in git's own directory, which bare repositories have too."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from inlay.storage.state import atomic_write, record_codec, secrets, syscalls
from inlay.storage.stores.answer_cache import AnswerCache

_FOLDER, _FACTORS = "inlay", "tokens.json"


@contextmanager
def opened(common: str) -> Iterator[int]:
    """Our directory below git's common directory, made where it is missing."""
    folder = os.path.join(common, _FOLDER)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with syscalls.open_directory(folder, follow=True) as directory:
        yield directory


class RepositoryState:
    """Below git's common directory: answers that were paid for, the key of prompts, how models count tokens."""

    def __init__(self, common: str) -> None:
        self._common = common

    @property
    def answers(self) -> AnswerCache:
        """Every answer about commits, by its request."""
        return AnswerCache(os.path.join(self._common, _FOLDER, "answers"))

    def key(self) -> bytes:
        """The key of prompts, always the same; where it cannot be kept, one for this call only."""
        try:
            with opened(self._common) as directory:
                return secrets.key_in(directory)
        except OSError:
            return os.urandom(secrets.KEY_LENGTH)

    def factors(self) -> dict[str, tuple[float, int]]:
        """By model: how its provider's counts compare to ours, and out of how many answers."""
        try:
            with syscalls.open_directory(os.path.join(self._common, _FOLDER), follow=True) as directory:
                return record_codec.decode(atomic_write.read(directory, _FACTORS), dict[str, tuple[float, int]])
        except (OSError, ValueError):
            return {}  # the next answers bring them back

    def keep_factors(self, factors: Mapping[str, tuple[float, int]]) -> None:
        """Store the factors; of two processes the later one's count."""
        with suppress(OSError), opened(self._common) as directory:
            atomic_write.replace(directory, _FACTORS, json.dumps(dict(factors)).encode(), mode=None, durable=False)
