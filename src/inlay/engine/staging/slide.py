"""Chooses where an added or removed stretch begins when its first lines repeat after it.

`}` + new function + `}` can be read as a function added after the brace or before it. The text is the same either
way, but which of the equal lines is the file's own decides whose trailing blanks survive. Measures as git does when
it draws a diff: a stretch should begin where the indentation is low and after a blank line.
"""

from __future__ import annotations

from inlay.model.edit import Op
from inlay.text.lines import indent_of, is_blank

_LOW = 60  # how much a lower indentation outweighs everything else
_AT_START, _AT_END = 1, 21
_BLANKS, _BLANK_AFTER = -30, 6
_DEEPER, _DEEPER_AFTER_BLANK = -4, 10
_SHALLOWER, _SHALLOWER_AFTER_BLANK = 24, 17
_BACK, _BACK_AFTER_BLANK = 23, 17
_MOST_STEPS = 100


def settle(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """The same edit with every stretch that could slide moved to where it reads best."""
    out = list(ops)
    n = 0
    while n < len(out):
        end = n
        while end < len(out) and out[end][0] == out[n][0]:
            end += 1
        alone = out[n][0] != " " and (end == len(out) or out[end][0] == " ") and (n == 0 or out[n - 1][0] == " ")
        n = _slide(out, n, end) if alone else end
    return tuple(out)


def _slide(ops: list[Op], start: int, end: int) -> int:
    """Moves one stretch in place; answers where to go on."""
    kind = ops[start][0]
    side = "-" if kind == "+" else "+"
    up = down = 0
    while up < _MOST_STEPS and start - up > 0 and ops[start - up - 1] == (" ", ops[end - up - 1][1]):
        up += 1
    while down < _MOST_STEPS and end + down < len(ops) and ops[end + down] == (" ", ops[start + down][1]):
        down += 1
    if not up and not down:
        return end
    lines = [(n, text) for n, (k, text) in enumerate(ops) if k != side]
    index = next(i for i, (n, _) in enumerate(lines) if n == start)
    texts, size = [text for _, text in lines], end - start
    best = min(range(-up, down + 1), key=lambda by: (_Score(texts, index + by, size), -by))
    flat: list[Op] = [(" ", text) for _, text in ops[start - up : end + down]]
    for n in range(up + best, up + best + size):
        flat[n] = (kind, flat[n][1])
    ops[start - up : end + down] = flat
    return end + down


class _Score:
    """How well a stretch of `size` lines reads from `at` on; the lower the better."""

    __slots__ = ("indent", "penalty")

    def __init__(self, texts: list[str], at: int, size: int) -> None:
        self.indent = self.penalty = 0
        for split in (at, at + size):
            self._add(texts, split)

    def __lt__(self, other: _Score) -> bool:
        return _LOW * ((self.indent > other.indent) - (self.indent < other.indent)) + self.penalty - other.penalty < 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Score) and not self < other and not other < self

    __hash__ = None  # type: ignore[assignment]

    def _add(self, texts: list[str], split: int) -> None:
        """Judge one of the two cuts that a stretch makes: the line below it, and what stands around."""
        here = _near(texts, range(split, min(split + 1, len(texts))))[0]
        above, gap = _near(texts, range(split - 1, -1, -1))
        below, more = _near(texts, range(split + 1, len(texts)))
        blank_after = 1 + more if here < 0 else 0
        indent = here if here >= 0 else below
        self.indent += indent
        self.penalty += _AT_START if above < 0 and not gap else 0
        self.penalty += _AT_END if split >= len(texts) else 0
        self.penalty += _BLANKS * (gap + blank_after) + _BLANK_AFTER * blank_after
        self.penalty += _step(above, indent, below, is_apart=bool(gap + blank_after))


def _step(above: int, indent: int, below: int, *, is_apart: bool) -> int:
    """What it costs that the indentation changes at a cut."""
    if indent < 0 or above < 0 or indent == above:
        return 0
    if indent > above:
        return _DEEPER_AFTER_BLANK if is_apart else _DEEPER
    if below > indent:
        return _SHALLOWER_AFTER_BLANK if is_apart else _SHALLOWER
    return _BACK_AFTER_BLANK if is_apart else _BACK


def _near(texts: list[str], where: range) -> tuple[int, int]:
    """The indentation of the first line that shows anything, and how many blank ones come before it."""
    blank = 0
    for n in where:
        if not is_blank(texts[n]):
            return len(indent_of(texts[n]).expandtabs(8)), blank
        blank += 1
    return -1, blank
