"""Slips of habit: what a formatter or a tidy reader would have written, in lines that the edit leaves alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from bench.draft import Draft
from bench.passages import Passage, applied, unmistakable
from bench.rendering import BLOCKS
from bench.slips.registry import indent_of, slip

_HASH = ("py", "rb", "sh", "toml", "yaml", "yml", "ex", "exs")


def _restyle(draft: Draft, kinds: str, change: Callable[[str], str]) -> bool:
    """Change one line that the change alters."""
    hit = draft.said_line(kinds, lambda text: change(text) != text)
    if not hit:
        return False
    passage, k = hit
    kind, text = passage.ops[k]
    passage.ops[k] = (kind, change(text))
    return True


def _comment(draft: Draft, text: str) -> str:
    return f"  {'#' if draft.change.path.rpartition('.')[2] in _HASH else '//'} {text}"


@slip("habit", "either")
def comment_respelt(draft: Draft) -> bool:
    """The file misspells a word in a comment, and the quotation puts it right."""
    spots = list(draft.region(" "))
    if not spots:
        return False
    passage, k, at = draft.rng.choice(spots)
    text = passage.ops[k][1]
    draft.said[draft.truth.index(passage)].ops[k] = (" ", text + _comment(draft, "receive the separate values"))
    draft.set_line(passage, k, at, text + _comment(draft, "recieve the seperate values"))
    return True


@slip("habit", "either")
def comment_dropped(draft: Draft) -> bool:
    """A line that stays ends with a comment that the quotation leaves out."""
    spots = list(draft.region(" "))
    if not spots:
        return False
    passage, k, at = draft.rng.choice(spots)
    draft.set_line(passage, k, at, passage.ops[k][1] + _comment(draft, "see the notes on rounding"))
    return True


@slip("habit", "either")
def quote_style(draft: Draft) -> bool:
    swap = str.maketrans("'\"", "\"'")
    return _restyle(draft, " -", lambda text: text.translate(swap) if re.search(r"""(['"])\w*\1""", text) else text)


@slip("habit", "either")
def comma_added(draft: Draft) -> bool:
    return _restyle(draft, " ", lambda text: text + "," if re.search(r"[\w'\")\]]$", text) else text)


@slip("habit", "either")
def comma_dropped(draft: Draft) -> bool:
    return _restyle(draft, " -", lambda text: text.removesuffix(","))


@slip("habit", "either")
def semicolon_dropped(draft: Draft) -> bool:
    return draft.reword(lambda text: text.removesuffix(";"), " -")


@slip("habit", "either")
def context_lines_swapped(draft: Draft) -> bool:
    for passage in draft.said:
        for k in range(len(passage.ops) - 1):
            (kind, text), (following, rest) = passage.ops[k], passage.ops[k + 1]
            if kind == following == " " and text.strip() and rest.strip() and text != rest:
                passage.ops[k : k + 2] = [(" ", rest), (" ", text)]
                return True
    return False


@slip("habit", "either")
def line_beside_change_forgotten(draft: Draft) -> bool:
    """A line right beside the change is not quoted; it must not vanish."""
    if not draft.widen(4):
        return False
    spots = []
    for passage in draft.said:
        changed = passage.changed()
        beside = (changed[0] - 1, changed[-1] + 1)
        spots += [(passage, k) for k in beside if _is_between(passage, k) and passage.ops[k][1].strip()]
    if not spots:
        return False
    passage, k = draft.rng.choice(spots)
    del passage.ops[k]
    return True


def _is_between(passage: Passage, k: int) -> bool:
    """Whether lines of the old side stand on both sides, so that the quotation has a gap without this one."""
    quoted = [n for n, (kind, text) in enumerate(passage.ops) if kind != "+" and text.strip()]
    return bool(quoted) and quoted[0] < k < quoted[-1]


@slip("habit", "either")
def number_stale(draft: Draft) -> bool:
    """A number in a line that stays is another one by now."""
    return _restyle(draft, " ", lambda text: re.sub(r"\d+", lambda m: str(int(m.group()) + 1), text, count=1))


@slip("habit", "either")
def number_stale_in_changed_line(draft: Draft) -> bool:
    """A number in a line to be removed is another one in the file, so the edit is for another state of it."""
    added = {text for p in draft.said for kind, text in p.ops if kind == "+"}
    if not _restyle(draft, "-", lambda text: re.sub(r"\d+", lambda m: str(int(m.group()) + 1), text, count=1)):
        return False
    return not any(kind == "-" and text in added for p in draft.said for kind, text in p.ops)


@slip("habit", "either")
def long_line_cut(draft: Draft) -> bool:
    """A long line that stays ends in an ellipsis after half of it."""
    hit = draft.said_line(" ", lambda text: len(text.strip()) > 30)
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    passage.ops[k] = (
        " ",
        text[: len(indent_of(text)) + len(text.strip()) // 2].rstrip() + draft.rng.choice(("...", " …")),
    )
    return True


@slip("habit", "either", BLOCKS)
def path_comment_on_top(draft: Draft) -> bool:
    """Each side begins with the file's name in a comment."""
    line = _comment(draft, draft.change.path).strip()
    for passage in draft.said:
        passage.find, passage.replace = [line, *passage.old()], [line, *passage.new()]
    return unmistakable(draft.lines, draft.truth) and line not in draft.lines


@slip("habit", "either", BLOCKS)
def path_comment_on_new_side(draft: Draft) -> bool:
    """REPLACE begins with the file's name in a comment; the true result is the one without it."""
    line = _comment(draft, draft.change.path).strip()
    for passage in draft.said:
        passage.replace = [line, *passage.new()]
    literal = [p.copy() for p in draft.truth]
    for passage in literal:
        passage.ops.insert(0, ("+", line))
    draft.also.append(draft.file(applied(draft.lines, draft.ends, literal)))  # nothing says that it is not meant
    return True


@slip("habit", "either", BLOCKS)
def language_tag_leaked(draft: Draft) -> bool:
    """Each side begins with the tag that belongs behind the fence."""
    for passage in draft.said:
        passage.find, passage.replace = [draft.change.tag, *passage.old()], [draft.change.tag, *passage.new()]
    return draft.change.tag not in draft.lines


@slip("habit", "either", ("find_replace", "search_replace", "unified_diff"))
def closing_fence_glued(draft: Draft) -> bool:
    """The closing fence stands behind the last line."""
    draft.wraps.append(lambda reply: reply.replace("\n```\n", "```\n"))
    return True
