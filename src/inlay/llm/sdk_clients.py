"""Keeps one client of a provider's library for each event loop, and closes it when that loop ends."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Generic, TypeVar

Client = TypeVar("Client")

# Held here and not by whoever uses a client: a socket that is dropped before its loop closes it is a leak.
_LIVES: dict[asyncio.AbstractEventLoop, list[AsyncGenerator[Any, None]]] = {}
_LOCK = threading.Lock()


class PerLoop(Generic[Client]):
    """A client belongs to the loop it was first used in; a program may well have several, one after another."""

    def __init__(self, make: Callable[[], Client], close: Callable[[Client], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._clients: dict[asyncio.AbstractEventLoop, Client] = {}

    async def get(self) -> Client:
        """The client of the running loop."""
        loop = asyncio.get_running_loop()
        with _LOCK:
            _forget_ended(self._clients)
            _forget_ended(_LIVES)
            known = self._clients.get(loop)
            if known is not None:
                return known
            client = self._clients[loop] = self._make()
            life = _live(client, self._close)
            _LIVES.setdefault(loop, []).append(life)
        weakref.finalize(self, _end, loop, life)
        await anext(life)
        return client


async def _live(client: Client, close: Callable[[Client], Awaitable[None]]) -> AsyncGenerator[Client, None]:
    # A loop that ends in good order closes the asynchronous generators begun in it, and so this client.
    try:
        while True:
            yield client
    finally:
        await close(client)


def _end(loop: asyncio.AbstractEventLoop, life: AsyncGenerator[Any, None]) -> None:
    """Close a client that nobody uses any more, in a loop that goes on."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: loop.create_task(_closed(loop, life)))


async def _closed(loop: asyncio.AbstractEventLoop, life: AsyncGenerator[Any, None]) -> None:
    await life.aclose()
    with _LOCK:
        _LIVES[loop].remove(life)


def _forget_ended(by_loop: dict[asyncio.AbstractEventLoop, Any]) -> None:
    for loop in [loop for loop in by_loop if loop.is_closed()]:
        del by_loop[loop]
