"""Downloads files over HTTP: in blocks, resumed and retried where a transfer breaks off."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from inlay.errors import ProviderFailure
from inlay.llm import provider_errors
from inlay.llm.retry import Backoff
from inlay.storage.stores.model_download import Incoming

_BLOCK = 1 << 18
_TIMEOUT = 30.0  # seconds without a byte


@dataclass(frozen=True, slots=True)
class Fetching:
    """How files are downloaded; tests replace the waits."""

    on_bytes: Callable[[int], None] = field(default=lambda count: None)  #: called for every block
    backoff: Backoff = field(default_factory=lambda: Backoff(tries=6))
    sleep: Callable[[float], None] = time.sleep

    def fetch(self, url: str, incoming: Incoming, name: str) -> None:
        """Download a whole file as a piece; raises ProviderFailure when that fails."""
        fruitless = 0
        while True:
            before = incoming.size(name)
            try:
                self._once(url, incoming, name)
                return
            except ProviderFailure as failure:
                # Every byte is progress; only tries without any are counted.
                fruitless = 1 if incoming.size(name) > before else fruitless + 1
                if self.backoff.gives_up(failure, fruitless):
                    raise
                self.sleep(self.backoff.pause(failure, fruitless))

    def _once(self, url: str, incoming: Incoming, name: str) -> None:
        have = incoming.size(name)
        headers = {"Range": f"bytes={have}-"} if have else {}
        try:
            with _opened(url, headers) as answer:
                start = have if answer.status == 206 else 0
                wanted = int(answer.headers.get("Content-Length") or -1)
                got = 0
                for size in incoming.add(name, start, iter(lambda: answer.read(_BLOCK), b"")):
                    self.on_bytes(size)
                    got += size
        except ProviderFailure as failure:
            if failure.status == 416 and have:  # the range begins after the end: the file is complete
                return
            raise
        if wanted >= 0 and got < wanted:
            raise provider_errors.from_text(url, f"the transfer broke off after {start + got:,} bytes", "transient")


def page(url: str) -> str:
    """A small page as text; raises ProviderFailure."""
    with _opened(url, {}) as answer:
        return str(answer.read(1 << 22).decode("utf-8", "replace"))


@contextmanager
def _opened(url: str, headers: dict[str, str]) -> Iterator[http.client.HTTPResponse]:
    request = urllib.request.Request(url, headers={"User-Agent": "inlay", **headers})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            yield answer
    except urllib.error.HTTPError as error:
        raise provider_errors.from_status(url, error.code, "", dict(error.headers)) from None
    except (OSError, http.client.HTTPException) as error:
        raise provider_errors.from_text(url, str(error) or type(error).__name__, "transient") from None
