"""What files bring along that models do not see: line endings, byte order marks, odd bytes, a missing last newline."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import Passage, applied, unmistakable
from bench.slips.registry import slip
from bench.slips.whitespace import slides


@slip("line ends", "apply", joins=True)
def crlf_file(draft: Draft) -> bool:
    draft.set_ends("\r\n")
    return True


@slip("line ends", "apply", joins=True)
def cr_file(draft: Draft) -> bool:
    draft.set_ends("\r")
    return True


@slip("line ends", "apply", joins=True)
def mixed_line_ends(draft: Draft) -> bool:
    """Any ending on any line, but one only around each change, so that the new lines' ending is determined."""
    if any(slides(passage) for passage in draft.truth):
        return False
    draft.ends = [draft.rng.choice(("\n", "\r\n")) for _ in draft.lines]
    for passage in draft.truth:
        passage.end = draft.rng.choice(("\n", "\r\n"))
        first, last = _touched(passage)
        for at in range(max(0, first - 1), min(len(draft.lines), last + 1)):
            draft.ends[at] = passage.end
    return len(set(draft.ends)) == 2


def _touched(passage: Passage) -> tuple[int, int]:
    """File lines from the first to the last change."""
    changed = passage.changed()
    first = passage.start + sum(kind != "+" for kind, _ in passage.ops[: changed[0]])
    return first, passage.start + sum(kind != "+" for kind, _ in passage.ops[: changed[-1] + 1])


@slip("byte order mark", "apply", joins=True)
def byte_order_mark(draft: Draft) -> bool:
    draft.bom = "\ufeff"
    return True


@slip("final newline", "apply", joins=True)
def no_final_newline(draft: Draft) -> bool:
    """The file ends with the last passage, and without a newline."""
    stop = draft.truth[-1].stop
    del draft.lines[stop:], draft.ends[stop:]
    draft.open_end = True
    after = applied(draft.lines, draft.ends, draft.truth)
    # A blank last line could not be told from a final newline.
    solid = bool(after) and bool(after[-1][0].strip()) and bool(draft.lines[-1].strip())
    return solid and len(draft.lines) > 5 and unmistakable(draft.lines, draft.said)


@slip("odd bytes", "apply", joins=True)
def legacy_bytes_elsewhere(draft: Draft) -> bool:
    """Bytes that are no UTF-8, in lines the edit does not touch; what it adds is ASCII."""
    if not all(text.isascii() for p in draft.said for kind, text in p.ops if kind == "+"):
        return False
    inside = {at for p in draft.truth for at in range(p.start, p.stop)}
    free = [at for at, text in enumerate(draft.lines) if at not in inside and text.strip()]
    for at in draft.rng.sample(free, min(3, len(free))):
        draft.lines[at] += " \udce9\udcff"
    return bool(free)


@slip("odd bytes", "either")
def legacy_bytes_in_context(draft: Draft) -> bool:
    """The model was shown a replacement character for a byte that is no UTF-8."""
    spots = list(draft.region(" "))
    if not spots:
        return False
    passage, k, at = draft.rng.choice(spots)
    said = draft.said[draft.truth.index(passage)]
    said.ops[k] = (" ", said.ops[k][1] + " caf\ufffd")
    draft.set_line(passage, k, at, passage.ops[k][1] + " caf\udce9")
    return True


@slip("odd bytes", "apply", joins=True)
def separators_inside_lines(draft: Draft) -> bool:
    """Form feed, vertical tab, next line and line separator do not end a line."""
    spots = list(draft.region(" "))
    if not spots:
        return False
    for passage, k, at in draft.rng.sample(spots, min(2, len(spots))):
        odd = passage.ops[k][1] + draft.rng.choice((" \f", " \x0b", " \x85", " \u2028", " \u2029", " \x1c")) + "end"
        draft.said[draft.truth.index(passage)].ops[k] = (" ", odd)
        draft.set_line(passage, k, at, odd)
    return True
