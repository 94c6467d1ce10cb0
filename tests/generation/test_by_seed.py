"""A few seeds of what `make e2e` runs for hours: faults of servers, obedient models, canaries for keys."""

from pathlib import Path

import pytest

from generation import canaries, injections, matrix
from loopback import Seen

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fault", [*matrix.FAULTS, "then success"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_fault_of_a_server_damages_a_file_or_is_asked_about_too_often(fault: str, seed: int, tmp_path: Path) -> None:
    assert matrix.run(fault, seed, tmp_path).problems == ()


def test_a_fault_that_is_not_handled_would_show() -> None:
    job = matrix.work(matrix.random.Random(1))
    kept = {"landed": False, "asked": 1, "error": "ProviderFailure: no such key", "took": 1.0}
    assert matrix._problems(job, job.before, **kept) == []  # type: ignore[arg-type]
    assert matrix._problems(job, job.after, **kept) == ["the file is damaged"]  # type: ignore[arg-type]
    assert matrix._problems(job, job.before, **kept | {"asked": 4}) == ["asked 4 times"]  # type: ignore[arg-type]
    assert matrix._problems(job, job.before, **kept | {"error": "E: x"})  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_a_model_that_obeys_what_it_reads_writes_only_the_named_files(seed: int, tmp_path: Path) -> None:
    written, obeyed = injections.run(seed, tmp_path)
    assert obeyed
    assert written == ""


@pytest.mark.parametrize("seed", range(15))
def test_no_key_is_shown_or_kept(seed: int, tmp_path: Path) -> None:
    assert canaries.run(seed, tmp_path) == ""


def test_canaries_are_said_back_by_the_server() -> None:
    key = "canary-of-no-known-shape"
    rng = canaries.random.Random(1)
    said = [canaries._telling(key, 1, rng)(Seen(1, "openai", "/", {}, {})) for _ in range(100)]
    assert sum(key in repr(each) for each in said) > 50
