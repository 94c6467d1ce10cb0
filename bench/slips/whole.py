"""Slips of whole files: what must never be written over a file, and what the file keeps all the same."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import applied
from bench.slips.elision import MARKS
from bench.slips.registry import indent_of, slip

WHOLE = ("whole_file",)


def _after(draft: Draft) -> list[str]:
    return [text for text, _ in applied(draft.lines, draft.ends, draft.truth)]


@slip("whole file", "apply", WHOLE)
def whole_over_crlf(draft: Draft) -> bool:
    draft.set_ends("\r\n")
    return True


@slip("whole file", "apply", WHOLE)
def whole_over_byte_order_mark(draft: Draft) -> bool:
    draft.bom = "\ufeff"
    return True


@slip("whole file", "apply", WHOLE)
def whole_over_open_end(draft: Draft) -> bool:
    """The last newline stays missing, since a fence cannot say whether it is meant."""
    draft.open_end = True
    return bool(_after(draft)[-1].strip()) and bool(draft.lines[-1].strip())


@slip("whole file", "refuse", WHOLE)
def whole_elided(draft: Draft) -> bool:
    """A mark stands for lines that would be lost."""
    after = _after(draft)
    if len(after) < 20:
        return False
    at = draft.rng.randrange(5, len(after) - 12)
    mark = draft.rng.choice([mark for mark in MARKS if mark != "..."] + ["# rest of the file unchanged"])
    draft.wording.whole = [*after[:at], indent_of(after[at]) + mark, *after[at + 10 :]]
    return True


@slip("whole file", "refuse", WHOLE)
def whole_summarised(draft: Draft) -> bool:
    """A description where the content should be."""
    draft.wording.whole = ["The file now handles the missing case; everything else is as before."]
    return True


@slip("whole file", "noop", WHOLE)
def whole_as_it_is(draft: Draft) -> bool:
    draft.wording.whole = list(draft.lines)
    return True
