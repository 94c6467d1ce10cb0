"""Applies the sample replies to a copy of the sample project, and fails when one outcome is not the expected one."""

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
    """Apply one reply, show it as a person sees it, and list what is not as expected."""
    before = state(project)
    reply = str(HERE / "replies" / step["reply"])
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    done = inlay("apply", "-C", str(project), *step.get("arguments", []), reply, colour=colour)
    said = done.stdout + done.stderr
    print(said)
    found = [] if done.returncode == EXIT[step["outcome"]] else [f"exit code {done.returncode}"]
    if step["outcome"] != "applied" and state(project) != before:
        found.append("the project changed")
    if "holds" in step and step["holds"].encode() not in (project / step["file"]).read_bytes():
        found.append(f"{step['file']} does not hold what it should")
    if "code" in step and f"[{step['code']}]" not in said:
        found.append(f"the reason is not {step['code']!r}")
    if step.get("message", "") not in said:
        found.append(f"it does not say {step['message']!r}")
    return found


def main() -> int:
    steps = tomllib.loads((HERE / "replies.toml").read_text("utf-8"))["step"]
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="inlay-replies-") as folder:
        project = Path(folder, "project")
        shutil.copytree(HERE / "project", project)
        for number, step in enumerate(steps, 1):
            print(f"\n━━━ {number} of {len(steps)}: {step['says']}\n$ inlay apply {step['reply']}\n")
            found = problems(step, project)
            wrong += bool(found)
            for problem in found:
                print(f"!!! not as expected: {problem}")
    print(f"\n{len(steps) - wrong} of {len(steps)} replies ended as they should.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
