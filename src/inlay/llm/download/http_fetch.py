"""Fetches files over HTTP: in blocks, from where an earlier try broke off, and again where a try breaks off."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from inlay.errors import ProviderFailure
from inlay.llm import provider_errors
from inlay.llm.retry import Backoff
from inlay.storage.stores.model_download import Incoming

_BLOCK = 1 << 18
_PATIENCE = 30.0  # seconds without a single byte


@dataclass(frozen=True, slots=True)
class Fetching:
    """How files are fetched; the waits can be taken out in tests."""

    on_bytes: Callable[[int], None] = field(default=lambda count: None)  #: told of every block
    backoff: Backoff = field(default_factory=lambda: Backoff(tries=6))
    sleep: Callable[[float], None] = time.sleep

    def fetch(self, url: str, incoming: Incoming, name: str) -> None:
        """Bring a whole file in as a piece; raises ProviderFailure when it cannot be had."""
        fruitless = 0
        while True:
            before = incoming.size(name)
            try:
                self._once(url, incoming, name)
                return
            except ProviderFailure as failure:
                # Every byte is progress; only tries that bring nothing are counted.
                fruitless = 1 if incoming.size(name) > before else fruitless + 1
                if self.backoff.gives_up(failure, fruitless):
                    raise
                self.sleep(self.backoff.pause(failure, fruitless))

    def _once(self, url: str, incoming: Incoming, name: str) -> None:
        have = incoming.size(name)
        headers = {"Range": f"bytes={have}-"} if have else {}
        try:
            with urllib.request.urlopen(_request(url, headers), timeout=_PATIENCE) as answer:
                start = have if answer.status == 206 else 0
                wanted = int(answer.headers.get("Content-Length") or -1)
                got = sum(map(self._told, incoming.add(name, start, _blocks(answer))))
        except urllib.error.HTTPError as error:
            if error.code == 416 and have:  # asked for what comes after the end: it is all here
                return
            raise provider_errors.from_status(url, error.code, "", dict(error.headers)) from None
        except (OSError, http.client.HTTPException) as error:
            raise provider_errors.from_text(url, str(error) or type(error).__name__, "transient") from None
        if wanted >= 0 and got < wanted:
            raise provider_errors.from_text(url, f"the transfer broke off after {start + got:,} bytes", "transient")

    def _told(self, count: int) -> int:
        self.on_bytes(count)
        return count


def page(url: str) -> str:
    """A small page as text; raises ProviderFailure."""
    try:
        with urllib.request.urlopen(_request(url, {}), timeout=_PATIENCE) as answer:
            return str(answer.read(1 << 22).decode("utf-8", "replace"))
    except urllib.error.HTTPError as error:
        raise provider_errors.from_status(url, error.code, "", dict(error.headers)) from None
    except (OSError, http.client.HTTPException) as error:
        raise provider_errors.from_text(url, str(error) or type(error).__name__, "transient") from None


def _request(url: str, headers: dict[str, str]) -> urllib.request.Request:
    return urllib.request.Request(url, headers={"User-Agent": "inlay", **headers})


def _blocks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while block := answer.read(_BLOCK):
        yield block
