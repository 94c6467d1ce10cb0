"""Stores every complete answer the moment it arrives, so that nothing is paid for twice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import Protocol

from inlay.llm.provider import Model, OnText, Provider
from inlay.llm.recorder import RecordingProvider
from inlay.model.answer import Answer
from inlay.model.prompt import Request


class Store(Protocol):
    """Where answers are stored; `AnswerCache` is one."""

    def read(self, key: str) -> Answer | None: ...

    def write(self, key: str, answer: Answer) -> None: ...

    def drop(self, key: str) -> None: ...


class CachingProvider:
    """A provider that answers from the store where it can, and stores what it cannot."""

    def __init__(self, provider: Provider, store: Store, model: str = "") -> None:
        self._provider = provider
        self._store = store
        self._model = model

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The answer, stored before the caller sees it; a failure is never stored."""
        key = key_of(self._model, request)
        if (stored := self._store.read(key)) is not None:
            if on_text is not None:
                on_text(stored.text)
            return replace(stored, remembered=True)
        answer = await self._provider.ask(request, on_text)
        # A model may not refuse again, and an empty answer is worth another request.
        if answer.stop != "refused" and answer.text:
            self._store.write(key, answer)
        return answer

    def forget(self, request: Request) -> None:
        """Ask again the next time: the answer could not be used."""
        self._store.drop(key_of(self._model, request))


def remember(model: Model, store: Store) -> Model:
    """The same model with a cache; a recorder also records what comes from the cache."""
    if isinstance(model.provider, RecordingProvider):
        return replace(
            model, provider=model.provider.around(lambda inner: CachingProvider(inner, store, model.info.name))
        )
    return replace(model, provider=CachingProvider(model.provider, store, model.info.name))


def key_of(model: str, request: Request) -> str:
    """The hash of everything that affects an answer; timeout and label do not."""
    asked = {
        "model": model,
        "prompt": asdict(request.prompt),
        "max_output": request.max_output,
        "temperature": request.temperature,
        "json": request.json,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
