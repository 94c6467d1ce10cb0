"""Slips in the signs and headers of diffs: glued, spaced, doubled, lost, reordered, coloured, word by word."""

from __future__ import annotations

import re
from collections.abc import Callable

from bench.draft import Draft
from bench.passages import Op, Passage, applied, unmistakable
from bench.rendering import HUNKS, collides
from bench.slips.registry import slip

_DIFF = ("unified_diff",)


def _body(reply: str, change: Callable[[str, str], str]) -> str:
    """Change every line of the hunks, given its sign and its text."""
    rows, inside = [], False
    for row in reply.split("\n"):
        if row.startswith(("@@", "***", "```", "--- ", "+++ ")):
            inside = row.startswith("@@")
        marked = inside and row[:1] in (" ", "+", "-")
        rows.append(change(row[0], row[1:]) if marked else row)
    return "\n".join(rows)


@slip("signs", "apply", HUNKS)
def space_after_every_sign(draft: Draft) -> bool:
    draft.wraps.append(lambda reply: _body(reply, lambda sign, text: f"{sign} {text}"))
    return True


@slip("signs", "either", HUNKS)
def space_after_changes(draft: Draft) -> bool:
    """A space after each plus and minus; lines that stay have only their own.

    A line to be removed shows it, or a tab behind the space; an added line alone could be meant so.
    """
    for passage in draft.said:
        changed = [op for op in passage.ops if op[0] != " " and op[1].strip()]
        if not any(kind == "-" or text.startswith("\t") for kind, text in changed):
            return False
    draft.wraps.append(lambda reply: _body(reply, lambda sign, text: f"{sign} {text}" if sign != " " else f" {text}"))
    return any(kind == " " for p in draft.said for kind, _ in p.ops)


@slip("signs", "either", HUNKS)
def context_never_marked(draft: Draft) -> bool:
    """Lines that stay have no sign; an added one has its plus."""
    draft.wraps.append(lambda reply: _body(reply, lambda sign, text: text if sign == " " else sign + text))
    stays = [text for p in draft.said for kind, text in p.ops if kind == " " and text.strip()]
    return bool(stays) and not any(text[0] in "+-@*" for text in stays)


@slip("signs", "either", HUNKS)
def list_items_unmarked(draft: Draft) -> bool:
    """Lines that stay and begin with a dash are taken to be marked."""
    items = [text for p in draft.said for kind, text in p.ops if kind == " " and re.match(r"[-+] \S", text)]
    draft.wraps.append(
        lambda reply: _body(reply, lambda sign, text: text if sign == " " and text in items else sign + text)
    )
    return bool(items)


@slip("signs", "either", HUNKS)
def signs_doubled(draft: Draft) -> bool:
    """Two signs for each; the lines to be removed show it, since the file does not have their second one."""
    draft.wraps.append(
        lambda reply: _body(reply, lambda sign, text: sign + text if sign == " " else sign + sign + text)
    )
    shown = all(any(kind == "-" and text.strip() for kind, text in p.ops) for p in draft.said)
    return shown and not any(text.startswith(("+", "-")) for p in draft.said for kind, text in p.ops if kind != " ")


@slip("signs", "apply", HUNKS)
def all_minus_then_all_plus(draft: Draft) -> bool:
    """The passage as a whole is taken out and put in again."""
    for passage in draft.said:
        old: list[Op] = [("-", text) for text in passage.old()]
        passage.ops = old + [("+", text) for text in passage.new()]
    return not collides(draft.format, draft.said)


@slip("signs", "apply", HUNKS)
def plus_before_minus(draft: Draft) -> bool:
    """Within a change the new lines come first."""
    hit = False
    for passage in draft.said:
        ops: list[Op] = []
        run: list[Op] = []
        for op in [*passage.ops, (" ", "")]:
            if op[0] != " ":
                run.append(op)
                continue
            hit = hit or len({kind for kind, _ in run}) == 2
            ops += [*(one for one in run if one[0] == "+"), *(one for one in run if one[0] == "-"), op]
            run = []
        passage.ops = ops[:-1]
    return hit


@slip("signs", "either", HUNKS)
def plus_sign_lost(draft: Draft) -> bool:
    """An added line has a space for its sign, or nothing."""
    hit = draft.said_line("+", lambda text: text[:1] not in "+-@*`")
    if not hit:
        return False
    passage, k = hit
    text = passage.ops[k][1]
    if text in draft.lines:
        return False
    sign = draft.rng.choice(("", " "))
    draft.wraps.append(lambda reply: reply.replace(f"\n+{text}\n", f"\n{sign}{text}\n", 1))
    return True


@slip("signs", "either", HUNKS)
def minus_sign_lost(draft: Draft) -> bool:
    """A line to be removed has a space for its sign, and its successor follows: was it meant to stay?"""
    hit = draft.said_line("-", lambda text: text[:1] not in "+-@*`")
    if not hit:
        return False
    passage, k = hit
    passage.ops[k] = (" ", passage.ops[k][1])
    # Taken literally the line stays: what a diff says is what it means.
    literal = [p.copy() for p in draft.truth]
    literal[draft.said.index(passage)].ops[k] = passage.ops[k]
    draft.also.append(_result(draft, literal))
    return True


