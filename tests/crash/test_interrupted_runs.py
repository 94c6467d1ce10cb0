"""A run that is killed goes on as if nothing had been: a sample of what `make crash` does at every boundary."""

from pathlib import Path

import interrupted
import pytest


@pytest.mark.parametrize("first", [2, 11])
def test_killed_between_steps_and_resumed(tmp_path: Path, first: int) -> None:
    tried, bad = interrupted.boundaries(tmp_path, first=first, step=19)
    assert tried >= 4
    assert bad == []


def test_killed_at_random_moments_and_resumed(tmp_path: Path) -> None:
    died, bad = interrupted.moments(tmp_path, 4)
    assert died >= 1
    assert bad == []
