"""Keys that must never be seen again: `inlay edit` with canaries for keys, on servers that repeat them.

python tests/generation/canaries.py --runs 1000
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from inlay.cli.main import main as inlay  # noqa: E402
from loopback import Loopback, Reply, Seen, replies  # noqa: E402

_RIGHT = "app.py\n<<<<<<< SEARCH\nvalue = 1\n=======\nvalue = 2\n>>>>>>> REPLACE\n"
_SHAPES: tuple[Callable[[str], str], ...] = (
    lambda tail: f"sk-ant-api03-{tail}",
    lambda tail: f"sk-proj-{tail}",
    lambda tail: tail,  # like nothing: only its value gives it away
    lambda tail: f"{tail[:8]}/{tail[8:]}+=",
)


def canary(rng: random.Random) -> str:
    """A key that no other text can hold by chance."""
    return rng.choice(_SHAPES)("".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=40)))


def _telling(key: str, most: int, rng: random.Random) -> Callable[[Seen], Reply | str]:
    """A server that says the key back in every way a server can; what would be paused for comes last."""
    ways: list[Reply | str] = [
        replies.failed(401, f"Incorrect API key provided: {key}. You can find your key at …"),
        replies.failed(400, f"bad header: Authorization: Bearer {key}"),
        replies.failed(403, key),
        replies.refusal(f"I will not use {key}."),
        f"I see that your key is {key}. Shall I go on?",
        f"```\n{key}\n```",
        f"{key}\n<<<<<<< SEARCH\nvalue = 3\n=======\nvalue = 2\n>>>>>>> REPLACE\n",
        f"app.py\n<<<<<<< SEARCH\n{key}\n=======\nvalue = 2\n>>>>>>> REPLACE\n",
        _RIGHT,
    ]
    passing: list[Reply | str] = [
        replies.failed(500, f"trace: x-api-key={key}"),
        Reply(body=f"<html>{key}</html>".encode(), headers={"Content-Type": "text/html"}),
        Reply(_RIGHT, error_after=2, error=key),
    ]
    chosen = [*rng.choices(ways, k=most - 1), rng.choice([*ways, *passing])]
    return lambda seen: chosen[min(seen.number, most) - 1]


def run(seed: int, folder: Path) -> str:
    """One run with canaries; where one of them was found, or nothing."""
    rng = random.Random(f"canary:{seed}")
    keys = [canary(rng) for _ in range(2)]
    wire = rng.choice(["anthropic", "openai"])
    project = folder / "project"
    project.mkdir()
    (project / "app.py").write_text("value = 1\n")
    words = ["edit", "app.py", "-m", "set value to 2", "-C", str(project), "--model", f"{wire}:m", "--auto"]
    most = rng.randint(1, 3)
    words += ["--mode", "edits", "--max-attempts", str(most)]
    words += rng.choice([[], ["--json"], ["--verbose"], ["--verbose", "--json"], ["--dry-run"]])
    words += ["--log", str(folder / "steps.log"), "--record", str(folder / "recording.jsonl")]
    if rng.random() < 0.2:
        # A command that tells all it was given.
        words += ["--check", f"{sys.executable} -c 'import os, sys; print(dict(os.environ)); sys.exit(1)'"]
    with Loopback(_telling(keys[0], most, rng)) as server:
        said = _called(words, server.environ(wire, keys[0]) | {"SOME_SERVICE_TOKEN": keys[1]})
    found = [
        name for name, data in [("output", said.encode()), *_files(folder)] if any(k.encode() in data for k in keys)
    ]
    return ", ".join(found)


def _called(words: Sequence[str], environ: Mapping[str, str]) -> str:
    out = io.StringIO()
    with _environment(environ), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            inlay(list(words))
        except SystemExit as left:
            if left.code not in (0, 1, 3, 4, 5):
                raise AssertionError(f"exit code {left.code}: {out.getvalue()}") from left
    return out.getvalue()


@contextlib.contextmanager
def _environment(more: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(more)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()


def main(argv: Sequence[str]) -> int:
    """Run them all; 0 when no canary was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    bad = 0
    for seed in range(parser.parse_args(argv).runs):
        with tempfile.TemporaryDirectory() as folder:
            if found := run(seed, Path(folder)):
                bad += 1
                print(f"seed {seed}: {found}", flush=True)  # noqa: T201
    print(f"FAILED: {bad}" if bad else "No canary was found.")  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
