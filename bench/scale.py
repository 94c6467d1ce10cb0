"""Files of any length and edits to their middle, for measuring how the engine grows."""

from __future__ import annotations

import html
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_WORDS = ("request", "handler", "index", "value", "cache", "result", "buffer", "parser", "config", "stream", "token")
PATH = "src/module.py"


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
