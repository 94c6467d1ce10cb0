"""Records what a model answers, without secrets, so that it can be replayed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict

from inlay.errors import ProviderFailure
from inlay.llm.provider import OnText, Provider
from inlay.model.answer import Answer, Failed, TranscriptEntry
from inlay.model.prompt import Request
from inlay.text.redact import without_keys


class RecordingProvider:
    """A provider that passes every answer and every failure to `keep` at once."""

    def __init__(
        self, provider: Provider, keep: Callable[[TranscriptEntry], None], secrets: tuple[str, ...] = ()
    ) -> None:
        self._provider = provider
        self._keep = keep
        self._secrets = secrets

    def around(self, wrap: Callable[[Provider], Provider]) -> RecordingProvider:
        """Record a provider that wraps this one's."""
        return RecordingProvider(wrap(self._provider), self._keep, self._secrets)

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The answer, recorded before the caller sees it."""
        label = without_keys(request.label, self._secrets)
        digest = hashlib.sha256(json.dumps(asdict(request.prompt)).encode()).hexdigest()
        try:
            answer = await self._provider.ask(request, on_text)
        except ProviderFailure as failure:
            message = without_keys(str(failure), self._secrets)
            error = Failed(failure.kind, message, failure.status, failure.retry_after)
            self._keep(TranscriptEntry(label, digest, error=error))
            raise
        text = without_keys(answer.text, self._secrets)
        self._keep(TranscriptEntry(label, digest, text, answer.stop, answer.usage, answer.cost))
        return answer
