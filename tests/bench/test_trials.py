"""The benchmark's trials: the same every time, and each with an outcome that follows from its own text."""

from __future__ import annotations

import random

import pytest

from bench.draft import OUTCOMES, Draft
from bench.invention import invent
from bench.passages import FileChange, Passage, Span, applied, cut, places, unmistakable
from bench.rendering import CONTEXT, FORMATS, PARTS, render
from bench.scale import loads
from bench.slips import SLIPS
from bench.trials import Trial, draw, find

WORDS = ("alpha", "bravo", "delta", "gamma", "omega", "sigma")


def source(functions: int, indent: str = "    ") -> tuple[str, ...]:
    """Code in which every function is told apart by its numbers."""
    out: list[str] = []
    for n in range(functions):
        word, other = WORDS[n % 6], WORDS[(n * 5 + 1) % 6]
        out += [f"def {word}_{n}(first, second_{n}):", f'{indent}"""Handle <{other}> & {n}."""', ""]
        out += [f"{indent}if first > {n} and other_{n}:", f"{indent * 2}return {other}(first, {n})", ""]
        out += [f"{indent}{word} = call_{n}('{other}', second_{n})", f"{indent}return {word}_{n} - {n}", "", ""]
    return (*out, "main()")


def varied(functions: int) -> tuple[str, ...]:
    """Code with what the made-up functions lack: lists, escapes, commas, semicolons, aligned and long lines."""
    out: list[str] = []
    for n in range(functions):
        word = WORDS[n % 6]
        out += [
            f"function {word}_{n}(first) {{",
            f"  const size_{n}  = first.length;",
            f"  return [{n}, size_{n}];",
            "}",
        ]
        out += [f"const {word}Options{n} = {{", f'  name: "{word} {n}",', f"  path: 'C:\\{word}\\{n}',", "};"]
        out += [f"- item {n} of {word}", f"- another {n} of {word}", f"+ sum {n}", ""]
        out += [f"call_{n}(alpha_{n}, middle_{n} + 1, omega_{n}, and some more words to make it long)", ""]
    return tuple(out)


def neighbours(n: int) -> FileChange:
    """Two changes with a line between them, and two words of another line further down."""
    before = list(varied(9))
    at = 14 * (n % 8)
    after = list(before)
    after[at + 1] = f"  const length_{n} = first.size;"
    after[at + 3 : at + 4] = ["  // closed", "}"]
    return FileChange(
        f"near:{n}",
        "src/code.js",
        tuple(before),
        tuple(after),
        (Span(at + 1, 1, at + 1, 1), Span(at + 3, 0, at + 3, 1)),
    )


def phrases(n: int) -> FileChange:
    before = list(varied(9))
    at = 14 * (n % 8) + (12, 8, 6)[n % 3]
    after = list(before)
    words = before[at].split(" ")
    after[at] = (
        " ".join([words[0] + "_first", *words[1:-1], words[-1] + "_last"])
        if n % 3
        else before[at].replace("alpha", "ALPHA").replace("omega", "OMEGA")
    )
    return FileChange(f"words:{n}", "src/code.js", tuple(before), tuple(after), (Span(at, 1, at, 1),))


@pytest.fixture(scope="module")
def changes() -> list[FileChange]:
    rng = random.Random(7)
    indents = ("    ", "  ", "\t")
    plain = [invent(f"made:{n}", "src/code.py", source(9, indents[n % 3]), rng) for n in range(60)]
    mixed = [invent(f"mixed:{n}", "src/code.js", varied(9), rng) for n in range(30)]
    return plain + mixed + [neighbours(n) for n in range(12)] + [phrases(n) for n in range(12)]


def all_trials(changes: list[FileChange], seed: int, most: int = 3) -> list[Trial]:
    return [t for slip in SLIPS.values() for format in slip.formats for t in draw(changes, format, slip, most, seed)]


