"""Turns a plan into changes of lines: every new member at its place, indented and spaced as its neighbours are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from inlay.engine.languages.outlines.outline import BLOCKS, Inline, Member, Outline, Scope
from inlay.engine.merging.extend.additions import Addition, MergePlan, Replacement
from inlay.engine.merging.extend.position import needs_new, place
from inlay.engine.merging.line_changes import LineChange
from inlay.text.lines import indent_of, is_blank

_ORDER = {"preamble": 0, "import": 1, "field": 2}


def changes(old: Outline, new: Outline, plan: MergePlan) -> list[LineChange]:
    arranger = _Arranger(old, new)
    out = [arranger.replaced(each) for each in plan.replacements]
    ranked: list[tuple[int, int, int, Addition]] = []
    for addition in plan.additions:
        scope = addition.scope
        if scope.inline:
            line = scope.inline.line
        else:
            stub = _stub(old, scope)
            line = stub.start if stub else place(old, addition, plan.additions)
        rank = 3 if needs_new(addition, plan.additions) else _ORDER.get(addition.member.kind, 3)
        # A class at the end of a file ends where its module does: what joins the class goes first.
        ranked.append((line, -scope.opening, rank, addition))
    ranked.sort(key=lambda entry: entry[:3])
    for (line, _), group in groupby(ranked, key=lambda entry: (entry[0], id(entry[3].scope))):
        out.append(arranger.joined(line, [entry[3] for entry in group]))
    return out


def _stub(old: Outline, scope: Scope) -> Member | None:
    """A statement that only fills an empty body, and makes room for the first that means something."""
    solid = [member for member in scope.members if member.kind != "preamble"]
    if len(solid) != 1 or solid[0].kind != "stub" or "#" in old.lines[solid[0].start]:
        return None
    return solid[0]


class _Arranger:
    def __init__(self, old: Outline, new: Outline) -> None:
        self.old, self.new = old, new
        self.unit = old.unit()

    def replaced(self, each: Replacement) -> LineChange:
        commented = each.new.first < each.new.start
        first = each.old.first or each.old.start if commented else each.old.start
        target = indent_of(self.old.lines[each.old.start])
        begin = each.new.first if commented else each.new.start
        lines = fitted(self.new, begin, each.new.end, each.new.start, target, self._unit(each.scope))
        return LineChange(first, each.old.end, tuple(lines))

    def joined(self, at: int, additions: list[Addition]) -> LineChange:
        """All that goes to one place of one scope."""
        scope = additions[0].scope
        lines = self._lines(scope, additions, self._above(scope, at))
        if scope.inline:
            return LineChange(at, at + 1, tuple(self._unfolded(scope, scope.inline, lines)))
        stub = _stub(self.old, scope)
        end = stub.end if stub else at
        lead = self._lead(scope, at, additions[0].member)
        tail = self._tail(scope, end, additions[-1].member)
        return LineChange(at, end, ("",) * lead + tuple(lines) + ("",) * tail)

    def _lines(self, scope: Scope, additions: list[Addition], above: Member | None) -> list[str]:
        out: list[str] = []
        indent, section = self._indent(scope), self._section_at(scope, above)
        for n, addition in enumerate(additions):
            member = addition.member
            if n:
                out += [""] * self._between(scope, additions[n - 1].member, member)
            if member.section != section:
                section = member.section
                markers = [indent_of(self.old.lines[each.start]) for each in scope.members if each.kind == "section"]
                out.append((markers[0] if markers else indent) + self.old.marker.format(section))
                out += [""] if self.old.marker == "{}" else []
            if addition.lines:
                out += [indent + line for line in addition.lines]
            else:
                out += fitted(self.new, member.first, member.end, member.start, indent, self._unit(scope))
        return out

    def _section_at(self, scope: Scope, above: Member | None) -> str:
        return above.section if above is not None else scope.default_section

    def _between(self, scope: Scope, above: Member, below: Member) -> int:
        own = self.new.lines[above.end : below.first]
        # Signatures of one function huddle together as their author had them.
        if set(above.names) & set(below.names) and below.first >= above.end and all(map(is_blank, own)):
            return len(own)
        return gap(self.old, scope, above, below)

    def _indent(self, scope: Scope) -> str:
        if scope.indent or scope.module:
            return scope.indent
        header = indent_of(self.old.lines[scope.inline.line if scope.inline else scope.opening - 1])
        return header + (self.unit or self.new.unit() or "    ")

    def _unit(self, scope: Scope) -> str:
        """The step from the header of a class to its members; a file may mix its units."""
        if scope.module or scope.inline or not scope.indent:
            return self.unit
        header = indent_of(self.old.lines[scope.opening - 1])
        return scope.indent.removeprefix(header) if header != scope.indent else self.unit

    def _above(self, scope: Scope, at: int) -> Member | None:
        return next((each for each in reversed(scope.members) if each.end <= at and each.kind != "stub"), None)

    def _lead(self, scope: Scope, at: int, member: Member) -> int:
        content = at
        while content > scope.opening and is_blank(self.old.lines[content - 1]):
            content -= 1
        if content == scope.opening:
            return 0
        above = self._above(scope, at)
        width = gap(self.old, scope, above, member) if member.section == self._section_at(scope, above) else 1
        return max(0, width - (at - content))

    def _tail(self, scope: Scope, at: int, member: Member) -> int:
        content = at
        while content < scope.closing and is_blank(self.old.lines[content]):
            content += 1
        below = next((each for each in scope.members if content in (each.first, each.start)), None)
        if content >= scope.closing or below is None:
            return 0
        return max(0, gap(self.old, scope, member, below) - (content - at))

    def _unfolded(self, scope: Scope, at: Inline, lines: list[str]) -> Iterator[str]:
        whole = self.old.lines[at.line]
        if at.closer:
            yield whole[: at.end].rstrip(" ;" if whole.startswith("end", at.end) else " ")
            yield from lines
            yield indent_of(whole) + whole[at.end :]
            return
        yield whole[: at.start].rstrip() + whole[at.end :].rstrip(" ;")
        if any(member.kind != "stub" for member in scope.members):
            yield self._indent(scope) + whole[at.start : at.end]
        yield from lines


def gap(old: Outline, scope: Scope, above: Member | None, below: Member) -> int:
    """The blank lines between two members: the scope's habit, or the custom where it has none."""
    if above is not None and above.kind == "section":
        return 1 if old.marker == "{}" else 0
    if above is None and below.kind not in BLOCKS:
        return 1
    pair = (_sort(above), _sort(below))
    widths: Counter[int] = Counter()
    for upper, lower in pairwise(scope.members):
        between = old.lines[upper.end : lower.first]
        if (_sort(upper), _sort(lower)) == pair and lower.first >= upper.end and all(map(is_blank, between)):
            widths[len(between)] += 1
    if widths:
        # Equally frequent: the wider gap, so that nothing is crammed.
        return max(sorted(widths, reverse=True), key=lambda width: widths[width])
    if "block" in pair:
        return old.blank_lines if scope.module else 1
    return 0 if pair[0] == pair[1] else 1


def _sort(member: Member | None) -> str:
    return "block" if member is None or member.kind in BLOCKS else member.kind


@dataclass(frozen=True, slots=True)
class Layout:
    """From one indentation to another; what does not divide into whole units is alignment and stays."""

    base: str
    target: str
    unit: str
    new_unit: str

    def indented(self, line: str) -> str:
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
