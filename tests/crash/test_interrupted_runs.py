"""A run that is killed goes on as if nothing had been: a sample of what `make crash` does at every boundary."""

from pathlib import Path

import interrupted
import pytest

pytestmark = pytest.mark.slow


def test_killed_between_steps_and_resumed(tmp_path: Path) -> None:
    tried, bad = interrupted.boundaries(tmp_path, first=9, step=31)  # a step's result without its checkpoint; a write
    assert tried >= 3
    assert bad == []


def test_killed_at_random_moments_and_resumed(tmp_path: Path) -> None:
    died, bad = interrupted.moments(tmp_path, 2)
    assert died >= 1
    assert bad == []
