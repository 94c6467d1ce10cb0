"""Has `inlay implement` turn the design document in examples/grille into code with green tests, in a copy of it.

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
#: What must have been noticed on the way, as the report tells it.
NOTICED = {
    "grille/table.py": ("ends inside a REPLACE WITH block", "the block is not in the file"),
    "grille/summary.py": ("Python syntax",),
}
IN, OUT = 3.0, 15.0  # US dollars for a million tokens, for the bill of the recording


def inlay(*arguments: str, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    """Call the command; what it shows goes straight to whoever watches."""
    # The sample project needs none of the plugins that happen to be installed here.
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "inlay", *arguments]
    sys.stdout.flush()
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE if quiet else None, text=True, check=False)


def recording(folder: Path) -> str:
    """The recording as the program reads it, made of the answers that lie beside this file."""
    told = tomllib.loads((HERE / "transcript.toml").read_text("utf-8"))
    lines: list[dict[str, Any]] = [{"model": told["model"]}]
    for answer in told["answer"]:
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
    """What is not as it should be after the recording was played."""
    report = json.loads(inlay("runs", "show", "1", "--json", "-C", str(project), quiet=True).stdout)
    errors = {file["path"]: " | ".join(file["errors"]) for file in report["files"]}
    found = [] if report["outcome"] == "green" else [f"it is {report['outcome']}: {report['reason']}"]
    found += [f"requirement {each['id']} is not shown" for each in report["requirements"] if not each["holds"]]
    found += [
        f"{path}: nobody noticed {fault!r}" for path, faults in NOTICED.items() for fault in faults if fault not in errors[path]
    ]
    return found + (["grille/totals.py is still there"] if (project / "grille/totals.py").exists() else [])


def main() -> int:
    live = " ".join(sys.argv[1:]) or os.environ.get("INLAY_MODEL", "")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="inlay-demo-") as folder:
        project = Path(folder, "grille")
        shutil.copytree(HERE / "grille", project)
        model = live or recording(Path(folder))
        place = ("-C", str(project))
        say(1, "Can the document be implemented as it is? No model is asked.", "inlay spec check design.md")
        inlay("spec", "check", str(project / "design.md"), *place)
        who = live or "a recording: cut off once, a wrong quote once, broken syntax once"
        say(2, f"Tests first, then file by file ({who}).", "inlay implement design.md --auto")
        done = inlay("implement", str(project / "design.md"), *place, "--auto", "--model", model)
        say(3, "A file is to be deleted, so the run waits for a person; it would wait for ever.", "inlay runs")
        inlay("runs", *place)
        say(4, "Another process answers, and the run goes on exactly there.", "inlay resume 1 --approve")
        while done.returncode == 4:
            done = inlay("resume", "1", "--approve", *place)
        found = [] if live else problems(project)
    for problem in found:
        print(f"!!! not as expected: {problem}")
    print(f"\nThat took {time.monotonic() - began:.0f} seconds. `inlay undo` would take back file after file.")
    return 1 if found else done.returncode


if __name__ == "__main__":
    sys.exit(main())
