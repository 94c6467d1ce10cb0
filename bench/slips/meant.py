"""What only looks like a slip: dots that are code, elements named like a tool's, endings that a line keeps."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import cut
from bench.rendering import BLOCKS, PARTS
from bench.slips.registry import indent_of, slip

_DOTS = ("...", "# ...", "// ...", "# the rest is as before", "// rest of the options", "pass  # rest")
_ELEMENTS = (
    ('<function name="area"/>', '<parameter name="width" />'),
    ("<tool_call/>", '<invoke name="run"/>'),
    ('<edit id="1"/>', '<edit id="2"/>'),
    ("<function_calls></function_calls>", "<invoke></invoke>"),
    ('<parameter name="a">1</parameter>', '<parameter name="b">2</parameter>'),
)


@slip("meant", "apply", PARTS)
def dots_meant(draft: Draft) -> bool:
    """An added line of dots, or one that says "rest", where every line of the old side stays."""
    k = draft.rng.randrange(len(draft.truth))
    true, said = draft.truth[k], draft.said[k]
    if any(kind == "-" for p in draft.truth for kind, _ in p.ops):
        return False
    last = true.changed()[-1]
    line = indent_of(true.ops[last][1]) + draft.rng.choice(_DOTS)
    for passage in (true, said):
        passage.ops.insert(last + 1, ("+", line))
    return True


@slip("meant", "apply", PARTS)
def elements_named_like_tools(draft: Draft) -> bool:
    """The file has elements named like the tags of a tool call, and gets another."""
    spots = list(draft.region(" "))
    if not spots or len(draft.said) != 1:
        return False
    there, added = draft.rng.choice(_ELEMENTS)
    passage, k, at = draft.rng.choice(spots)
    said = draft.said[0]
    line = indent_of(passage.ops[k][1]) + there
    said.ops[k] = (" ", line)
    draft.set_line(passage, k, at, line)
    last = passage.changed()[-1]
    for one in (passage, said):
        one.ops.insert(last + 1, ("+", indent_of(one.ops[last][1]) + added))
    return True


@slip("meant", "apply", PARTS)
def changed_line_keeps_its_ending(draft: Draft) -> bool:
    """Any ending on any line; a line that is replaced by one keeps its own."""
    if draft.format == "json_edits":
        draft.hide_numbers()
    alone = cut(draft.change, 0, merge=False)
    if any([kind for kind, _ in p.ops] != ["-", "+"] for p in alone):
        return False
    draft.ends = [draft.rng.choice(("\n", "\r\n")) for _ in draft.lines]
    draft.truth = alone
    for passage in draft.truth:
        passage.end = draft.ends[passage.start]
    return len({draft.ends[p.start] for p in alone} | set(draft.ends)) == 2


@slip("meant", "apply", BLOCKS)
def two_phrases_of_one_line(draft: Draft) -> bool:
    """Two edits within one line, each quoting a few words of it."""
    draft.hide_numbers()
    if len(draft.truth) != 1:
        return False
    passage = draft.truth[0]
    changed = [op for op in passage.ops if op[0] != " "]
    if [kind for kind, _ in changed] != ["-", "+"]:
        return False
    return _phrases(draft, changed[0][1], changed[1][1])


def _phrases(draft: Draft, old: str, new: str) -> bool:
    """Say the change of a line as two changes of words, where exactly two words differ."""
    before, after = old.split(" "), new.split(" ")
    if len(before) != len(after):
        return False
    odd = [n for n, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    if len(odd) != 2 or odd[1] - odd[0] < 2:
        return False
    text = "\n".join(draft.lines)
    copies = []
    for n in odd:
        was, becomes = " ".join(before[max(0, n - 1) : n + 1]), " ".join(after[max(0, n - 1) : n + 1])
        if text.count(was) != 1 or len(was.strip()) < 6 or not becomes.strip() or was in new:
            return False
        copy = draft.said[0].copy()
        copy.find, copy.replace = [was.lstrip()], [becomes.lstrip()]
        copies.append(copy)
    draft.said = copies
    return True
