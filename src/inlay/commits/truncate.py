"""Keep what accompanies a diff within its share of a request, as the model counts tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inlay.llm.tokens import Measure
from inlay.prompts import sanitise

_NOTE = 30  # tokens of the words that say how much is missing


@dataclass(frozen=True, slots=True)
class Truncator:
    """Cuts texts and lists to a number of tokens; whatever is cut ends with a note of how much is missing."""

    measure: Measure

    def text(self, text: str, tokens: int) -> str:
        """All of a text, or its beginning."""
        # Blanks aside, no tokenizer packs twenty characters into a token: beyond that, measuring is waste.
        if len(text) <= tokens * 20 and self._count(text) <= tokens:
            return text
        fits, beyond = 0, min(len(text), tokens * 20)
        while beyond - fits > 1:
            middle = (fits + beyond) // 2
            fits, beyond = (middle, beyond) if self._count(text[:middle]) <= tokens - _NOTE else (fits, middle)
        return f"{text[:fits]}\n[… {len(text) - fits:,} characters left out …]"

    def names(self, names: Sequence[str], tokens: int) -> tuple[str, ...]:
        """All of a list, or its beginning and how many more there are."""
        shown: list[str] = []
        used = 0
        for name in names:
            line = sanitise.line(name)
            used += self._count(f"- {line}\n")
            if used > tokens - _NOTE:
                return (*shown, f"and {len(names) - len(shown):,} more")
            shown.append(line)
        return tuple(shown)

    def _count(self, text: str) -> int:
        return self.measure(text.encode("utf-8", "replace"))
