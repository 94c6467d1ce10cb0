"""A little of what `make crash` does at length: others who write, swap links and commit at the same time."""

import warnings
from collections.abc import Iterator

import pytest
import races
import scene

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _quiet_about_forks() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_no_update_is_lost() -> None:
    with scene.folder() as root:
        lost, conflicts, commits = races.lost_updates(root, 150)
    assert lost == 0
    assert conflicts > 0
    assert commits > 0


def test_nothing_escapes_through_swapped_links() -> None:
    with scene.folder() as base:
        found, refused = races.escapes(base, 600)
    assert found == 0
    assert 0 < refused < 600


def test_writers_wait_for_each_other() -> None:
    with scene.folder() as root:
        assert races.counted_together(root, 4, 8) == 32
