"""How the engine grows: edits to the middle of files of any length, and inputs that are made to be slow."""

from __future__ import annotations

import argparse
import gc
import html
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.appliers import ROOT
from bench.report import table

if TYPE_CHECKING:
    from bench.hostile import Hostile

_WORDS = ("request", "handler", "index", "value", "cache", "result", "buffer", "parser", "config", "stream", "token")
PATH = "src/module.py"
MOST_SECONDS = 2.0  #: CPU time for any input of up to 20 MB
MOST_GROWTH = 2.6  #: times as long for twice the input; 2, and some noise
_NOISE = 0.1  # seconds, below which growth says nothing


@dataclass(frozen=True, slots=True)
class Load:
    """One edit to one long file."""

    kind: str
    text: str
    find: tuple[str, ...]
    replace: tuple[str, ...]
    lands: bool  #: whether it must be applied; else it must be refused

    def reply(self) -> str:
        """The edit as a model writes it."""
        sides = ("".join(f"{line}\n" for line in side) for side in (self.find, self.replace))
        return "### CHANGE 1: adjust\nFIND:\n```python\n{}```\n\nREPLACE WITH:\n```python\n{}```\n".format(*sides)


def source(lines: int) -> list[str]:
    """Plausible code, every function of its own name."""
    rng = random.Random(lines)
    out: list[str] = []
    for n in range(0, lines, 6):
        a, b, c = (rng.choice(_WORDS) for _ in range(3))
        out += [f"def {a}_{n}(self, {b}):", f'    {c}_{n % 97} = self.{a}("{n % 89}")']
        out += [f"    if {b} is None and {c} < {n}:", f"        return {a}", f"    return {c}_{n % 97}", ""]
    return out[:lines]


def loads(lines: int) -> Iterator[Load]:
    """Every kind of load for a file of so many lines, those that must be applied first."""
    code = source(lines)
    at = lines // 2 // 6 * 6
    block, text = code[at : at + 5], "\n".join(code) + "\n"
    wide = code[at : at + 8]  # with the blank line behind it and the head of the next function
    for kind, change in _APPLIED.items():
        old, new = change(wide), change([*wide[:3], "        return changed", *wide[4:]])
        yield Load(kind, text, tuple(old), tuple(new), True)
    absent = [*block[:3], "        raise NoSuchLine(anywhere)", *block[4:]]
    yield Load("refused: not there", text, tuple(absent), tuple(block[:3]), False)
    garbled = [line.replace("e", "eye") for line in block]
    yield Load("refused: garbled", text, tuple(garbled), tuple(garbled[:3]), False)
    yield Load("refused: two places", text + "\n".join(block) + "\n", tuple(block), tuple(block[:3]), False)
    alike = "    }\n" * lines
    yield Load("refused: all lines alike", alike, ("    }",) * 8, ("    }",) * 7, False)
    yield Load("refused: nearly alike", alike, ("    }",) * 8 + ("    ]",), ("    }",) * 7, False)


def _each(change: Callable[[str], str]) -> Callable[[list[str]], list[str]]:
    return lambda block: [change(line) if line else line for line in block]


_APPLIED: dict[str, Callable[[list[str]], list[str]]] = {
    "exact": list,
    "trailing blanks": _each(lambda line: f"{line}  "),
    "indentation": _each(lambda line: f"    {line}"),
    "tabs": _each(lambda line: line.replace("    ", "\t")),
    "look-alikes": _each(lambda line: line.replace('"', "\u201d")),
    "html escapes": _each(lambda line: html.escape(line, quote=False)),
    "blank line lost": lambda block: [line for line in block if line],
    "near miss": lambda block: [block[0], block[1].replace("self", "slef"), *block[2:]],
    "elision": lambda block: [block[0], "    # ...", *block[2:]],
}


def main(argv: Sequence[str]) -> int:
    """Measure every hostile input at half its size and at its size; 0 when all are quick, linear and as expected."""
    parser = argparse.ArgumentParser(prog="python -m bench scale", description=main.__doc__)
    parser.add_argument("--only", default="", help="part of the names of the inputs to measure")
    parser.add_argument("--share", type=float, default=1.0, help="of the full sizes")
    options = parser.parse_args(argv)
    sys.path.insert(0, str(ROOT / "src"))
    from bench.hostile import KINDS

    rows, short = [], list[str]()
    for name, kind in KINDS.items():
        if options.only in name:
            size = int(kind.size * options.share)
            (half, _), (whole, outcome) = _seconds(kind.make(size // 2)), _seconds(kind.make(size))
            growth = whole / max(half, 1e-9)
            rows.append((name, f"{size:,}", f"{half:.2f}", f"{whole:.2f}", f"{growth:.1f}", outcome))
            short += [f"{name}: {whole:.2f} s > {MOST_SECONDS:g} s"] if whole > MOST_SECONDS else []
            short += [f"{name}: grows {growth:.1f} times"] if whole > _NOISE and growth > MOST_GROWTH else []
            if options.share == 1 and outcome != kind.outcome:
                short.append(f"{name}: {outcome} where {kind.outcome} is expected")
    print(table(("input", "size", "s at half", "s", "growth", "outcome"), rows))
    print("\nMISSED\n" + "\n".join(f"- {reason}" for reason in short) if short else "\nEvery target is reached.")
    return 1 if short else 0


def _seconds(case: Hostile) -> tuple[float, str]:
    """CPU seconds of reading and staging, and what came of it; the better of two runs where they are short."""
    from inlay.landing.embed import EmbedRequest, embed

    request = EmbedRequest("a.txt", case.text, case.reply, case.format)
    times, outcome = [], ""
    while not times or (len(times) < 2 and times[0] < MOST_SECONDS):
        gc.collect()
        began = time.process_time()
        result = embed(request)
        times.append(time.process_time() - began)
        outcome = "lands" if result.refusal is None else result.refusal.misfits[0].code
    return min(times), outcome
