"""Slips about what is done already: by an earlier edit of the reply, by a later one, or before the reply came."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import Op, Passage, applied, cut, loosely, places, unmistakable
from bench.rendering import BLOCKS, collides
from bench.slips.registry import slip


@slip("state", "apply", BLOCKS)
def earlier_edit_quoted(draft: Draft) -> bool:
    """The second edit's context shows what the first one makes of the line above it."""
    draft.hide_numbers()
    return _neighbours(draft, later=False)


@slip("state", "either", BLOCKS)
def later_edit_quoted(draft: Draft) -> bool:
    """The first edit's context shows what the second one will make of the line below it."""
    draft.hide_numbers()
    return _neighbours(draft, later=True)


def _neighbours(draft: Draft, *, later: bool) -> bool:
    """Two changes as edits of their own, one of which shows the other as made."""
    spans = draft.change.spans
    near = [k for k in range(len(spans) - 1) if 0 < spans[k + 1].old - spans[k].old - spans[k].gone <= 2]
    if not near:
        return False
    k = draft.rng.choice(near)
    change, first, second = draft.change, spans[k], spans[k + 1]
    before, after = change.before, change.after
    gap: list[Op] = [(" ", text) for text in before[first.old + first.gone : second.old]]
    head: list[Op] = [(" ", text) for text in before[max(0, first.old - 2) : first.old]]
    tail: list[Op] = [(" ", text) for text in before[second.old + second.gone : second.old + second.gone + 2]]
    one, two = (
        [("-", text) for text in before[s.old : s.old + s.gone]]
        + [("+", text) for text in after[s.new : s.new + s.come]]
        for s in (first, second)
    )
    start = max(0, first.old - 2)
    made: list[Op] = [(" ", text) for kind, text in (two if later else one) if kind == "+"]
    if not made:
        return False
    if later:
        edits = [Passage(start, head + one + gap + made), Passage(first.old + first.gone, gap + two + tail)]
    else:
        edits = [Passage(start, head + one + gap), Passage(first.old, made + gap + two + tail)]
    return _told_as(draft, edits, k)


def _told_as(draft: Draft, edits: list[Passage], k: int) -> bool:
    """Make these the only edits of the draft, and their two changes the whole truth."""
    both = draft.change.spans[k : k + 2]
    draft.truth = cut(type(draft.change)("", "", draft.change.before, draft.change.after, both), 2)
    draft.said = edits
    first, second = edits
    state = [text for text, _ in applied(draft.lines, draft.ends, draft.truth)]
    told = loosely(second.old())
    # Each quotes one place only, in the file and in what it becomes.
    if collides(draft.format, edits) or any(not p.old() for p in edits):
        return False
    if first.find is None and second.ops and len(places(loosely(draft.lines), loosely(first.old()))) > 1:
        return False
    return len(places(loosely(draft.lines), told)) <= 1 and len(places(loosely(state), told)) <= 1


@slip("state", "apply")
def some_made_already(draft: Draft) -> bool:
    """One of several edits stands in the file already; the others are still to be made."""
    if len(draft.truth) < 2:
        return False
    k = draft.rng.randrange(len(draft.truth))
    made = draft.truth[k]
    rows = applied(draft.lines, draft.ends, [made])
    grown = sum(kind == "+" for kind, _ in made.ops) - sum(kind == "-" for kind, _ in made.ops)
    draft.lines, draft.ends = [text for text, _ in rows], [end for _, end in rows]
    bare = loosely(draft.lines)
    for passage in draft.truth[k + 1 :]:
        passage.start += grown
    del draft.truth[k]
    gone = not places(bare, loosely(made.old()))
    return gone and len(places(bare, loosely(made.new()))) == 1 and unmistakable(draft.lines, draft.truth)


@slip("state", "refuse")
def made_elsewhere(draft: Draft) -> bool:
    """The lines to be replaced have changed, and the wanted result stands somewhere else."""
    draft.hide_numbers()
    passage = _changed_in_file(draft)
    return passage is not None and draft.insert_outside(passage.new()) is not None


