"""Answers from a recording: for demonstrations, tests and bug reports."""

from __future__ import annotations

import asyncio
import threading

from inlay.errors import ProviderFailure
from inlay.llm.provider import OnText
from inlay.model.answer import Answer, ModelInfo, Transcript, TranscriptEntry
from inlay.model.prompt import Request

_PIECE = 40  # characters that arrive at once


class Recorded:
    """Gives each request the next entry with its label, or the next that has none; each entry once."""

    def __init__(self, transcript: Transcript, name: str, info: ModelInfo | None = None) -> None:
        self._info = info
        self._name = name
        self._model = transcript.model
        self._entries = transcript.entries
        self._left = list(range(len(transcript.entries)))
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Recorded({self._name!r})"

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The recorded answer in pieces, or the recorded failure."""
        entry = self._take(request.label)
        pieces = [entry.text[at : at + _PIECE] for at in range(0, len(entry.text), _PIECE)]
        for piece in pieces:
            await asyncio.sleep(entry.delay / len(pieces))
            if on_text is not None:
                on_text(piece)
        if entry.error is not None:
            await asyncio.sleep(0 if pieces else entry.delay)
            error = entry.error
            raise ProviderFailure(error.message, error.kind, status=error.status, retry_after=error.retry_after)
        cost = self._info.price(entry.usage) if entry.cost is None and self._info else entry.cost
        return Answer(entry.text, entry.stop, entry.usage, cost, self._model, entry.delay)

    def _take(self, label: str) -> TranscriptEntry:
        with self._lock:
            for index in self._left:
                if self._entries[index].label in ("", label) or not label:
                    self._left.remove(index)
                    return self._entries[index]
            left = len(self._left)
        asked = f" for {label!r}" if label else ""
        rest = f"{left} are left for other requests" if left else "all are used"
        raise ProviderFailure(
            f"the recording {self._name} has no further answer{asked}: of its {len(self._entries)} answers {rest}",
            "permanent",
        )
