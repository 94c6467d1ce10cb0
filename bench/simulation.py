"""A simulated model: it makes one slip in a right edit, and mends it with some chance whenever it is told."""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice

from bench.passages import FileChange, Span, cut, unmistakable
from bench.rendering import CONTEXT, PARTS, Wording, collides, render
from bench.slips import SLIPS, Slip
from bench.trials import Trial, trial
from inlay.landing.embed import EmbedRequest, embed
from inlay.llm.provider import OnText
from inlay.model.answer import Answer, Usage
from inlay.model.prompt import Request
from inlay.prompts.retry_feedback import DONE

MENDS = 0.5  #: chance that feedback makes the model mend its slip
_TRIES = 40  #: slips drawn for one change before it is given up
_WIDER = (0, 3, 8, 20, 60)  #: lines of surroundings that a careful model adds until a place is unmistakable
_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Case:
    """One change, the reply with its slip, the reply without, and from which attempt on the latter is sent."""

    trial: Trial
    right: str
    mended_from: int

    def reply(self, attempt: int) -> str:
        """What the model says at this attempt, 1-based."""
        return self.right if attempt >= self.mended_from else self.trial.response


def cases(changes: Sequence[FileChange], seed: int) -> Iterator[Case]:
    """A case for each change, every slip of every format as often as any other, as in the trials of single edits."""
    rng = random.Random(f"{seed}:cases")
    kinds = [(format, slip) for slip in SLIPS.values() for format in PARTS if _counts(slip, format)]
    rng.shuffle(kinds)
    left = list(changes)
    rng.shuffle(left)
    for format, slip in islice(cycle(kinds), len(changes)):
        found = next(((n, c) for n, c in enumerate(_made(left[:_TRIES], format, slip, seed, rng)) if c), None)
        if found is not None:
            del left[found[0]]
            yield found[1]


def _counts(slip: Slip, format: str) -> bool:
    """A file that needs no change is no task."""
    return format in slip.formats and slip.outcome != "noop"


def _made(
    changes: Sequence[FileChange], format: str, slip: Slip, seed: int, rng: random.Random
) -> Iterator[Case | None]:
    for change in changes:
        made = trial(change, format, slip, seed)
        right = rightly(made) if made is not None and made.outcome != "noop" else None
        yield Case(made, right, _mended_from(rng)) if made is not None and right is not None else None


def _mended_from(rng: random.Random) -> int:
    attempt = 2
    while rng.random() >= MENDS:
        attempt += 1
    return attempt


def rightly(made: Trial) -> str | None:
    """The edit as a careful model writes it for the file as it is.

    None where no words make it unmistakable, or where the result is no sound file: some slips append what no parser
    of the language takes, and a loop that checks its results could never end well.
    """
    change = _change(made)
    for more in _WIDER:
        passages = cut(change, CONTEXT[made.format] + more)
        if unmistakable(change.before, passages) and not collides(made.format, passages):
            text = render(made.format, passages, made.path, change.tag, Wording()).text
            done = embed(EmbedRequest(made.path, made.original, text, made.format, check=True))
            return text if done.content == made.accepted[0] else None
    return None


def _change(made: Trial) -> FileChange:
    before, after = (_lines(text) for text in (made.original, made.accepted[0]))
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    spans = tuple(Span(a, b - a, c, d - c) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal")
    return FileChange(made.id, made.path, tuple(before), tuple(after), spans)


def _lines(text: str) -> list[str]:
    lines = _END.split(text.removeprefix("\ufeff"))
    return lines[:-1] if lines[-1] == "" else lines


@dataclass(slots=True)
class Simulated:
    """Speaks as a provider does, for one case."""

    case: Case
    count: Callable[[str], int]
    requests: list[Request] = field(default_factory=list)

    async def ask(self, request: Request, on_text: OnText | None = None) -> Answer:
        """The case's reply to this attempt."""
        self.requests.append(request)
        attempt = len(self.requests)
        # Once everything right was sent, the honest answer to "if nothing is left" is that nothing is.
        done = attempt > self.case.mended_from and DONE in request.prompt.messages[-1].text
        text = DONE if done else self.case.reply(attempt)
        usage = Usage(input=self.count(request.prompt.text), output=self.count(text))
        return Answer(text, "end", usage, 0.0, "simulated")