def test_trials_are_the_same_every_time(changes: list[FileChange]) -> None:
    first, again, other = (all_trials(changes, seed, 1) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_every_slip_happens_in_each_of_its_formats(changes: list[FileChange]) -> None:
    seen = {(t.slip, t.format) for t in all_trials(changes, 1, 1)}
    natural = {slip.name for slip in SLIPS.values() if slip.natural}
    wanted = {(slip.name, format) for slip in SLIPS.values() for format in slip.formats if slip.name not in natural}
    assert wanted - seen == set()


def test_trials_are_well_formed(changes: list[FileChange]) -> None:
    for trial in all_trials(changes, 1):
        assert trial.outcome in OUTCOMES
        assert trial.response.strip()
        assert (trial.accepted[0] == trial.original) == (trial.outcome == "noop"), trial.id


def test_a_trial_is_found_again_by_its_id(changes: list[FileChange]) -> None:
    for trial in all_trials(changes, 1, 1)[::9]:
        assert find(changes, trial.id, 1) == trial


def test_clean_passages_lead_to_the_after_file(changes: list[FileChange]) -> None:
    for change in changes:
        for format in FORMATS:
            rows = applied(change.before, ["\n"] * len(change.before), cut(change, CONTEXT[format]))
            assert tuple(text for text, _ in rows) == change.after


MUST_APPLY = [slip.name for slip in SLIPS.values() if slip.outcome == "apply" and set(PARTS) & set(slip.formats)]


@pytest.mark.parametrize("name", MUST_APPLY)
def test_the_true_edit_is_still_the_truth_after_a_slip(changes: list[FileChange], name: str) -> None:
    """Whatever the slip did to the file, the true passages quote it exactly, each in one place only."""
    slip = SLIPS[name]
    for format in set(slip.formats) & set(PARTS):
        for change in changes[:20]:
            draft = Draft.of(change, format, random.Random(change.name), slip.outcome)
            if not unmistakable(change.before, draft.truth) or not slip.make(draft):
                continue
            for passage in draft.truth:
                there = draft.lines[passage.start : passage.stop]
                assert there == [text for kind, text in passage.ops if kind != "+"]
            assert draft.expected() != draft.original()


def test_kept_lines_keep_their_endings() -> None:
    passage = Passage(1, [(" ", "b"), ("-", "c"), ("+", "C"), (" ", "d")], end="\r\n")
    rows = applied(["a", "b", "c", "d"], ["\n", "\r", "\r\n", ""], [passage])
    assert rows == [("a", "\n"), ("b", "\r"), ("C", "\r\n"), ("d", "")]


def test_passages_that_touch_become_one() -> None:
    lines = tuple(f"line {n}" for n in range(20))
    after = list(lines)
    after[5] = after[9] = "other"
    change = FileChange("x", "x.txt", lines, tuple(after), (Span(5, 1, 5, 1), Span(9, 1, 9, 1)))
    assert [len(cut(change, context)) for context in (1, 2)] == [2, 1]


def test_places_count_overlaps() -> None:
    assert places(["x", "x", "x", "y"], ["x", "x"]) == [0, 1]
    assert places(["ax", "x"], ["x"]) == [1]


def test_a_cut_off_reply_lacks_its_end(changes: list[FileChange]) -> None:
    for format in FORMATS:
        whole = list(draw(changes, format, SLIPS["clean"], 3, 1))
        cropped = list(draw(changes, format, SLIPS["truncated"], 3, 1))
        assert len(whole) == len(cropped) == 3
        for trial in cropped:
            full = find(changes, trial.id.replace("truncated", "clean"), 1)
            assert full
            assert full.response.startswith(trial.response)
            assert len(trial.response) < len(full.response.rstrip())


def test_rendering_a_hunk_marks_every_line(changes: list[FileChange]) -> None:
    draft = Draft.of(changes[0], "unified_diff", random.Random(1), "apply")
    text = render("unified_diff", draft.said, "a.py", "python", draft.wording).text
    body = [line for line in text.split("\n")[3:-2] if not line.startswith("@@")]
    assert all(line[:1] in (" ", "-", "+") for line in body)


def test_loads_have_the_block_they_look_for() -> None:
    for load in loads(600):
        count = load.text.count("\n".join(load.find))
        assert count == 1 if load.kind == "exact" else count != 1 or load.lands
