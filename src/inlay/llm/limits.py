"""Counts what one job has used, and stops it at its limits."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from inlay.errors import LimitReached, ProviderFailure
from inlay.model.answer import Answer, Limits, Usage


class Spending:
    """What one job has used so far; threads and tasks may share it."""

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
        """Count another attempt and return its number; raises LimitReached when all are used."""
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
        """Raise LimitReached where a limit is reached, or would certainly be exceeded by this much more."""
        with self._lock:
            tokens, used = tokens + self._tokens_ahead, self._usage.total
            cost, paid = cost + self._cost_ahead, self._cost
        limits = self.limits
        if limits.tokens is not None and (used >= limits.tokens or used + tokens > limits.tokens):
            raise LimitReached("tokens", _message(f"{limits.tokens:,} tokens", f"{used:,}", f"{tokens:,}", tokens))
        if limits.cost is not None and ((paid and paid >= limits.cost) or paid + cost > limits.cost):
            raise LimitReached("cost", _message(f"${limits.cost:g}", f"${paid:.4f}", f"${cost:.4f}", cost))
        if limits.seconds is not None and self.seconds >= limits.seconds:
            passed = f"after {self.seconds:.1f}"
            raise LimitReached("seconds", f"the limit of {limits.seconds:g} seconds is reached {passed}")

    def require_time(self, pause: float, failure: ProviderFailure) -> None:
        """Raise LimitReached where the time ends before a failed request can be retried."""
        left = self.seconds_left
        if left is not None and pause >= left:
            message = (
                f"the limit of {self.limits.seconds:g} seconds ends before the model can be asked again "
                f"in {pause:.1f} seconds: {failure}"
            )
            raise LimitReached("seconds", message) from failure

    @contextlib.contextmanager
    def reserved(self, tokens: int, cost: float) -> Iterator[None]:
        """Reserve this much during a call, so that concurrent calls cannot exceed a limit together."""
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


def _message(limit: str, used: str, more: str, is_more: float) -> str:
    if is_more:
        return f"the limit of {limit} would be exceeded: {used} used, and the next request takes at least {more}"
    return f"the limit of {limit} is reached: {used} used"
