"""Several processes edit one file at once through tools of their own, and nothing is lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROCESSES, EDITS = 4, 12
CLIENT = """\
import json, sys
from inlay.tools import Toolbox
box, me = Toolbox(sys.argv[1]), sys.argv[2]
kinds = []
for edit in range(int(sys.argv[3])):
    change = {"path": "shared.txt", "old_string": f"client {me} edit {edit}\\n", "new_string": f"done {me} {edit}\\n"}
    kinds.append(box.call("replace_text", change).structured["kind"])
print(json.dumps(kinds))
"""


def test_processes_take_turns(tmp_path: Path) -> None:
    wanted = [f"{me} edit {edit}" for edit in range(EDITS) for me in range(PROCESSES)]
    (tmp_path / "shared.txt").write_text("".join(f"client {line}\n" for line in wanted))
    started = [
        subprocess.Popen([sys.executable, "-c", CLIENT, str(tmp_path), str(me), str(EDITS)], stdout=subprocess.PIPE)
        for me in range(PROCESSES)
    ]
    structured = [json.loads(process.communicate()[0]) for process in started]
    assert structured == [["applied"] * EDITS] * PROCESSES
    assert (tmp_path / "shared.txt").read_text() == "".join(f"done {line.replace(' edit', '')}\n" for line in wanted)