@slip("state", "refuse")
def made_by_the_reply(draft: Draft) -> bool:
    """The lines to be replaced have changed, and another edit writes the wanted result somewhere else."""
    draft.hide_numbers()
    if len(draft.said) < 2:
        return False
    passage = _changed_in_file(draft)
    if passage is None:
        return False
    return _also_written(draft, passage, passage.new())


@slip("state", "refuse")
def quotation_made_by_the_reply(draft: Draft) -> bool:
    """The lines to be replaced have changed, and a later edit writes somewhere else what was quoted."""
    draft.hide_numbers()
    passage = _changed_in_file(draft)
    if passage is None or passage is not draft.said[0] or len(draft.said) < 2:
        return False
    return _also_written(draft, passage, passage.old())


def moved_on(text: str) -> str:
    """A line that has changed since, neither at its beginning nor at its end: it must not look cut off."""
    middle = len(text) - len(text.strip()) // 2
    return f"{text[:middle]} moved_on {text[middle:]}"


def _changed_in_file(draft: Draft) -> Passage | None:
    """What is said of a passage of which a removed line is no longer in the file as quoted."""
    spots = list(draft.region("-"))
    if not spots:
        return None
    passage, k, at = draft.rng.choice(spots)
    said = draft.said[draft.truth.index(passage)]
    draft.set_line(passage, k, at, moved_on(passage.ops[k][1]))
    return said if not places(draft.lines, said.old()) and not places(draft.lines, said.new()) else None


def _also_written(draft: Draft, passage: Passage, lines: list[str]) -> bool:
    other = next(p for p in draft.said if p is not passage)
    if draft.said.index(other) < draft.said.index(passage) and lines is not passage.new():
        return False
    at = other.changed()[-1] + 1
    other.ops[at:at] = [("+", text) for text in lines]
    return True


@slip("state", "either", BLOCKS)
def change_shown_as_made(draft: Draft) -> bool:
    """FIND shows one of its changes as made, and the file does not have it."""
    for passage in draft.said:
        runs = [run for run in _runs(passage) if _differs(passage, *run)]
        if len(runs) < 2:
            continue
        first, last = draft.rng.choice(runs)
        shown = [op for k, op in enumerate(passage.ops) if not (first <= k < last and op[0] == "-")]
        passage.find = [text for k, (kind, text) in enumerate(passage.ops) if _is_shown(k, kind, first, last)]
        passage.replace = [text for kind, text in shown if kind != "-"]
        return passage.find != passage.replace and not places(draft.lines, passage.find)
    return False


def _differs(passage: Passage, first: int, last: int) -> bool:
    """Whether more than blanks change; blanks alone are taken for a slip in the quotation, and rightly so."""
    old, new = (loosely(text for kind, text in passage.ops[first:last] if kind == sign) for sign in "-+")
    return old != new


def _is_shown(k: int, kind: str, first: int, last: int) -> bool:
    return kind != "-" if first <= k < last else kind != "+"


def _runs(passage: Passage) -> list[tuple[int, int]]:
    """The runs of operations that change something, as index ranges."""
    out: list[tuple[int, int]] = []
    for k in passage.changed():
        if out and out[-1][1] == k:
            out[-1] = (out[-1][0], k + 1)
        else:
            out.append((k, k + 1))
    return out


@slip("state", "refuse")
def places_run_together(draft: Draft) -> bool:
    """Two distant places as one quotation, without a mark for the lines between them."""
    for k in range(len(draft.said) - 1):
        first, second = draft.said[k], draft.said[k + 1]
        if sum(bool(text.strip()) for text in draft.lines[first.stop : second.start]) >= 4:
            first.ops = first.ops + second.ops
            first.reach = second.stop - first.start
            del draft.said[k + 1]
            draft.hide_numbers()
            return True
    return False
