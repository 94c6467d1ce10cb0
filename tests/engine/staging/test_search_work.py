"""The work of searching: counted, in proportion to the input, and refused where it is too much."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.hostile import KINDS, blocks
from bench.scale import source
from inlay import EmbedRequest, Workspace, embed, land
from inlay.errors import EditsRefused
from inlay.text import lines as text_lines
from inlay.text.lines import SearchWork

LINEAR = (
    "equal lines, indented otherwise",
    "chain of edits",
    "hallucinated edits",
    "exact edits",
    "long block, one line wrong",
    "long block, indented otherwise",
    "edits within edits",
)


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """The letters that were searched since the last question."""
    counted = [0]
    spend = SearchWork.spend

    def counting(self: SearchWork, letters: int = 0, lines: int = 0) -> None:
        before = self.letters
        try:
            spend(self, letters, lines)
        finally:
            counted[0] += self.letters - before

    def taken() -> int:
        total, counted[0] = counted[0], 0
        return total

    monkeypatch.setattr(SearchWork, "spend", counting)
    return taken


@pytest.mark.parametrize("name", LINEAR)
def test_twice_the_input_is_at_most_twice_the_work(name: str, spent: Callable[[], int]) -> None:
    work = []
    for size in (KINDS[name].size // 40, KINDS[name].size // 20):
        case = KINDS[name].make(size)
        embed(EmbedRequest("a.txt", case.text, case.reply, case.format))
        work.append(spent())
    assert work[0] > 0
    assert work[1] <= 2.2 * work[0]


def test_what_takes_too_much_work_is_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.py"
    file.write_text("\n".join(source(3000)) + "\n")
    before = file.read_bytes()
    monkeypatch.setattr(text_lines, "MOST_WORK", 1000)
    reply = "a.py\n" + blocks([("def no_such():\n    pass", "def some():\n    pass")])
    with pytest.raises(EditsRefused) as refused:
        land(reply, Workspace(tmp_path))
    assert [misfit.code for misfit in refused.value.misfits] == ["too-costly"]
    assert file.read_bytes() == before


def test_a_replacement_everywhere_is_made_at_all_places_or_at_none() -> None:
    for places, code in ((900, ""), (1500, "too-costly")):
        text = "    old_name()\nother\n" * places
        reply = (
            '{"path": "a.txt", "edits": [{"oldText": "    old_name()  ", "newText": "    new()", "replace_all": true}]}'
        )
        result = embed(EmbedRequest("a.txt", text, reply))
        if code:
            assert result.refusal is not None
            assert result.refusal.misfits[0].code == code
        else:
            assert result.content == text.replace("old_name", "new")
