"""Every contaminated patch is refused with advice, every clean one lands, whatever its file is about."""

from pathlib import Path

import pytest
from corpus import Case, cases, files

from inlay.tools import Toolbox

CLEAN, CONTAMINATED = cases("clean"), cases("contaminated")


def test_the_corpus_is_large_enough() -> None:
    assert len(CLEAN) >= 60
    assert len(CONTAMINATED) >= 60


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_a_clean_patch_lands(case: Case, tmp_path: Path) -> None:
    case.build(tmp_path)
    outcome = Toolbox(tmp_path).call("write_patch", case.arguments)
    assert outcome.structured["kind"] == case.outcome, outcome.text
    assert files(tmp_path) == case.after


@pytest.mark.parametrize("case", CONTAMINATED, ids=lambda case: case.name)
def test_a_contaminated_patch_is_refused_with_advice(case: Case, tmp_path: Path) -> None:
    case.build(tmp_path)
    outcome = Toolbox(tmp_path).call("write_patch", case.arguments)
    assert outcome.is_error
    structured = outcome.structured
    assert structured["kind"] == "patch_error"
    assert structured["code"] == ("not-a-diff" if case.name.startswith("no_diff") else "contaminated")
    assert "unified diff" in structured["advice"]
    assert structured["example"].startswith("--- a/")
    assert files(tmp_path) == case.before
