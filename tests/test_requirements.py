"""Every requirement is listed, and the tests that are said to show it exist."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from requirements import prove

ROOT = Path(__file__).parents[1]
IDS = {
    "324": "R1 R2 R3 R4 R5 R6 R7 R8 R9 O S P K G6 OBS T005 T010 T020 T030 T035 T040 T050 T060 T070 T080 T090 T100 T110 "
    "T115 T120 T130 T-large-file",
    "309": "R1 R2 R3 R4 R5 R6 V SEC M T",
    "173": "R1 R2 R3 R4 R5 R6 R7 R8 S L P T D",
    "A17": "R1 R3 R5 R7 R9 N S1 S2 S4 S5 S7 B",
    "26": "R1 R2 R4 R5 R7 R12 T",
}
REQUIREMENTS = tomllib.loads((ROOT / "tests/requirements.toml").read_text(encoding="utf-8"))
BREAKS = tomllib.loads((ROOT / "tests/requirements/breaks.toml").read_text(encoding="utf-8"))


def test_every_requirement_is_listed() -> None:
    assert set(REQUIREMENTS) == {f"{document}-{id_}" for document, ids in IDS.items() for id_ in ids.split()}


def test_every_requirement_is_shown() -> None:
    for name, requirement in REQUIREMENTS.items():
        assert requirement["says"].endswith("."), name
        assert requirement["shown_by"], name


def test_every_requirement_says_how_it_is_broken() -> None:
    """`make requirements` breaks them and demands that a test fails."""
    assert set(BREAKS) == set(REQUIREMENTS)


def test_every_requirement_can_be_broken_as_it_says() -> None:
    """The code that a break quotes is found exactly once, and what replaces it parses and uses no name that is gone."""
    assert prove.unusable(prove.read_breaks(BREAKS)) == []


@pytest.mark.slow
def test_every_test_that_shows_a_requirement_exists() -> None:
    named = {test for requirement in REQUIREMENTS.values() for test in requirement["shown_by"]}
    files = sorted({test.partition("::")[0] for test in named})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    collected = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert named <= {line.partition("[")[0] for line in collected.splitlines()}