def _result(draft: Draft, passages: list[Passage]) -> str:
    return draft.file(applied(draft.lines, draft.ends, passages))


@slip("signs", "either", HUNKS)
def removed_line_forgotten(draft: Draft) -> bool:
    """A line to be removed is not in the hunk at all, though others are."""
    spots = [
        (passage, k)
        for passage in draft.said
        for k, (kind, text) in enumerate(passage.ops)
        if kind == "-"
        and text.strip()
        and k > 0
        and any(sign != "+" and line.strip() for sign, line in passage.ops[k + 1 :])
    ]
    if not spots:
        return False
    passage, k = draft.rng.choice(spots)
    del passage.ops[k]
    return bool(passage.changed())


@slip("headers", "apply", HUNKS)
def context_glued_to_header(draft: Draft) -> bool:
    """The first line stands behind the numbers, where a section would be named."""
    if any(p.ops[0][0] != " " or not p.ops[0][1].strip() for p in draft.said):
        return False
    rest = [Passage(p.start + 1, p.ops[1:]) for p in draft.said]
    draft.wraps.append(lambda reply: re.sub(r"(?m)^(@@.*)\n ", r"\1 ", reply))
    draft.wording.header = "@@ @@" if draft.format == "apply_patch" else None
    return unmistakable(draft.lines, rest)


@slip("headers", "either", HUNKS)
def change_glued_to_header(draft: Draft) -> bool:
    """The first line is a change and stands behind the numbers."""
    for passage in draft.said:
        first = passage.changed()[0]
        passage.ops = passage.ops[first:]
        passage.start += first
    if not unmistakable(draft.lines, draft.said) or collides(draft.format, draft.said):
        return False
    draft.wraps.append(lambda reply: re.sub(r"(?m)^(@@.*)\n([+-])", r"\1 \2", reply))
    draft.wording.header = "@@ @@" if draft.format == "apply_patch" else None
    return True


@slip("envelope", "apply", _DIFF, joins=True)
def diff_in_shell(draft: Draft) -> bool:
    """As a here-document for git or patch."""
    command = draft.rng.choice(
        ("git apply <<'EOF'", "patch -p1 <<'EOF'", "cat <<'EOF' > fix.patch", "git apply - <<EOF")
    )
    draft.wording.fence = ""
    draft.wraps.append(lambda reply: f"```bash\n{command}\n{reply}EOF\n```\n")
    return True


@slip("envelope", "apply", _DIFF, joins=True)
def mailed(draft: Draft) -> bool:
    """As `git format-patch` writes it, with the numbers of git behind it."""
    path, draft.wording.fence = draft.change.path, ""
    head = (
        "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n"
        "From: A Person <person@example.org>\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n"
        f"Subject: [PATCH] Handle the missing case\n\nIt was not handled.\n---\n {path} | 4 ++--\n"
        " 1 file changed, 2 insertions(+), 2 deletions(-)\n\n"
        f"diff --git a/{path} b/{path}\nindex 0123456..89abcde 100644\n"
    )
    draft.wraps.append(lambda reply: f"{head}{reply}-- \n2.43.0\n\n")
    return True


@slip("coloured", "either", _DIFF)
def coloured(draft: Draft) -> bool:
    """With the escapes of a terminal, or what is left of them."""
    draft.wording.fence = draft.rng.choice(("", "```"))
    start, stop = draft.rng.choice((("\x1b[{}m", "\x1b[m"), ("[{}m", "[m")))
    codes = {"+": "32", "-": "31"}

    def paint(sign: str, text: str) -> str:
        return sign + text if sign == " " else f"{start.format(codes[sign])}{sign}{text}{stop}"

    def wrap(reply: str) -> str:
        reply = _body(reply, paint)
        return re.sub(r"(?m)^(@@.*@@)", lambda m: f"{start.format('36')}{m.group(1)}{stop}", reply)

    draft.wraps.append(wrap)
    return True


@slip("word diff", "either", _DIFF)
def word_by_word(draft: Draft) -> bool:
    """Old and new words in one line, as `git diff --word-diff` shows them."""
    for passage in draft.said:
        ops: list[Op] = []
        for kind, text in passage.ops:
            shown = {" ": text, "-": f"[-{text}-]", "+": f"{{+{text}+}}"}[kind]
            ops.append((" ", shown))
        passage.ops = ops
    draft.wraps.append(lambda reply: _body(reply, lambda sign, text: text))
    return not any(text[:1] in ("+", "-", "@") for p in draft.said for _, text in p.ops)


@slip("review page", "either", HUNKS)
def review_page_numbers(draft: Draft) -> bool:
    """The numbers of a review page before the lines."""
    count = iter(range(draft.said[0].start + 1, 10**6))
    draft.wraps.append(lambda reply: _body(reply, lambda sign, text: f"{next(count):>5} {sign} {text}"))
    return True
