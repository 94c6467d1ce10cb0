"""Lets the tests of this folder share their scene; `python tests/crash` finds it by itself."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
