"""How long to wait before a request is retried, and when to give up."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from inlay.errors import ProviderFailure


@dataclass(frozen=True, slots=True)
class Retry:
    """A failure that will be followed by another try."""

    failure: ProviderFailure
    tries: int  #: so far
    pause: float  #: seconds until the next one


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with jitter, so that many requests that failed together are not retried together."""

    tries: int = 5  #: how often one request is sent at most
    first: float = 1.0  #: seconds after the first failure
    longest: float = 60.0
    patience: float = 180.0  #: seconds; give up where a provider asks for a longer wait
    chance: Callable[[], float] = random.random

    def pause(self, failure: ProviderFailure, tries: int) -> float:
        """Seconds to wait after the `tries`-th failure; never less than the provider asked for."""
        step = min(self.longest, self.first * 2.0 ** (tries - 1))
        spread = step * (0.5 + 0.5 * self.chance())
        if failure.retry_after is None:
            return spread
        # Jitter on top of the wait that was asked for, never in place of a part of it.
        return failure.retry_after + min(1.0, 0.1 * step) * self.chance()

    def gives_up(self, failure: ProviderFailure, tries: int) -> bool:
        """Whether trying again is no use, or has been done often enough."""
        too_long = failure.retry_after is not None and failure.retry_after > self.patience
        return not failure.transient or tries >= self.tries or too_long


#: raises the first failure
AT_ONCE = Backoff(tries=1)
