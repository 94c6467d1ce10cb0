"""The turns of a conversation: only ever added at the end, and left out in the middle where they do not fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inlay.errors import ProviderFailure
from inlay.generation.request_mode import Count, rough
from inlay.model.answer import ModelInfo
from inlay.model.prompt import Message, Prompt

_NOTHING = "(no text)"  # providers take no empty turn
_LEFT_OUT = "(this answer was left out, because there is no room for it)"
_LEAST_OUTPUT = 256  # tokens; with less room than that no answer is worth asking for


@dataclass(frozen=True, slots=True)
class Turns:
    """Everything that was said, as it would be sent."""

    prompt: Prompt

    def followed(self, answer: str, reaction: str) -> Turns:
        """With what the model said and what is said about it."""
        turns = (Message("assistant", answer.strip() or _NOTHING), Message("user", reaction, keep=True))
        return Turns(replace(self.prompt, messages=self.prompt.messages + turns))

    def fitted(self, info: ModelInfo, count: Count, wanted: int) -> tuple[Prompt, int]:
        """What to send, and how many tokens are left for the answer, of which `wanted` are enough."""
        for prompt in (self.prompt, self._shortened()):
            room = _room(prompt, info, count)
            if room >= min(wanted, info.max_output):
                return prompt, min(info.max_output, room)
        if room < _LEAST_OUTPUT:
            message = f"the request does not fit {info.name}: it has {info.context:,} tokens in all"
            raise ProviderFailure(message, "permanent")
        return prompt, min(info.max_output, room)

    def _shortened(self) -> Prompt:
        """The task and the last reaction: what was wrong stands there, and the task before it stays as it was."""
        first, *others = self.prompt.messages
        kept = (first, Message("assistant", _LEFT_OUT), others[-1]) if others else (first,)
        return replace(self.prompt, messages=kept)


def _room(prompt: Prompt, info: ModelInfo, count: Count) -> int:
    room = info.context - rough(prompt.text)
    return room if room >= info.max_output else info.context - count(prompt.text)
