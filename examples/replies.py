"""Applies the sample replies to a copy of the sample project, and fails if an outcome is not as expected."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EXIT = {"applied": 0, "unchanged": 0, "refused": 3}


def inlay(*arguments: str, colour: bool = False) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "FORCE_COLOR": "1"} if colour else os.environ
    command = [sys.executable, "-m", "inlay", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)


def state(project: Path) -> dict[str, str]:
    files = (path for path in sorted(project.rglob("*")) if path.is_file() and ".inlay" not in path.parts)
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def problems(step: dict[str, Any], project: Path) -> list[str]:
    """Apply one reply, print the output, and list what is not as expected."""
    before = state(project)
    reply = str(HERE / "replies" / step["reply"])
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    done = inlay("apply", "-C", str(project), *step.get("arguments", []), reply, colour=colour)
    output = done.stdout + done.stderr
    print(output)
    wrong = [] if done.returncode == EXIT[step["outcome"]] else [f"exit code {done.returncode}"]
    if step["outcome"] != "applied" and state(project) != before:
        wrong.append("the project changed")
    if "holds" in step and step["holds"].encode() not in (project / step["file"]).read_bytes():
        wrong.append(f"{step['file']} does not contain what it should")
    if "code" in step and f"[{step['code']}]" not in output:
        wrong.append(f"the reason is not {step['code']!r}")
    if step.get("message", "") not in output:
        wrong.append(f"it does not say {step['message']!r}")
    return wrong


def main() -> int:
    steps = tomllib.loads((HERE / "replies.toml").read_text("utf-8"))["step"]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="inlay-replies-") as folder:
        project = Path(folder, "project")
        shutil.copytree(HERE / "project", project)
        for number, step in enumerate(steps, 1):
            print(f"\n━━━ {number} of {len(steps)}: {step['says']}\n$ inlay apply {step['reply']}\n")
            wrong = problems(step, project)
            failed += bool(wrong)
            for problem in wrong:
                print(f"!!! not as expected: {problem}")
    print(f"\n{len(steps) - failed} of {len(steps)} replies ended as expected.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
