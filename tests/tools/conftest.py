"""Lets the tests of this folder share their corpus."""

import sys
from pathlib import Path

import pytest

from inlay.tools import Toolbox

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 1\n")
    (tmp_path / "long.txt").write_text("line\n" * 150)
    return tmp_path


@pytest.fixture
def box(project: Path) -> Toolbox:
    return Toolbox(project)
