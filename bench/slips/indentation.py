"""Slips in indentation: shifted, cut, written with another unit, or lost on the first line only."""

from __future__ import annotations

import re

from bench.draft import Draft
from bench.passages import Passage
from bench.rendering import BLOCKS
from bench.slips.registry import indent_of, slip


@slip("indentation", "apply", joins=True)
def indented_deeper(draft: Draft) -> bool:
    unit = "\t" if any(text.startswith("\t") for text in draft.lines) else "    "
    return draft.reword(lambda text: unit + text)


@slip("indentation", "apply", joins=True)
def indentation_cut(draft: Draft) -> bool:
    """The whole passage moved to the margin, as when it is quoted out of a class."""
    hit = False
    for passage in draft.said:
        width = _shared([indent_of(text) for text in _solid(passage)])
        passage.ops = [(kind, text[width:] if text.strip() else text) for kind, text in passage.ops]
        hit = hit or width > 0
    return hit


@slip("indentation", "apply", BLOCKS, joins=True)
def first_line_outdented(draft: Draft) -> bool:
    """The first line lost its indentation, all others have theirs."""
    hit = False
    for passage in draft.said:
        kind, text = passage.ops[0]
        if kind == " " and indent_of(text) and text.strip():
            passage.ops[0] = (kind, text.lstrip())
            hit = True
    return hit


@slip("indentation", "apply", joins=True)
def tabs_swapped(draft: Draft) -> bool:
    """Spaces for the file's tabs, or tabs for its spaces."""
    leads = [indent_of(text) for passage in draft.said for text in _solid(passage)]
    tabbed = any("\t" in lead for lead in leads)
    if any(" \t" in lead or (tabbed and " " in lead) for lead in leads) or not all(map(_has_evidence, draft.said)):
        return False
    if tabbed:
        return draft.reword(lambda text: indent_of(text).replace("\t", "    ") + text.lstrip("\t"))
    unit = 4 if all(len(lead) % 4 == 0 for lead in leads) else 2
    if any(len(lead) % unit for lead in leads):
        return False
    return draft.reword(lambda text: "\t" * (len(indent_of(text)) // unit) + text.lstrip(" "))


@slip("indentation", "apply", joins=True)
def unit_halved(draft: Draft) -> bool:
    """Two spaces a level where the file has four."""
    return _steps(draft, 4) and draft.reword(lambda text: " " * (len(indent_of(text)) // 2) + text.lstrip())


@slip("indentation", "apply", joins=True)
def unit_doubled(draft: Draft) -> bool:
    """Four spaces a level where the file has two."""
    return _steps(draft, 2) and draft.reword(lambda text: " " * (len(indent_of(text)) * 2) + text.lstrip())


def _steps(draft: Draft, unit: int) -> bool:
    """Whether the file indents by this unit, and each passage shows two depths, so that no even shift explains it."""
    if unit == 2 and not any(re.match(r" {2}\S", text) for text in draft.lines):
        return False
    for passage in draft.said:
        widths = [len(indent_of(text)) for text in _solid(passage)]
        if any(width % unit for width in widths) or any("\t" in indent_of(text) for text in _solid(passage)):
            return False
        if len({len(indent_of(text)) for text in passage.old() if text.strip()}) < 2:
            return False
    return True


def _shared(leads: list[str]) -> int:
    """How many characters all of them begin with."""
    shortest = min(leads, key=len, default="")
    return next((n for n in range(len(shortest), 0, -1) if all(lead[:n] == shortest[:n] for lead in leads)), 0)


def _solid(passage: Passage) -> list[str]:
    return [text for _, text in passage.ops if text.strip()]


def _has_evidence(passage: Passage) -> bool:
    """Whether the old side shows what one level of indentation looks like, should the new side need it."""
    old = {indent_of(text) for text in passage.old() if text.strip()}
    new = {indent_of(text) for kind, text in passage.ops if kind == "+" and text.strip()}
    return any(old) or not any(new)
