"""Slips in the evidence of place: no context, numbers and sections of another state of the file, near twins."""

from __future__ import annotations

import hashlib
import re

from bench.draft import Draft
from bench.passages import Passage, cut, places
from bench.rendering import HUNKS
from bench.slips.registry import indent_of, slip
from bench.slips.state import moved_on

_DIFF = ("unified_diff",)
_OPENING = re.compile(
    r"\s*(async |export |default |public |private |protected |static |pub |final )*"
    r"(def|defp|defmodule|class|func|fn|impl|function|struct|enum|module|interface|namespace)\b"
)
_HEADING = re.compile(r"[A-Za-z_$]")  #: what git takes for a section in a file it has no rules for


@slip("no context", "apply", _DIFF, natural=True)
def without_context(draft: Draft) -> bool:
    """As `git diff -U0` writes it, for the very file: for an addition there are only its number and the file's id."""
    return _without_context(draft, ("+", "-", "-+")) and _with_index(draft)


@slip("no context", "apply", _DIFF, natural=True)
def addition_without_context(draft: Draft) -> bool:
    """The same for a diff of additions only."""
    return _without_context(draft, ("+",)) and _with_index(draft)


@slip("no context", "either", _DIFF, natural=True)
def addition_by_number_alone(draft: Draft) -> bool:
    """Additions without context, and nothing that says for which state of the file."""
    return _without_context(draft, ("+",))


@slip("no context", "either", _DIFF, natural=True)
def without_context_moved_on(draft: Draft) -> bool:
    """The same for a file that has moved on since."""
    if not _without_context(draft, ("+", "-", "-+")):
        return False
    if draft.rng.random() < 0.5:
        _with_index(draft)
    added = [f"moved_on_{draft.rng.randrange(100)} = {n}" for n in range(draft.rng.randint(1, 30))]
    at = draft.insert_outside(added, known=False)
    return at is not None and at <= max(p.start for p in draft.truth)


@slip("no context", "either", _DIFF, natural=True)
def without_context_shrunk(draft: Draft) -> bool:
    """The same for a file from which lines above were removed."""
    if not _without_context(draft, ("+", "-", "-+")) or draft.truth[0].start < 12:
        return False
    gone = draft.rng.randint(1, 6)
    at = draft.rng.randrange(1, draft.truth[0].start - gone - 2)
    del draft.lines[at : at + gone], draft.ends[at : at + gone]
    for passage in draft.truth:
        passage.start -= gone
    return True


def _without_context(draft: Draft, shapes: tuple[str, ...]) -> bool:
    draft.truth = cut(draft.change, 0)
    draft.said = [p.copy() for p in draft.truth]
    kinds = {"".join(sorted({kind for kind, _ in p.ops}, reverse=True)) for p in draft.said}
    if not kinds <= set(shapes) or any(_taken_for_markup(text) for p in draft.said for _, text in p.ops):
        return False
    draft.wording.sections = [_section(draft.lines, p.start) for p in draft.said]
    return True


def _with_index(draft: Draft) -> bool:
    """Write what git writes above the two names: the ids of the file before and after."""
    path = draft.change.path
    ids = [_blob_id(lines) for lines in (draft.change.before, draft.change.after)]
    head = f"diff --git a/{path} b/{path}\nindex {ids[0][:7]}..{ids[1][:7]} 100644\n--- a/{path}\n"
    draft.wraps.append(lambda reply: reply.replace(f"--- a/{path}\n", head, 1))
    return True


def _blob_id(lines: tuple[str, ...]) -> str:
    content = "".join(f"{text}\n" for text in lines).encode()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _taken_for_markup(text: str) -> bool:
    return bool(re.match(r"--|\+\+|@@|\s*```", text))


def _section(lines: list[str], start: int) -> str:
    """The line that git names behind the numbers."""
    return next((text[:80].rstrip() for text in reversed(lines[:start]) if _HEADING.match(text)), "")


@slip("stale section", "refuse", HUNKS)
def section_has_changed(draft: Draft) -> bool:
    """The section named has other lines by now; only a copy above it still has the quoted ones."""
    if len(draft.truth) != 1:
        return False
    passage = draft.truth[0]
    above = [at for at in range(passage.start) if _OPENING.match(draft.lines[at])]
    removed = list(draft.region("-"))
    if not above or not removed or above[-1] < 2 or draft.lines.count(draft.lines[above[-1]]) != 1:
        return False
    section = draft.lines[above[-1]].strip()
    _, k, at = draft.rng.choice(removed)
    copy = passage.old()
    draft.set_line(passage, k, at, moved_on(passage.ops[k][1]))
    if draft.insert_outside(copy, above=above[-1]) is None:
        return False
    draft.wording.sections = [section]
    draft.wording.header = "@@ @@" if draft.format == "unified_diff" and draft.rng.random() < 0.5 else None
    return len(places(draft.lines, copy)) == 1


@slip("near twins", "refuse")
def twin_misquoted(draft: Draft) -> bool:
    """The passage stands twice, and the quotation has a letter wrong in a line that stays."""
    draft.hide_numbers()
    k = draft.rng.randrange(len(draft.truth))
    if draft.insert_outside(draft.truth[k].old()) is None:
        return False
    said = draft.said[k]
    spots = [n for n, (kind, text) in enumerate(said.ops) if kind == " " and re.search(r"[a-z]{4}", text)]
    if not spots:
        return False
    n = draft.rng.choice(spots)
    text = said.ops[n][1]
    word = draft.rng.choice(list(re.finditer(r"[a-z]{4,}", text)))
    said.ops[n] = (" ", text[: word.start() + 2] + text[word.start() + 1 :])
    return not places(draft.lines, [said.ops[n][1]])


@slip("near twins", "refuse")
def between_near_twins(draft: Draft) -> bool:
    """Two places differ from the quotation, and from each other, in the same word of a line that stays."""
    draft.hide_numbers()
    k = draft.rng.randrange(len(draft.truth))
    passage, said = draft.truth[k], draft.said[k]
    spots = [
        n
        for n, (kind, text) in enumerate(passage.ops)
        if kind == " " and re.search(r"[A-Za-z]{4,}", text) and not any(text == other for _, other in _but(passage, n))
    ]
    if not spots:
        return False
    n = draft.rng.choice(spots)
    text = passage.ops[n][1]
    word = draft.rng.choice(list(re.finditer(r"[A-Za-z]{4,}", text)))
    here, there, quoted = (text[: word.end()] + end + text[word.end() :] for end in ("A", "B", "C"))
    at = passage.start + sum(kind != "+" for kind, _ in passage.ops[:n])
    draft.set_line(passage, n, at, here)
    said.ops[n] = (" ", quoted)
    twin = [there if text == here else text for text in passage.old()]
    return draft.insert_outside(twin) is not None


def _but(passage: Passage, n: int) -> list[tuple[str, str]]:
    return [op for k, op in enumerate(passage.ops) if k != n]


@slip("near twins", "either")
def indented_twin_with_the_blank(draft: Draft) -> bool:
    """The quotation ends with a blank line too many, which only an indented copy has."""
    draft.hide_numbers()
    passage = draft.truth[-1]
    if passage.ops[-1][0] != " " or not passage.ops[-1][1].strip() or not draft.lines[passage.stop :]:
        return False
    if not draft.lines[passage.stop].strip():
        return False
    unit = "\t" if any(indent_of(text).startswith("\t") for text in draft.lines) else "    "
    twin = [unit + text if text.strip() else text for text in passage.old()]
    if draft.insert_outside([*twin, ""]) is None:
        return False
    draft.said[-1].ops.append((" ", ""))
    return True
