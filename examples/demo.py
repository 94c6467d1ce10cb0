"""Runs `inlay implement` on a copy of the design document in examples/grille, until its tests pass.

Without a key, a recording answers (examples/transcript.toml): the model is cut off once, quotes lines that are not there
once, and breaks the syntax once. With `make demo MODEL=provider:name`, or INLAY_MODEL, that model is asked instead.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: Faults that the run must have noticed, as its report quotes them.
NOTICED = {
    "grille/table.py": ("ends inside a REPLACE WITH block", "the block is not in the file"),
    "grille/summary.py": ("Python syntax",),
}
IN, OUT = 3.0, 15.0  # US dollars per million tokens, for the cost of the recording


def inlay(*arguments: str, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command; its output goes straight to the terminal."""
    # The sample project needs none of the pytest plugins that are installed here.
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "inlay", *arguments]
    sys.stdout.flush()
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE if quiet else None, text=True, check=False)


def recording(folder: Path) -> str:
    """The recording in the program's format, made from the files in examples/answers."""
    transcript = tomllib.loads((HERE / "transcript.toml").read_text("utf-8"))
    lines: list[dict[str, Any]] = [{"model": transcript["model"]}]
    for answer in transcript["answer"]:
        text = (HERE / "answers" / answer["file"]).read_text("utf-8")
        usage = {"input": 7_000, "output": len(text) // 4}
        cost = (usage["input"] * IN + usage["output"] * OUT) / 1_000_000
        stop = answer.get("stop", "end")
        lines.append({"label": answer["label"], "text": text, "stop": stop, "usage": usage, "cost": cost, "delay": 0.4})
    path = folder / "transcript.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return f"recorded:{path}"


def say(number: int, text: str, command: str) -> None:
    print(f"\n━━━ {number} of 4: {text}\n$ {command}\n")


def problems(project: Path) -> list[str]:
    """What is not as expected after the recording was played."""
    report = json.loads(inlay("runs", "show", "1", "--json", "-C", str(project), quiet=True).stdout)
    errors = {file["path"]: " | ".join(file["errors"]) for file in report["files"]}
    wrong = [] if report["outcome"] == "green" else [f"the run is {report['outcome']}: {report['reason']}"]
    wrong += [f"requirement {item['id']} has no passing test" for item in report["requirements"] if not item["holds"]]
    wrong += [
        f"{path}: {fault!r} was not noticed" for path, faults in NOTICED.items() for fault in faults if fault not in errors[path]
    ]
    return wrong + (["grille/totals.py was not deleted"] if (project / "grille/totals.py").exists() else [])


def main() -> int:
    live = " ".join(sys.argv[1:]) or os.environ.get("INLAY_MODEL", "")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="inlay-demo-") as folder:
        project = Path(folder, "grille")
        shutil.copytree(HERE / "grille", project)
        model = live or recording(Path(folder))
        place = ("-C", str(project))
        say(1, "Check the document; no model is asked.", "inlay spec check design.md")
        inlay("spec", "check", str(project / "design.md"), *place)
        who = live or "a recording: cut off once, a wrong quote once, broken syntax once"
        say(2, f"Write the tests, then file after file ({who}).", "inlay implement design.md --auto")
        done = inlay("implement", str(project / "design.md"), *place, "--auto", "--model", model)
        say(3, "The run would delete a file, so it waits for approval.", "inlay runs")
        inlay("runs", *place)
        say(4, "Another process approves, and the run continues from there.", "inlay resume 1 --approve")
        while done.returncode == 4:
            done = inlay("resume", "1", "--approve", *place)
        wrong = [] if live else problems(project)
    for problem in wrong:
        print(f"!!! not as expected: {problem}")
    print(f"\nThat took {time.monotonic() - began:.0f} seconds. `inlay undo` would undo it change by change.")
    return 1 if wrong else done.returncode


if __name__ == "__main__":
    sys.exit(main())
