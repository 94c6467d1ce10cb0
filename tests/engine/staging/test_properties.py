"""What holds for any file and any edit, not only for those somebody thought of."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.update import Updated, update
from inlay.model.edit import Block, Edit, Hunk, Op, Splice, Variant

WORDS = st.sampled_from(["alpha", "beta", "if x:", "return y", "}", "", "    go()", "\tgo()", "x = 1", "# ...", "é“”"])
LINES = st.lists(WORDS, min_size=1, max_size=14)
TEXT = st.text(alphabet="ab{} \t\n\r\"'&;<>=.\\1|:é“\u00a0\u200b", max_size=60)
OPS = st.lists(st.tuples(st.sampled_from(" -+"), WORDS), min_size=1, max_size=12)


@st.composite
def real_edits(draw: st.DrawFn) -> tuple[list[str], int, int, list[str]]:
    """A file of telling lines, a stretch of it, and what that stretch becomes."""
    lines = [f"{draw(WORDS)} {n}" for n in range(draw(st.integers(1, 20)))]
    first = draw(st.integers(0, len(lines) - 1))
    last = draw(st.integers(first, len(lines) - 1))
    return lines, first, last, draw(st.lists(st.sampled_from(["new", "other line", "", "  deep"]), max_size=5))


@given(real_edits(), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.integers(0, 3))
def test_property_an_exact_unique_block_gives_just_the_new_lines(
    made: tuple[list[str], int, int, list[str]], end: str, closed: bool, context: int
) -> None:
    lines, first, last, new = made
    top, bottom = max(0, first - context), min(len(lines), last + 1 + context)
    find, replace = lines[top:bottom], lines[top:first] + new + lines[last + 1 : bottom]
    after = lines[:first] + new + lines[last + 1 :]
    # A single open line does not show how the file ends its lines.
    assume(after and find != replace and (closed or len(lines) > 1))
    text = end.join(lines) + (end if closed else "")
    result = update(text, (Edit(1, (Block(tuple(find), tuple(replace)),)),))
    assert result.text == end.join(after) + (end if closed else "")


@given(real_edits(), st.data())
def test_property_noise_that_means_nothing_changes_nothing(
    made: tuple[list[str], int, int, list[str]], data: st.DataObject
) -> None:
    lines, first, last, new = made
    find, replace = lines[first : last + 1], [lines[first], *new]
    assume(first < last)
    noisy = [line + data.draw(st.sampled_from(["", " ", "  ", "\t"])) for line in find]
    text = "\n".join(lines) + "\n"
    plain = update(text, (Edit(1, (Block(tuple(find), tuple(replace)),)),)).text
    again = update(text, (Edit(1, (Block(tuple(noisy), (noisy[0], *new)),)),)).text
    assert again == plain


def variants() -> st.SearchStrategy[Variant]:
    lines = st.lists(WORDS | TEXT, max_size=8).map(tuple)
    return st.one_of(
        st.builds(Block, lines, lines),
        st.builds(Hunk, OPS.map(tuple), st.booleans(), st.booleans()),
        st.builds(Splice, st.integers(-1, 9), st.integers(-1, 9), lines),
    )


@st.composite
def any_edits(draw: st.DrawFn) -> tuple[Edit, ...]:
    return tuple(
        Edit(
            number,
            tuple(draw(st.lists(variants(), min_size=1, max_size=3))),
            line=draw(st.none() | st.integers(0, 20)),
            sections=tuple(draw(st.lists(WORDS, max_size=2))),
            at_end=draw(st.booleans()),
            everywhere=draw(st.booleans()),
        )
        for number in range(1, draw(st.integers(1, 4)) + 1)
    )


@pytest.mark.slow
@given(LINES.map("\n".join) | TEXT, any_edits())
def test_fuzz_any_edit_lands_or_is_refused_with_reasons(text: str, edits: tuple[Edit, ...]) -> None:
    try:
        result: Updated | NotLocated = update(text, edits)
    except NotLocated as refused:
        result = refused
    if isinstance(result, NotLocated):
        assert result.misfits
        assert all(misfit.code and misfit.message for misfit in result.misfits)
    else:
        assert {match.edit for match in result.matches} <= {edit.number for edit in edits}


@given(LINES, OPS)
def test_property_lines_an_edit_does_not_show_stay_byte_for_byte(lines: list[str], raw: list[tuple[str, str]]) -> None:
    ops: tuple[Op, ...] = tuple(raw)  # type: ignore[assignment]
    head, tail = "untouched \t\r\nabove\x0c\n", "\r\nbelow  \r\nuntouched"
    try:
        result = update(head + "\n".join(lines) + tail, (Edit(1, (Hunk(ops),)),))
    except NotLocated:
        return
    assert result.text.startswith("untouched \t\r\nabove\x0c")
    assert result.text.endswith("below  \r\nuntouched")
