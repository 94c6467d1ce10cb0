"""The example of an agent loop runs offline, and its model mends its mistakes from what the tools say."""

import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples/agent_loop.py"


def test_the_scripted_model_gets_there() -> None:
    done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "write_patch: patch_error contaminated" in done.stdout
    assert "replace_text: patch_error ambiguous" in done.stdout
    assert "result += item.price * item.count" in done.stdout
    assert "def count(items):\n    result = 1\n" in done.stdout
