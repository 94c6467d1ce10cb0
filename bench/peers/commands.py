"""Peers that are programs: git apply, GNU patch and codex's apply_patch, each in a scratch directory."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from serving import HalfDone, serve, unfenced

_ARGUMENTS = {
    "git-apply": ["git", "apply", "-p1", "-"],
    "git-apply-lenient": ["git", "apply", "-p1", "--recount", "-C1", "--ignore-whitespace", "-"],
    "patch": ["patch", "-f", "-N", "--no-backup-if-mismatch", "-r", "-", "-p1"],
    "codex": ["apply_patch"],  # the binary goes by the name it is called
}


def apply(original: str, reply: str, format: str, path: str) -> str:
    """Run the command on a scratch copy."""
    root = Path(tempfile.mkdtemp())
    try:
        return _run(root, root / path, original.encode("utf-8", "surrogateescape"), reply, path)
    finally:
        shutil.rmtree(root)


def _run(root: Path, file: Path, before: bytes, reply: str, path: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(before)
    name = sys.argv[1]
    command = _ARGUMENTS[name] + ([path] if name == "patch" else [])
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "GIT_CEILING_DIRECTORIES": str(root.parent)}
    program = sys.argv[2] if name == "codex" else None
    text = _patch(reply) if name == "codex" else unfenced(reply)
    done = subprocess.run(
        command, executable=program, input=text.encode(), cwd=root, env=environment, capture_output=True, check=False
    )
    after = file.read_bytes() if file.exists() else b""
    content = after.decode("utf-8", "surrogateescape")
    if done.returncode == 0:
        return content
    if after != before:
        raise HalfDone(content)
    raise ValueError((done.stderr or done.stdout).decode("utf-8", "replace"))


def _patch(reply: str) -> str:
    found = re.search(r"^\*\*\* Begin Patch.*^\*\*\* End Patch", reply, re.DOTALL | re.MULTILINE)
    return found[0] if found else reply


serve(apply)
