"""A model file run in this very process, behind a server that only this machine can reach."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from inlay.errors import NoModel
from inlay.llm.provider import OnText, Provider
from inlay.model.answer import Answer
from inlay.model.prompt import Request

#: one server for each file, for as long as the process lives: loading takes seconds and a gigabyte
_SERVERS: dict[tuple[str, int], Any] = {}
_LOCK = threading.Lock()


class Local:
    """Starts the server on the first request, and asks it through the provider made for its address."""

    def __init__(self, path: str, context: int, through: Callable[[str], Provider]) -> None:
        self._path = path
        self._context = context
        self._through = through
        self._provider: Provider | None = None

    def __repr__(self) -> str:
        return f"Local({self._path!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """One call, never repeated here."""
        if self._provider is None:
            url = await asyncio.to_thread(serve, self._path, self._context)
            self._provider = self._through(f"{url}/v1")
        return await self._provider.ask(request, on_text)


def serve(path: str, context: int) -> str:
    """The address of the server of a file, started where it is not running."""
    with _LOCK:
        key = (path, context)
        if key not in _SERVERS:
            _SERVERS[key] = _started(path, context)
        return str(_SERVERS[key].listening_address)


def _started(path: str, context: int) -> Any:
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError:
        raise NoModel("local models need the extra: pip install 'inlay[local]'") from None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = path
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.hostname = "127.0.0.1"
    parameters.port = 0
    try:
        return xllamacpp.Server(parameters)
    except (RuntimeError, OSError) as error:
        raise NoModel(f"the model file {path} cannot be loaded: {error}") from None
