"""Programs from npm that the end-to-end tests use, installed once below `.e2e`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".e2e"


def program(package: str, name: str) -> str:
    """The path of a program; leaves with a word where it cannot be had."""
    found = FOLDER / "node_modules/.bin" / name
    if not found.exists():
        if shutil.which("npm") is None:
            sys.exit("this needs npm, which is not installed")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / "package.json").write_text('{"private": true}\n')
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent", package], cwd=FOLDER, check=True)
    return str(found)
