"""Speed: how many times slower than one search and one copy, how it grows, and how long starting takes."""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import history, invention
from bench.appliers import ROOT
from bench.report import table
from bench.scale import PATH, Load, loads
from bench.slips import SLIPS
from bench.trials import draw

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
HELD_TO_RATIO = ("exact", "trailing blanks", "indentation")
MOST_TIMES, MOST_MS, MOST_GROWTH = 3.0, 100.0, 30.0  # ten times the lines; a quadratic rule would take a hundred
MEDIAN_MS, P99_MS, IMPORT_MS, HELP_MS = 0.5, 10.0, 50.0, 200.0


def main(argv: Sequence[str]) -> int:
    """Measure, print, and say whether every target was reached."""
    parser = argparse.ArgumentParser(prog="python -m bench speed", description=__doc__)
    parser.add_argument("--lengths", default=",".join(map(str, LENGTHS)))
    parser.add_argument("--repo", type=Path, action="append")
    parser.add_argument("--per", type=int, default=5, help="trials for each slip in each format")
    options = parser.parse_args(argv)
    sys.path.insert(0, str(ROOT / "src"))
    short = _scaling([int(n) for n in options.lengths.split(",")])
    short += _per_edit(options.repo or [ROOT], options.per)
    short += _starting()
    print("\nMISSED\n" + "\n".join(f"- {reason}" for reason in short) if short else "\nEvery target is reached.")
    return 1 if short else 0


# Against the length of the file.


def _scaling(lengths: Sequence[int]) -> list[str]:
    measured: dict[str, dict[int, tuple[float, float]]] = {}
    short = []
    for length in lengths:
        for load in loads(length):
            ms, floor, wrong = _measure(load)
            measured.setdefault(load.kind, {})[length] = ms, floor
            short += [f"{load.kind} at {length:,} lines: {wrong}"] if wrong else []
    print("## Times one search and one copy (CPU ms in brackets)\n")
    rows = [(kind, *(_cell(cells.get(n)) for n in lengths)) for kind, cells in measured.items()]
    print(table(("edit", *(f"{n:,} lines" for n in lengths)), rows), flush=True)
    return short + [reason for kind, cells in measured.items() for reason in _judge(kind, cells)]


def _cell(pair: tuple[float, float] | None) -> str:
    return f"{pair[0] / pair[1]:.1f}x ({pair[0]:.2f})" if pair else "-"


def _measure(load: Load) -> tuple[float, float, str]:
    """CPU milliseconds of staging, of the least anyone must do, and what was wrong with the outcome."""
    from inlay.engine import formats, staging
    from inlay.errors import ReplyRejected
    from inlay.landing.target_file import redirect
    from inlay.model.file import File, RepoPath, Snapshot

    reading = redirect(formats.read(load.reply(), "find_replace"), PATH)
    path = RepoPath(PATH)
    landed: list[bool] = []

    def stage() -> None:
        # A snapshot of its own each time: nothing may be remembered from the run before.
        snapshot = Snapshot({PATH: path}, {path: File(path, load.text)})
        try:
            staging.stage(reading, snapshot)
        except ReplyRejected:
            landed.append(False)
        else:
            landed.append(True)

    ms, floor = _alternately(stage, lambda: _least(load))
    return ms, floor, "" if landed[0] == load.lands else f"{'applied' if landed[0] else 'refused'} by mistake"


def _least(load: Load) -> str:
    """Find a block of that length, prove that it is the only one, and build the new text."""
    text, middle = load.text, len(load.text) // 2
    start = text.rfind("\n", 0, middle) + 1
    block = text[start : start + sum(len(line) + 1 for line in load.find)]
    at = text.find(block)
    return "" if text.find(block, at + 1) >= 0 else text[:at] + "\n".join(load.replace) + text[at + len(block) :]


