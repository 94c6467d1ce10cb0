"""Logging of a command's steps: to standard error and to a log file, without secrets."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator

from inlay.cli.options import Logging
from inlay.cli.output.terminal import hidden, safe
from inlay.errors import EnvironmentFailure
from inlay.text.redact import redact


@contextlib.contextmanager
def log_steps(options: Logging) -> Iterator[None]:
    """Send what is logged below "inlay" where the options say, inside the `with` block."""
    logger = logging.getLogger("inlay")
    handlers: list[logging.Handler] = []
    if options.verbose:
        handlers.append(logging.StreamHandler(sys.stderr))
        handlers[-1].setFormatter(_RedactingFormatter("%(message)s"))
    if options.log:
        try:
            # Readable by the user only: steps show what is being worked on.
            os.close(os.open(options.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600))
            handlers.append(logging.FileHandler(options.log, encoding="utf-8"))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise EnvironmentFailure(f"the log file {options.log}: {reason}") from error
        handlers[-1].setFormatter(_RedactingFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    level, propagate = logger.level, logger.propagate
    if handlers:
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(level)
        logger.propagate = propagate


class _RedactingFormatter(logging.Formatter):
    """One line for each step, secrets redacted by value and by pattern."""

    def format(self, record: logging.LogRecord) -> str:
        return safe(redact(hidden(super().format(record))))
