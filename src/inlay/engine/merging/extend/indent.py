"""Lays out a new member as the place it goes to demands: that indentation, in the file's own unit."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.engine.merging.extend.outline import Outline
from inlay.text.lines import indent_of, is_blank


@dataclass(frozen=True, slots=True)
class Layout:
    """From one indentation to another; what does not divide into whole units is alignment and stays."""

    base: str
    target: str
    unit: str
    new_unit: str

    def indented(self, line: str) -> str:
        """The line as the file would indent it."""
        if is_blank(line):
            return ""
        indent = indent_of(line)
        if not indent.startswith(self.base):
            # Tabs mixed with blanks, or a preprocessor line at the margin: only less indentation means a label.
            moves = self.base.startswith(indent) and not line.startswith("#")
            return self.target + line.lstrip() if moves else line
        rest, depth = indent[len(self.base) :], 0
        while self.unit and self.unit != self.new_unit and rest.startswith(self.unit):
            rest, depth = rest[len(self.unit) :], depth + 1
        return self.target + self.new_unit * depth + rest + line[len(indent) :]


def fitted(new: Outline, first: int, end: int, start: int, target: str, unit: str) -> list[str]:
    """Lines `first` up to `end` of the new text for a place indented by `target`; `start` is where the code begins."""
    base = indent_of(new.lines[start])
    own = new.unit()
    # The same depth under a header of its own means the same unit, whatever alignment seems to say.
    if base == target and (base or not own or not unit or own == unit):
        return new.lines[first:end]
    kept = new.verbatim()
    layout = Layout(base, target, own if unit else "", unit or own)
    return [new.lines[n] if n in kept else layout.indented(new.lines[n]) for n in range(first, end)]