def _alternately(one: Callable[[], object], other: Callable[[], object], budget: float = 1.5) -> tuple[float, float]:
    """The best of several runs each, taken in turn so that a busy machine slows both."""
    times: tuple[list[float], list[float]] = ([], [])
    end = time.monotonic() + budget
    while len(times[0]) < 3 or (time.monotonic() < end and len(times[0]) < 50):
        for call, kept in zip((one, other), times, strict=True):
            gc.collect()
            began = time.process_time_ns()
            call()
            kept.append((time.process_time_ns() - began) / 1e6)
        if times[0][0] > 5000:
            break
    return min(times[0]), max(min(times[1]), 1e-4)


def _judge(kind: str, cells: dict[int, tuple[float, float]]) -> list[str]:
    out = []
    for length, (ms, floor) in cells.items():
        if length <= 100_000 and ms >= MOST_MS:
            out.append(f"{kind} at {length:,} lines: {ms:.0f} ms >= {MOST_MS:.0f} ms")
        if length >= 1_000_000 and kind in HELD_TO_RATIO and ms / floor > MOST_TIMES:
            out.append(f"{kind} at {length:,} lines: {ms / floor:.1f} times > {MOST_TIMES:g}")
    if {100_000, 1_000_000} <= set(cells) and cells[1_000_000][0] > MOST_GROWTH * max(1.0, cells[100_000][0]):
        out.append(f"{kind}: grows faster than the file, {cells[100_000][0]:.1f} to {cells[1_000_000][0]:.1f} ms")
    return out


# On edits as they come.


def _per_edit(repositories: Sequence[Path], per: int) -> list[str]:
    from inlay.engine import formats, staging
    from inlay.errors import InlayError
    from inlay.landing.target_file import redirect
    from inlay.model.file import Snapshot

    changes = history.changes(repositories, 300, 1)
    changes += invention.invented(repositories, 300 - len(changes), 1)
    reads, stages = [], []
    for slip in SLIPS.values():
        for trial in (one for format in slip.formats for one in draw(changes, format, slip, per, 1)):
            snapshot = Snapshot.of({trial.path: trial.original.encode("utf-8", "surrogateescape")})
            try:
                began = time.process_time_ns()
                reading = redirect(formats.read(trial.response, trial.format), trial.path)
                reads.append((time.process_time_ns() - began) / 1e6)
                began = time.process_time_ns()
                staging.stage(reading, snapshot)
            except InlayError:
                pass
            stages.append((time.process_time_ns() - began) / 1e6)
    print(f"\n## Each edit, {len(stages):,} of them, CPU ms\n")
    print(table(("step", "median", "p99", "worst"), [_spread("read", reads), _spread("stage", stages)]), flush=True)
    _, median, late, _ = (0.0, *(float(cell) for cell in _spread("", stages)[1:]))
    out = [f"median per edit {median} ms >= {MEDIAN_MS} ms"] if median >= MEDIAN_MS else []
    return out + ([f"p99 per edit {late} ms >= {P99_MS} ms"] if late >= P99_MS else [])


def _spread(name: str, times: list[float]) -> tuple[str, ...]:
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return name, f"{statistics.median(ordered):.3f}", f"{late:.3f}", f"{ordered[-1]:.3f}"


# Starting.


def _starting() -> list[str]:
    bare = _wall("-c", "pass")
    found = {
        "import inlay": (_wall("-c", "import inlay") - bare, IMPORT_MS),
        "inlay --help": (_wall("-m", "inlay", "--help"), HELP_MS),
    }
    rows = [(what, f"{ms:.0f}", f"{ms / bare:.1f}x", f"{most:.0f}") for what, (ms, most) in found.items()]
    print("\n## Starting, wall ms (import without the interpreter's own start)\n")
    print(table(("what", "ms", "of a bare python", "most"), rows))
    return [f"{what}: {ms:.0f} ms >= {most:.0f} ms" for what, (ms, most) in found.items() if ms >= most]


def _wall(*arguments: str) -> float:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    times = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False)
        times.append((time.perf_counter() - began) * 1000)
    return min(times)
