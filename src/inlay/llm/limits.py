"""Keeps count of what one job has used, and stops it at the limits it was given."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from inlay.errors import LimitReached
from inlay.model.answer import Answer, Limits, Usage


class Spending:
    """What one job has used so far; may be shared by any number of threads and tasks."""

    def __init__(self, limits: Limits | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits if limits is not None else Limits()
        self._clock = clock
        self._began = clock()
        self._lock = threading.Lock()
        self._usage = Usage()
        self._cost = 0.0
        self._unpriced = 0
        self._attempts = 0
        self._tokens_ahead = 0
        self._cost_ahead = 0.0

    @property
    def usage(self) -> Usage:
        return self._usage

    @property
    def cost(self) -> float | None:
        """US dollars; None where an answer had no known price."""
        return None if self._unpriced else self._cost

    @property
    def attempts(self) -> int:
        return self._attempts

    @property
    def seconds(self) -> float:
        """Since the job began."""
        return self._clock() - self._began

    @property
    def seconds_left(self) -> float | None:
        """None where time has no limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)

    def attempt(self) -> int:
        """Begin another attempt and give its number; raises LimitReached when all are used."""
        with self._lock:
            if self._attempts >= self.limits.attempts:
                raise LimitReached("attempts", f"all {self.limits.attempts} attempts are used")
            self._attempts += 1
            return self._attempts

    def charge(self, answer: Answer) -> None:
        """Count an answer; one that was paid for earlier costs nothing again."""
        if answer.remembered:
            return
        with self._lock:
            self._usage += answer.usage
            self._cost += answer.cost or 0.0
            self._unpriced += answer.cost is None

    def check(self, tokens: int = 0, cost: float = 0.0) -> None:
        """Raise LimitReached where a limit is used up, or would certainly be passed by this much more."""
        with self._lock:
            self._check_tokens(tokens + self._tokens_ahead)
            self._check_cost(cost + self._cost_ahead)
        limit = self.limits.seconds
        if limit is not None and self.seconds >= limit:
            raise LimitReached("seconds", f"the limit of {limit:g} seconds is reached: {self.seconds:.1f} have passed")

    @contextlib.contextmanager
    def reserved(self, tokens: int, cost: float) -> Iterator[None]:
        """Hold this much for a call under way, so that calls at the same time cannot pass a limit together."""
        self.check(tokens, cost)
        with self._lock:
            self._tokens_ahead += tokens
            self._cost_ahead += cost
        try:
            yield
        finally:
            with self._lock:
                self._tokens_ahead -= tokens
                self._cost_ahead -= cost

    def _check_tokens(self, more: int) -> None:
        limit, used = self.limits.tokens, self._usage.total
        if limit is not None and (used >= limit or used + more > limit):
            raise LimitReached("tokens", f"the limit of {limit:,} tokens {_reached(f'{used:,}', f'{more:,}', more)}")

    def _check_cost(self, more: float) -> None:
        limit, used = self.limits.cost, self._cost
        if limit is not None and ((used and used >= limit) or used + more > limit):
            raise LimitReached("cost", f"the limit of ${limit:g} {_reached(f'${used:.4f}', f'${more:.4f}', more)}")


def _reached(used: str, more: str, is_more: float) -> str:
    if is_more:
        return f"would be passed: {used} used, and the next request takes at least {more}"
    return f"is reached: {used} used"
