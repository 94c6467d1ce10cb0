"""Inputs that are made to be slow, each in any size, for measuring how reading and staging grow."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt

from bench.scale import source

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file and a reply to it."""

    text: str
    reply: str
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to be slow: the size at which it is measured, and how an input of any size is made."""

    size: int
    make: Callable[[int], Hostile]
    outcome: str  #: `lands`, or the code of the refusal


def blocks(pairs: Sequence[tuple[str, str]]) -> str:
    """SEARCH/REPLACE blocks of one file."""
    return "".join(f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n" for old, new in pairs)


def _one(text: str, old: str, new: str) -> Hostile:
    return Hostile(text, blocks([(old, new)]), "search_replace")


def _json(text: str, *edits: dict[str, object]) -> Hostile:
    return Hostile(text, json.dumps({"path": "a.txt", "edits": edits}), "json_edits")


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# Files of equal or nearly equal lines.


def _reindented(n: int) -> Hostile:
    old = "\n".join(["        same line of code"] * 8)
    return _one("    same line of code\n" * n, old, old.replace("same", "other", 1))


def _reindented_all(n: int) -> Hostile:
    old = "\n".join(["        same line of code"] * n)
    return _one("    same line of code\n" * n, old, f"{old}\n        more")


def _equal_near(n: int) -> Hostile:
    old = "\n".join(["    same line of code"] * 40)
    return _one("    same line of code\n" * n, old.replace("code", "cdoe", 1), f"{old}\n    more")


def _braces(n: int) -> Hostile:
    return _one("}\n" * n, "\n".join("}" * 40) + "\n{", "\n".join("}" * 39))


def _braces_indented(n: int) -> Hostile:
    text = "".join(f"{' ' * (4 * (k % 7))}}}\n" for k in range(n))
    return _one(text, "\n".join("}" * 40), "\n".join("}" * 39))


def _blank_lines(n: int) -> Hostile:
    return _one("\n" * n, "\n" * 40 + "x", "y")


def _airy(n: int) -> Hostile:
    return _one("call()\n\n" * n, "\n".join(["call()"] * 30) + "\nend()", "end()")


def _airy_alike(n: int) -> Hostile:
    return _one("call()\n\n" * n, "\n".join(["call()"] * 30), "end()")


def _words_alike(n: int) -> Hostile:
    return _one("call( a, b )\n" * n, "\n".join(["call(a, b)"] * 30), "end()")


# Many edits, many places.


def _replace_all(n: int) -> Hostile:
    text = _joined([f"    value_{k} = old_name(value_{k})" for k in range(n)])
    return _json(text, {"oldText": "old_name", "newText": "new_name", "replace_all": True})


def _replace_all_lines(n: int) -> Hostile:
    text = _joined([f"{' ' * (k % 5)}old_name()\nline {k}" for k in range(n)])
    return _json(text, {"oldText": "  old_name()  ", "newText": "  new_name()  ", "replace_all": True})


def _chain(n: int) -> Hostile:
    return Hostile("step 0\n" + _joined(source(1000)), blocks([(f"step {k}", f"step {k + 1}") for k in range(n)]))


def _chain_backwards(n: int) -> Hostile:
    pairs = [(f"step {k}", f"step {k + 1}") for k in range(n)]
    return Hostile("step 0\n" + _joined(source(1000)), blocks(pairs[::-1]))


def _exact_edits(n: int) -> Hostile:
    code = source(100_000)
    starts = range(0, len(code) - 6, max(6, len(code) // n // 6 * 6))[:n]
    pairs = [("\n".join(code[k : k + 2]), f"{code[k]}\n    pass  # {k}") for k in starts]
    return Hostile(_joined(code), blocks(pairs))


def _indented_edits(n: int) -> Hostile:
    code = source(100_000)
    starts = range(0, len(code) - 6, max(6, len(code) // n // 6 * 6))[:n]
    pairs = [(f"  {code[k]}\n  {code[k + 1]}", f"  {code[k]}\n      pass  # {k}") for k in starts]
    return Hostile(_joined(code), blocks(pairs))


def _hunks(n: int) -> Hostile:
    code = source(100_000)
    starts = range(0, len(code) - 6, max(6, len(code) // n // 6 * 6))[:n]
    hunks = "".join(
        f"@@ -{k + 1},3 +{k + 1},3 @@\n {code[k]}\n-{code[k + 1]}\n+    x{k}\n {code[k + 2]}\n" for k in starts
    )
    return Hostile(_joined(code), f"--- a/a.txt\n+++ b/a.txt\n{hunks}")


def _additions(n: int) -> Hostile:
    code = source(100_000)
    starts = range(0, len(code) - 6, max(6, len(code) // n // 6 * 6))[:n]
    hunks = "".join(f"@@ -{k + 1},0 +{k + 2 + i},1 @@ {code[k]}\n+    x{k}\n" for i, k in enumerate(starts))
    return Hostile(_joined(code), f"--- a/a.txt\n+++ b/a.txt\n{hunks}")


def _ranges(n: int) -> Hostile:
    edits = [{"range": {"start": k, "end": k}, "newText": f"x{k}"} for k in range(1, 6 * n, 6)]
    return _json(_joined(source(100_000)), *edits)


def _identical_edits(n: int) -> Hostile:
    return Hostile("same\nother\n" * n, blocks([("same\nother", "new\nother")] * n))


def _hallucinated(n: int) -> Hostile:
    pairs = [(f"def no_such_{k}(self):\n    return self.nothing_{k}", f"def some_{k}():\n    pass") for k in range(n)]
    return Hostile(_joined(source(100_000)), blocks(pairs))


def _hallucinated_words(n: int) -> Hostile:
    pairs = [(f"    return self.handler(request, {k}, index)\n    return nothing", "    pass") for k in range(n)]
    return Hostile(_joined(source(100_000)), blocks(pairs))


def _overlapping(n: int) -> Hostile:
    code = source(n + 10)
    return Hostile(_joined(code), blocks([("\n".join(code[k : k + 3]), f"x{k}") for k in range(n)]))


def _nested_edits(lines: int) -> Hostile:
    n = isqrt(lines)
    code = source(2 * n + 10)
    return Hostile(_joined(code), blocks([("\n".join(code[k : 2 * n - k]), f"x{k}") for k in range(n)]))


# Long blocks.


def _long_wrong(n: int) -> Hostile:
    code = source(n)
    wrong = [*code[: n // 2], "no such line", *code[n // 2 + 1 :]]
    return _one(_joined(source(n + 100)), "\n".join(wrong), "\n".join(wrong[:-1]))


def _long_slips(n: int) -> Hostile:
    code = source(n)
    wrong = [line.replace("self", "slef") if k % 40 == 1 else line for k, line in enumerate(code)]
    return _one(_joined(source(n)), "\n".join(wrong), "\n".join(wrong[:-1]))


def _long_last_wrong(n: int) -> Hostile:
    code = source(n)
    return _one(_joined(code), "\n".join([*code[:-1], "no such line"]), "\n".join(code[:-1]))


def _long_shifted(n: int) -> Hostile:
    code = source(n)
    old = [f"    {line}" if line else line for line in code[10:-10]]
    return _one(_joined(code), "\n".join(old), "\n".join([*old, "    pass"]))


def _long_changed(n: int) -> Hostile:
    code = source(n)
    new = [line.replace("self", "this") if k % 2 else line for k, line in enumerate(code)]
    return _one(_joined(code), "\n".join(code), "\n".join(new))


def _long_look_alikes(n: int) -> Hostile:
    code = source(n)
    old = [line.replace('"', "\u201d") for line in code]
    return _one(_joined(code), "\n".join(old), "\n".join([*old, "pass"]))


def _many_alike_long(n: int) -> Hostile:
    old = ["same line of code"] * (n // 2) + ["one that differs"]
    return _one("same line of code\n" * n, "\n".join(old), "gone")


def _elided(n: int) -> Hostile:
    code = source(n)
    pieces = [part for k in range(0, n - 6, 60) for part in (*code[k : k + 2], "    # ... existing code ...")]
    return _one(_joined(code), "\n".join(pieces), "\n".join([*pieces, "pass"]))


# Long lines and long runs.


def _long_line(n: int) -> Hostile:
    text = "x = [" + ", ".join(f"item_{k}" for k in range(n // 12)) + "]\n"
    return _one(text, f"item_{n // 24}", "item_new")


def _long_line_block(n: int) -> Hostile:
    line = "x = [" + ", ".join(f"item_{k}" for k in range(n // 12)) + "]"
    return _one(f"{line}\nend\n", f"{line.replace('item_7', 'itme_7', 1)}\nend", "end")


def _long_line_noisy(n: int) -> Hostile:
    line = "x = [" + ", ".join(f"item_{k}" for k in range(n // 24)) + "]"
    return _one(f"{line}\nend\n", f"{line.replace(', ', ',')}\nend", "end")


def _one_character(n: int) -> Hostile:
    return _one("a" * n, "aaab", "b")


def _one_character_both(n: int) -> Hostile:
    return _one("a" * n, "a" * (n // 2), "b")


def _one_character_lines(n: int) -> Hostile:
    return _one("a" * (n // 2) + "\n" + "a" * (n // 2), "a" * 40 + "\nb", "b")


def _blanks(n: int) -> Hostile:
    return _one(" " * n + "x\n", "x\ny", "b")


def _tabs(n: int) -> Hostile:
    return _one(("\t" * 100 + "x\n") * (n // 102), (" " * 400 + "x\n") * 30 + "y", "b")


def _look_alikes(n: int) -> Hostile:
    line = "say(\u201chello\u201d) \u2014 don\u2019t\u00a0stop \u2026\n"
    return _one(line * (n // len(line)), 'say("hello") - don\'t stop ...', "say()")


def _accents(n: int) -> Hostile:
    line = "cafe\u0301 u\u0308ber na\u0131\u0308ve\n"
    return _one(line * (n // len(line)), "caf\u00e9 \u00fcber", "x")


def _mixed_endings(n: int) -> Hostile:
    text = "".join(f"line {k}" + ("\r\n", "\n", "\r")[k % 3] for k in range(n // 10))
    pairs = [(f"line {k}", f"new {k}") for k in range(0, n // 10, max(1, n // 10 // 300))]
    return Hostile(text, blocks(pairs))


def _crlf(n: int) -> Hostile:
    text = "".join(f"line {k}\r\n" for k in range(n // 10))
    pairs = [(f"line {k}", f"new {k}") for k in range(0, n // 10, max(1, n // 10 // 300))]
    return Hostile(text, blocks(pairs))


def _one_line_words(n: int) -> Hostile:
    return _one("x = [" + "item, " * (n // 6) + "]\n", "x = [ item ]\nitem = y", "z")


def _short_lines(n: int) -> Hostile:
    return _json("one\ntwo\n", {"oldText": "one", "newText": "ab\n" * (n // 4)})


# Replies that are nothing but markup.


def _markup(line: str) -> Callable[[int], Hostile]:
    return lambda n: Hostile("one\ntwo\n", f"{line}\n" * (n // (len(line) + 1)))


def _nested_json(n: int) -> Hostile:
    return Hostile("one\n", '{"edits": ' + '[{"a": ' * (n // 7))


def _flat_json(n: int) -> Hostile:
    return Hostile("one\n", '{"path": "a", "edits": [' + "1," * (n // 2) + "1]}")


def _json_string(n: int) -> Hostile:
    return _json("one\ntwo\n", {"oldText": "one", "newText": 'x\\\n"' * (n // 8)})


def _json_string_old(n: int) -> Hostile:
    return _json("one\ntwo\n", {"oldText": "one\n" * (n // 8), "newText": "x"})


def _json_lines(n: int) -> Hostile:
    line = '{"a": "path", "range": 1}\n'
    return Hostile("one\n", line * (n // len(line)))


def _open_json(n: int) -> Hostile:
    return Hostile("one\n", '{"path": "a", "oldText": "' + "x" * n)


def _open_json_lines(n: int) -> Hostile:
    return Hostile("one\n", '{"path": "a", "oldText": "x\n' * (n // 28))


def _prose(n: int) -> Hostile:
    return Hostile("one\n", "Some words about `file.py` and change: what find and replace do.\n" * (n // 66))


def _new_file(n: int) -> Hostile:
    return Hostile("", f"a.txt\n```\n{_joined(source(n // 25))}```\n")


def _whole_file(n: int) -> Hostile:
    code = source(n // 50)
    return Hostile(_joined(code), f"a.txt\n```\n{_joined(code[:-3])}```\n")


def _markers_added(n: int) -> Hostile:
    new = "\n".join(f"- a -> b[{k}] + <c>" for k in range(n))
    return _one(_joined(source(200_000)), "def no_such", new)


def _markers_added_found(n: int) -> Hostile:
    code = source(200_000)
    return _one(_joined(code), code[600], "\n".join(f"- a -> b[{k}] + <c>" for k in range(n)))


def _patch(n: int) -> Hostile:
    body = "".join(f"@@\n line {k}\n-old {k}\n+new {k}\n" for k in range(n // 40))
    text = "".join(f"line {k}\nold {k}\n" for k in range(n // 40))
    return Hostile(text, f"*** Begin Patch\n*** Update File: a.txt\n{body}*** End Patch\n")


def _many_variants(n: int) -> Hostile:
    code = source(n)
    old = [*code[: n // 2], "=======", *code[n // 2 :]]
    return _one(_joined(code), "\n".join(old), "\n".join(code))


def _numbered(n: int) -> Hostile:
    code = source(n)
    old = [f"{k + 1:6}\t{line}" for k, line in enumerate(code)]
    return _one(_joined(code), "\n".join(old), "\n".join(old[:-1]))


def _escaped(n: int) -> Hostile:
    code = [f"a < b && c > {k}" for k in range(n)]
    old = [line.replace("&", "&amp;").replace("<", "&lt;") for line in code]
    return _one(_joined(code), "\n".join(old), "\n".join(old[:-1]))


KINDS: dict[str, Kind] = {
    "equal lines, indented otherwise": Kind(900_000, _reindented, "ambiguous"),
    "a file of equal lines, indented otherwise": Kind(270_000, _reindented_all, "too-costly"),
    "equal lines, one slip": Kind(900_000, _equal_near, "not-found"),
    "closing braces": Kind(10 * MB, _braces, "not-found"),
    "closing braces, indented": Kind(1_400_000, _braces_indented, "too-costly"),
    "line breaks": Kind(20 * MB, _blank_lines, "not-found"),
    "equal lines with blank ones between, not there": Kind(2_400_000, _airy, "not-found"),
    "equal lines with blank ones between": Kind(2_400_000, _airy_alike, "ambiguous"),
    "equal lines, blanks within": Kind(1_500_000, _words_alike, "not-found"),
    "replace all": Kind(200_000, _replace_all, "too-costly"),
    "replace all by whole lines": Kind(20_000, _replace_all_lines, "too-costly"),
    "chain of edits": Kind(1_000, _chain, "lands"),
    "chain of edits, last first": Kind(1_000, _chain_backwards, "not-found"),
    "exact edits": Kind(5_000, _exact_edits, "lands"),
    "edits indented otherwise": Kind(5_000, _indented_edits, "lands"),
    "hunks": Kind(5_000, _hunks, "lands"),
    "hunks of additions": Kind(5_000, _additions, "no-anchor"),
    "ranges": Kind(5_000, _ranges, "lands"),
    "identical edits": Kind(4_000, _identical_edits, "ambiguous"),
    "hallucinated edits": Kind(500, _hallucinated, "not-found"),
    "hallucinated edits of known words": Kind(500, _hallucinated_words, "not-found"),
    "overlapping edits": Kind(2_000, _overlapping, "ambiguous"),
    "edits within edits": Kind(90_000, _nested_edits, "overlap"),
    "long block, one line wrong": Kind(260_000, _long_wrong, "not-found"),
    "long block, many slips": Kind(260_000, _long_slips, "too-costly"),
    "long block, last line wrong": Kind(260_000, _long_last_wrong, "too-costly"),
    "long block, indented otherwise": Kind(260_000, _long_shifted, "too-costly"),
    "long block, half of it changed": Kind(260_000, _long_changed, "lands"),
    "long block of look-alikes": Kind(260_000, _long_look_alikes, "too-costly"),
    "long block of equal lines": Kind(500_000, _many_alike_long, "not-found"),
    "elided block": Kind(200_000, _elided, "not-found"),
    "one line": Kind(20 * MB, _long_line, "lands"),
    "one line, one slip": Kind(10 * MB, _long_line_block, "not-found"),
    "one line, blanks within": Kind(20 * MB, _long_line_noisy, "not-found"),
    "one line, one word": Kind(20 * MB, _one_line_words, "not-found"),
    "short lines": Kind(20 * MB, _short_lines, "too-costly"),
    "one character": Kind(20 * MB, _one_character, "not-found"),
    "one character on both sides": Kind(13 * MB, _one_character_both, "ambiguous"),
    "one character, two lines": Kind(20 * MB, _one_character_lines, "not-found"),
    "blanks": Kind(20 * MB, _blanks, "not-found"),
    "tabs": Kind(20 * MB, _tabs, "not-found"),
    "look-alikes": Kind(10 * MB, _look_alikes, "ambiguous"),
    "accents": Kind(10 * MB, _accents, "not-found"),
    "mixed line endings": Kind(15 * MB, _mixed_endings, "lands"),
    "CRLF": Kind(14 * MB, _crlf, "lands"),
    "search markers": Kind(20 * MB, _markup("<<<<<<< SEARCH"), "malformed"),
    "dividers": Kind(20 * MB, _markup("======="), "no-edits"),
    "replace markers": Kind(20 * MB, _markup(">>>>>>> REPLACE"), "malformed"),
    "conflict markers": Kind(20 * MB, _markup("<<<<<<< HEAD"), "malformed"),
    "fences": Kind(20 * MB, _markup("```"), "too-many"),
    "tagged fences": Kind(20 * MB, _markup("```python"), "too-many"),
    "named fences": Kind(20 * MB, _markup("a.py\n```python\nx = 1\n```"), "too-many"),
    "hunk headers": Kind(20 * MB, _markup("@@ -1,1 +1,1 @@"), "too-many"),
    "bare hunk headers": Kind(20 * MB, _markup("@@"), "too-many"),
    "file headers": Kind(20 * MB, _markup("--- a/a\n+++ b/a"), "too-many"),
    "diff headers": Kind(20 * MB, _markup("diff --git a/a b/a"), "too-many"),
    "patch markers": Kind(20 * MB, _markup("*** Begin Patch"), "malformed"),
    "patch sections": Kind(20 * MB, _markup("*** Begin Patch\n*** Update File: a"), "malformed"),
    "find markers": Kind(20 * MB, _markup("FIND:"), "too-many"),
    "change headings": Kind(20 * MB, _markup("### CHANGE 1: x"), "too-many"),
    "changes": Kind(20 * MB, _markup("FIND:\n```\none\n```\nREPLACE WITH:\n```\nthree\n```"), "too-many"),
    "open brackets": Kind(20 * MB, _markup('{"path": ['), "too-many"),
    "tool tags": Kind(20 * MB, _markup("<invoke>"), "no-edits"),
    "quoted lines": Kind(20 * MB, _markup('"*** Begin Patch\\n'), "no-edits"),
    "nested JSON": Kind(20 * MB, _nested_json, "malformed"),
    "flat JSON": Kind(20 * MB, _flat_json, "malformed"),
    "JSON string": Kind(20 * MB, _json_string, "too-costly"),
    "JSON string to find": Kind(20 * MB, _json_string_old, "not-found"),
    "JSON lines": Kind(20 * MB, _json_lines, "too-many"),
    "open JSON": Kind(20 * MB, _open_json, "truncated"),
    "open JSON lines": Kind(20 * MB, _open_json_lines, "malformed"),
    "prose": Kind(20 * MB, _prose, "no-edits"),
    "new file": Kind(20 * MB, _new_file, "lands"),
    "whole file": Kind(20 * MB, _whole_file, "lands"),
    "lines like markers, nowhere to go": Kind(20_000, _markers_added, "not-found"),
    "lines like markers": Kind(20_000, _markers_added_found, "lands"),
    "patch of many hunks": Kind(200_000, _patch, "lands"),
    "dividers in the block": Kind(100_000, _many_variants, "malformed"),
    "numbered lines": Kind(100_000, _numbered, "not-found"),
    "escaped lines": Kind(100_000, _escaped, "not-found"),
}
