"""A model file run in this process, behind a server that only this machine can reach."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections.abc import Callable
from typing import Any

from inlay.errors import NoModel
from inlay.llm.provider import OnText, Provider
from inlay.model.answer import Answer
from inlay.model.prompt import Request

#: one server for each file, for as long as the process lives: loading takes seconds and a gigabyte
_SERVERS: dict[tuple[str, int], tuple[Any, str]] = {}
_LOCK = threading.Lock()


class Local:
    """Starts the server on the first request, and asks it through the provider made for its address."""

    def __init__(
        self, path: str, context: int, through: Callable[[str, str], Provider], threads: int | None = None
    ) -> None:
        self._path = path
        self._context = context
        self._threads = threads
        self._through = through
        self._provider: Provider | None = None

    def __repr__(self) -> str:
        return f"Local({self._path!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        if self._provider is None:
            url, key = await asyncio.to_thread(serve, self._path, self._context, self._threads)
            self._provider = self._through(f"{url}/v1", key)
        return await self._provider.ask(request, on_text)


def serve(path: str, context: int, threads: int | None = None) -> tuple[str, str]:
    """The address and key of the server of a file; starts it if it is not running."""
    with _LOCK:
        at = (path, context)
        if at not in _SERVERS:
            _SERVERS[at] = _started(path, context, threads or idle_cores())
        server, key = _SERVERS[at]
        return str(server.listening_address), key


def _started(path: str, context: int, threads: int) -> tuple[Any, str]:
    import xllamacpp  # type: ignore[import-untyped]

    key = secrets.token_urlsafe(24)  # other users of this machine can reach the address, too
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.offline = True
    parameters.verbosity = -1
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    try:
        return xllamacpp.Server(parameters), key
    except (RuntimeError, ValueError, OSError) as error:
        raise NoModel(f"the model file {path} cannot be loaded: {error}") from None


def idle_cores() -> int:
    """How many threads to use: they wait for each other, so one that shares its core slows down all of them."""
    cores = os.cpu_count() or 1
    return max(1, cores - int(os.getloadavg()[0] + 0.5))
