"""Keeps every whole answer the moment it arrives, so that nothing is paid for twice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import Protocol

from inlay.llm.provider import Model, OnText, Provider
from inlay.llm.recorder import Recording
from inlay.model.answer import Answer
from inlay.model.prompt import Request


class Store(Protocol):
    """Where answers are kept; `storage.answers.Answers` is one."""

    def read(self, key: str) -> Answer | None: ...

    def write(self, key: str, answer: Answer) -> None: ...

    def drop(self, key: str) -> None: ...


class Remembering:
    """A provider that answers from the store what the store knows, and keeps there what it does not."""

    def __init__(self, provider: Provider, store: Store, model: str = "") -> None:
        self._provider = provider
        self._store = store
        self._model = model

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The answer, stored before anybody sees it; a failure is never stored."""
        key = key_of(self._model, request)
        known = self._store.read(key)
        if known is not None:
            if on_text is not None:
                on_text(known.text)
            return replace(known, remembered=True)
        answer = await self._provider.ask(request, on_text)
        # A refusal may be a whim of the moment; an empty answer is worth asking for again.
        if answer.stop != "refused" and answer.text:
            self._store.write(key, answer)
        return answer

    def forget(self, request: Request) -> None:
        """Have this asked for anew the next time: the answer was of no use."""
        self._store.drop(key_of(self._model, request))


def remember(model: Model, store: Store) -> Model:
    """The same model, with a memory; what is being recorded is recorded out of the memory too."""
    if isinstance(model.provider, Recording):
        return replace(model, provider=model.provider.around(lambda inner: Remembering(inner, store, model.info.name)))
    return replace(model, provider=Remembering(model.provider, store, model.info.name))


def key_of(model: str, request: Request) -> str:
    """The hash of everything that bears on an answer; waiting time and label do not."""
    asked = {
        "model": model,
        "prompt": asdict(request.prompt),
        "max_output": request.max_output,
        "temperature": request.temperature,
        "json": request.json,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
