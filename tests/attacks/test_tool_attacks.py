"""Names that attack meet the same fate through every tool that takes a path."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SANDBOX = Path(__file__).with_name("tool_sandbox.py")


def test_every_name_meets_its_fate_through_every_tool() -> None:
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("attacks are tried only where a mount namespace keeps them from the rest of the machine")
    options = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
    done = subprocess.run(["unshare", *options, sys.executable, "-B", str(SANDBOX)], capture_output=True, text=True)
    if done.returncode == 77 or "unshare failed" in done.stderr or "must be superuser" in done.stderr:
        pytest.skip("this machine does not let a process shut itself in, and outside attacks are not tried")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["surprises"] == []
    assert told["tried"] > 100
