"""`make e2e`: what takes too long for every run of the tests, end to end; one part by its name, or all.

python tests/e2e                 everything, about an hour and a half
python tests/e2e faults          the real clients against a server that fails in every way, 100 seeds each
python tests/e2e injections      a model that obeys what it reads, 100 seeds
python tests/e2e canaries        keys that must not be seen again, 1,000 runs
python tests/e2e commits         a model that judges commits behind a failing server, 300 seeds
python tests/e2e endurance       1,000 commits in bounded memory, and 20 kills that lose no answer
python tests/e2e model           a real small model on this machine; pulls it (1.1 GB) where it is missing
python tests/e2e inspector       the MCP Inspector's command line against the server; installs it by npm
python tests/e2e claude          Claude Code against a scripted model, with the server; installs it by npm
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = {
    "faults": ("generation/matrix.py", "--seeds", "100"),
    "injections": ("generation/injections.py", "--seeds", "100"),
    "canaries": ("generation/canaries.py", "--runs", "1000"),
    "commits": ("commits/faulty.py", "--seeds", "300"),
    "endurance": ("commits/endurance.py",),
    "model": ("e2e/real_model.py",),
    "inspector": ("e2e/inspector.py",),
    "claude": ("e2e/claude_code.py",),
}


def main(argv: Sequence[str]) -> int:
    """Run the parts that were named with what follows them, or all; 0 when all of them held."""
    if argv and argv[0] not in PARTS:
        print(__doc__)
        return 2
    chosen = {argv[0]: (*PARTS[argv[0]][:1], *(argv[1:] or PARTS[argv[0]][1:]))} if argv else PARTS
    failed = [name for name, words in chosen.items() if _run(name, words)]
    print(f"FAILED: {', '.join(failed)}" if failed else "All of it held.")
    return 1 if failed else 0


def _run(name: str, words: Sequence[str]) -> int:
    print(f"--- {name}", flush=True)
    began = time.monotonic()
    code = subprocess.run([sys.executable, str(HERE.parent / words[0]), *words[1:]]).returncode
    print(f"--- {name}: {time.monotonic() - began:.0f} s\n", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
