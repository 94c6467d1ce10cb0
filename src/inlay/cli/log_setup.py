"""What a command that asks models tells about its steps: on the error stream, in a log file, never with a secret."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click

from inlay.cli.output.terminal import hidden, safe
from inlay.errors import EnvironmentFailure
from inlay.storage.audit.redaction import redact

_Command = TypeVar("_Command", bound=Callable[..., Any])


def journal_options(command: _Command) -> _Command:
    """`--verbose` and `--log`, which arrive as `verbose` and `log`."""
    command = click.option("--log", type=click.Path(dir_okay=False), metavar="FILE", help="Add every step to FILE.")(
        command
    )
    return click.option("-v", "--verbose", is_flag=True, help="Show every step on the error stream.")(command)


@contextlib.contextmanager
def journal(*, verbose: bool = False, log: str | None = None) -> Iterator[None]:
    """Have what is logged below "inlay" shown and kept while this lasts."""
    logger = logging.getLogger("inlay")
    handlers = [*([_shown()] if verbose else []), *([_kept(log)] if log else [])]
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


def _shown() -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Struck("%(message)s"))
    return handler


def _kept(file: str) -> logging.Handler:
    try:
        # For the user only: steps tell what is being worked on.
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600))
        handler = logging.FileHandler(file, encoding="utf-8")
    except OSError as error:
        raise EnvironmentFailure(f"the log file {file}: {(error.strerror or str(error)).lower()}") from error
    handler.setFormatter(_Struck("%(asctime)s %(levelname)s %(name)s %(message)s"))
    return handler


class _Struck(logging.Formatter):
    """One line for each step, its secrets struck out by value and by pattern."""

    def format(self, record: logging.LogRecord) -> str:
        return safe(redact(hidden(super().format(record))))
