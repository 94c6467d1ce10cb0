"""How long to wait before a model is asked again, and when not to ask again at all."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from inlay.errors import ProviderFailure


@dataclass(frozen=True, slots=True)
class Retry:
    """One failure that will be followed by another try; what is told to whoever watches."""

    failure: ProviderFailure
    tries: int  #: how often it has been asked so far
    pause: float  #: seconds until it is asked again


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double, with chance in them, so that many who failed together do not come back together."""

    tries: int = 5  #: how often one request is sent at most, the first time included
    first: float = 1.0  #: seconds after the first failure
    longest: float = 60.0
    patience: float = 180.0  #: a provider that asks for a longer wait is not waited for
    chance: Callable[[], float] = random.random

    def pause(self, failure: ProviderFailure, tries: int) -> float:
        """Seconds to wait after the `tries`-th failure; never less than the provider asked for."""
        step = min(self.longest, self.first * 2.0 ** (tries - 1))
        spread = step * (0.5 + 0.5 * self.chance())
        if failure.retry_after is None:
            return spread
        # The wait that was asked for, and a little chance on top, not in place of a part of it.
        return failure.retry_after + min(1.0, 0.1 * step) * self.chance()

    def gives_up(self, failure: ProviderFailure, tries: int) -> bool:
        """Whether asking again is no use, or has been tried often enough."""
        too_long = failure.retry_after is not None and failure.retry_after > self.patience
        return not failure.transient or tries >= self.tries or too_long


#: for tests and for those who want a failure at once
AT_ONCE = Backoff(tries=1)
