"""Which test shows which requirement: as the document says, or else by the words they share."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from inlay.implement.spec.document import PlannedTest, Requirement, Spec

ENOUGH = 0.95  #: of the requirements must have a test
_SHARE = 0.25  # of what a requirement says, by weight, that a test must say as well
_LEAD = 0.6  # the same of its first words, where a colon follows them
_WORD = re.compile(r"[a-z][a-z0-9]+|\d+")
_VAIN = frozenset(
    "a an and any are as at be been before but by can cannot does each for from has have if in into is it its may must "
    "no not of on only or per should so still than that the their them then there these they this to up use used user "
    "uses via was we what when where which will with without test tests testing true false returns return all new "
    "system continue continues proceed also after".split()
)
_ENDINGS = "ations ation ating ated ates ate ities ity ments ment ings ing ions ion ies ied ers er ed es ly al s y e"


@dataclass(frozen=True, slots=True)
class Traced:
    requirement: Requirement
    tests: tuple[PlannedTest, ...]
    said: bool  #: whether the document says so, or only words were compared


def trace(spec: Spec) -> tuple[Traced, ...]:
    """Every requirement with its tests; tests by hand do not count."""
    tests = [test for test in spec.tests if not test.manual]
    seen = Counter(word for test in tests for word in stems(test.words))
    weights = {word: math.log(1 + len(tests) / count) for word, count in seen.items()}
    said = any(test.requirements for test in tests)  # a document that says for one test what it shows says so for all
    traced = []
    for requirement in spec.requirements:
        own = [test for test in tests if requirement.id in test.requirements]
        if not said:
            close = [(_closeness(requirement.text, test, weights), test) for test in tests]
            best = max((weight for weight, _ in close), default=0.0)
            own = [test for weight, test in close if weight and weight >= 0.8 * best]
        traced.append(Traced(requirement, tuple(own), said))
    return tuple(traced)


def share(traced: Iterable[Traced]) -> float:
    """Which part of the requirements has a test; all of them where there are none."""
    tested = [bool(entry.tests) for entry in traced]
    return sum(tested) / len(tested) if tested else 1.0


def _closeness(text: str, test: PlannedTest, weights: dict[str, float]) -> float:
    """How much of a requirement a test says, or of the words before its colon; 0 for too little."""
    words = stems(test.words)
    lead, colon, _ = text.partition(":")
    whole, first = _common(stems(text), words, weights), _common(stems(lead), words, weights)
    return max(whole if whole >= _SHARE else 0.0, first if colon and first >= _LEAD else 0.0)


def _common(wanted: frozenset[str], words: frozenset[str], weights: dict[str, float]) -> float:
    """The weight of the shared words among all that are wanted; one word in common is chance."""
    common = wanted & words
    unseen = max(weights.values(), default=1.0)
    total = sum(weights.get(word, unseen) for word in wanted)
    return sum(weights[word] for word in common) / total if len(common) >= 2 else 0.0


def stems(text: str) -> frozenset[str]:
    """The words of a text that mean something, without their endings."""
    return frozenset(_stem(word) for word in _WORD.findall(text.lower()) if word not in _VAIN)


def _stem(word: str) -> str:
    for ending in _ENDINGS.split():
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
