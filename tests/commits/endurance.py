"""Long histories before a model: memory that does not grow with them, and kills that lose no answer.

python tests/commits/endurance.py                        both, some minutes
python tests/commits/endurance.py --commits 50 --kills 3
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from commits import simulated  # noqa: E402
from loopback import Loopback, Reply, Seen  # noqa: E402

_MODEL = "openai:some-model"
_IN_FLIGHT = 4


def history(root: Path, commits: int, lines: int) -> None:
    """A bare repository in which each commit adds a file of so many lines; every seventh hides something."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(root)], check=True)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE) as importing:
        assert importing.stdin is not None
        for number in range(commits + 1):
            rng = random.Random(number)
            words = [f"value_{rng.randrange(10**6)} = {rng.randrange(10**6)}\n" for _ in range(lines)]
            content = "".join([*words, "HIDDEN door\n" if number % 7 == 0 else ""]).encode()
            head = f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + number} +0000\ndata 6\nAdd it"
            importing.stdin.write(f"{head}\nM 100644 inline f{number}.txt\ndata {len(content)}\n".encode() + content)
            importing.stdin.write(b"\n")
    assert importing.returncode == 0


@dataclass(frozen=True)
class Machine:
    """Where the command runs: a history, a home of its own, a server."""

    root: Path
    server: Loopback
    commits: int

    def start(self) -> subprocess.Popen[bytes]:
        """`inlay commits check --ai` over all of it."""
        config = self.root.parent / "config" / "inlay"
        config.mkdir(parents=True, exist_ok=True)
        (config / "config.toml").write_text(f'[models."{_MODEL}"]\ncontext = 128000\nmax_output = 4000\n')
        environ = os.environ | self.server.environ("openai") | {"XDG_CONFIG_HOME": str(config.parent)}
        command = [sys.executable, "-m", "inlay", "commits", "check", f"main~{self.commits}..main", "--ai", "--json"]
        with (self.root.parent / "out").open("wb") as out:
            return subprocess.Popen([*command, "--model", _MODEL], cwd=self.root, env=environ, stdout=out)

    def outcomes(self) -> Counter[str]:
        told = json.loads((self.root.parent / "out").read_bytes())
        return Counter(commit["outcome"] for commit in told["commits"])

    @property
    def expected(self) -> Counter[str]:
        fails = sum(number % 7 == 0 for number in range(1, self.commits + 1))
        return Counter({"fails": fails, "passes": self.commits - fails})


def peak(commits: int, lines: int, folder: Path) -> tuple[int, str]:
    """Kilobytes that the command took at most, and what was wrong with it."""
    history(folder / "repo.git", commits, lines)
    with Loopback(simulated.right) as server:
        machine = Machine(folder / "repo.git", server, commits)
        process = machine.start()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0  # it has been waited for
        wrong = "" if machine.outcomes() == machine.expected else f"{dict(machine.outcomes())}"
        if server.most_at_once > _IN_FLIGHT:
            wrong += f" {server.most_at_once} requests in flight"
    return used.ru_maxrss, wrong


def kills(count: int, commits: int, folder: Path, seed: int = 0) -> str:
    """What was wrong after so many kills at random moments; every run goes on where the one before was killed."""
    rng = random.Random(seed)
    history(folder / "repo.git", commits, 1500)

    def slowly(seen: Seen) -> Reply:
        return Reply(simulated.right(seen), delay=0.05)

    with Loopback(slowly) as server:
        machine = Machine(folder / "repo.git", server, commits)
        for _ in range(count):
            _killed(machine, rng)
        process = machine.start()
        process.wait()
        counted = Counter(json.dumps(seen.messages) for seen in server.seen)
        twice = sum(counted.values()) - len(counted)
        if machine.outcomes() != machine.expected:
            return f"{dict(machine.outcomes())} instead of {dict(machine.expected)}"
        if any(counted[each] > 1 + count for each in counted) or twice > _IN_FLIGHT * count:
            return f"{twice} requests were sent twice in {count} kills"
        return ""


def _killed(machine: Machine, rng: random.Random) -> None:
    """Start it, and end it some requests later, or a little after it would have asked the first."""
    process, before = machine.start(), len(machine.server.seen)
    most, until = rng.randint(0, 6), time.monotonic() + 30
    while process.poll() is None and len(machine.server.seen) - before < most and time.monotonic() < until:
        time.sleep(0.002)
    time.sleep(rng.random() * (0.1 if most else 3.0))
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()


def main(argv: Sequence[str]) -> int:
    """Print the figures; 0 when all held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args(argv)
    bad = False
    peaks = []
    for commits in (max(10, options.commits // 10), options.commits):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            used, wrong = peak(commits, options.lines, Path(folder))
        peaks.append(used)
        bad |= bool(wrong)
        took = time.monotonic() - began
        print(f"{commits} commits: {used // 1024} MB at most, {took:.0f} s {wrong}", flush=True)  # noqa: T201
    bad |= peaks[1] > peaks[0] * 1.25
    with tempfile.TemporaryDirectory() as folder:
        wrong = kills(options.kills, 120, Path(folder))
    print(f"{options.kills} kills: {wrong or 'nothing lost, nothing but what was in flight asked again'}")  # noqa: T201
    return 1 if bad or wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
