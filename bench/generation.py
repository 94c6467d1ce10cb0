"""The whole loop with simulated models: how often three attempts are enough, beside exact-match-only applying.

Both loops hear the same model: the same slips, mended at the same attempt.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bench import exact, history, invention, report
from bench.appliers import ROOT
from bench.simulation import Case, Simulated, cases
from inlay.errors import InlayError
from inlay.generation.generate import propose
from inlay.llm.provider import Model
from inlay.llm.tokens import counter
from inlay.model.answer import Limits, ModelInfo
from inlay.model.task import GenerateOptions, Task
from inlay.storage import Workspace

ATTEMPTS = 3
RATIO = 1 / 3  #: ours may fail at most so often as exact matching
_INFO = ModelInfo("simulated:model", 1_000_000, 64_000, 0.0, 0.0)
_COMPLAINT = "The FIND block was not found exactly once. Send the edit again."


@dataclass(frozen=True, slots=True)
class Run:
    """One case through one loop."""

    id: str
    slip: str
    loop: str
    done: bool
    wrong: bool  #: something was written that is no right result
    attempts: int
    tokens: int
    error: str = ""


def main(argv: Sequence[str]) -> int:
    """Print a table; 0 when ours is right and fails seldom enough."""
    options = _options(argv)
    logging.getLogger("inlay").setLevel(logging.CRITICAL)  # a failed attempt is what this is about
    changes = _changes(options)
    count = counter(replace(_INFO, tokenizer="o200k"))
    runs: list[Run] = []
    for seed in range(1, options.seeds + 1):
        started = time.monotonic()
        for case in cases(changes, seed):
            runs += [_ours(case, count), _exact(case, count)]
        print(f"seed {seed}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    if options.json:
        print(json.dumps([asdict(run) for run in runs]))
    else:
        print(_report(runs, len(changes)))
    short = shortfalls(runs)
    print("\n".join(["FAILED", *short]) if short else "The bar is cleared.", file=sys.stderr)
    return 1 if short else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench generation", description=__doc__)
    parser.add_argument("--repo", type=Path, action="append", help="a git repository; may be repeated")
    parser.add_argument("--changes", type=int, default=240, help="changes to draw (default %(default)s)")
    parser.add_argument("--seeds", type=int, default=5, help="runs over all of them (default %(default)s)")
    parser.add_argument("--longest", type=int, default=3000, help="lines of the longest file (default %(default)s)")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(argv)


def _changes(options: argparse.Namespace) -> list[history.FileChange]:
    repositories = options.repo or [ROOT]
    found = [c for c in history.changes(repositories, 3 * options.changes, 1) if len(c.before) <= options.longest]
    return (found + invention.invented(repositories, options.changes - len(found), 1))[: options.changes]


def _ours(case: Case, count: Callable[[str], int]) -> Run:
    made = case.trial
    folder = Path(tempfile.mkdtemp(prefix="inlay-generation-"))
    try:
        file = folder / made.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(made.original.encode("utf-8", "surrogateescape"))
        simulated = Simulated(case, count)
        content, error = _proposed(case, folder, simulated)
        # The first half of a commit is enough here: what would be written is known, and nothing is.
        assert file.read_bytes() == made.original.encode("utf-8", "surrogateescape")
    finally:
        shutil.rmtree(folder)
    spent = sum(count(r.prompt.text) + count(case.reply(n)) for n, r in enumerate(simulated.requests, 1))
    right = content in made.accepted
    wrong = content is not None and not right
    return Run(made.id, made.slip, "inlay", right, wrong, len(simulated.requests), spent, error)


def _proposed(case: Case, folder: Path, simulated: Simulated) -> tuple[str | None, str]:
    options = GenerateOptions(Limits(attempts=ATTEMPTS), format=case.trial.format, mode="edits")
    task = Task((case.trial.path,), "Make the change.")
    try:
        proposal = asyncio.run(propose(task, Workspace(folder), Model(_INFO, simulated), options))
    except InlayError as error:
        return None, str(error)
    (change,) = proposal.changes.changes
    return (change.content or b"").decode("utf-8", "surrogateescape"), ""


def _exact(case: Case, count: Callable[[str], int]) -> Run:
    made, spent, said = case.trial, 0, made_prompt(case)
    for attempt in range(1, ATTEMPTS + 1):
        reply = case.reply(attempt)
        spent += count(said) + count(reply)
        said += f"\n{reply}\n{_COMPLAINT}"
        content = exact.applied(made.path, made.original, reply, made.format if made.named else None)
        if content is not None:
            right = content in made.accepted
            return Run(made.id, made.slip, "exact", right, not right, attempt, spent)
    return Run(made.id, made.slip, "exact", False, False, ATTEMPTS, spent)


def made_prompt(case: Case) -> str:
    """Roughly what the first request says: the file, and a page of rules."""
    return case.trial.original + "x " * 600


def shortfalls(runs: Iterable[Run]) -> list[str]:
    """Every way in which the bar is missed."""
    ours, others = ([run for run in runs if run.loop == loop] for loop in ("inlay", "exact"))
    out = [f"{run.id}: wrong" for run in ours if run.wrong]
    failed, beside = (sum(not run.done for run in group) for group in (ours, others))
    if failed > RATIO * beside:
        out.append(f"{failed} failures are more than a third of {beside}")
    return out


def _report(runs: Sequence[Run], changes: int) -> str:
    head = ("loop", "runs", "done", "failed", "wrong", "at first", "attempts", "tokens a run", "tokens a success")
    rows = [_row(loop, [run for run in runs if run.loop == loop]) for loop in ("inlay", "exact")]
    return f"{changes} changes, {ATTEMPTS} attempts\n\n{report.table(head, rows)}\n\n{_by_slip(runs)}"


def _row(loop: str, runs: Sequence[Run]) -> tuple[object, ...]:
    n, done = max(1, len(runs)), sum(run.done for run in runs)
    tokens = sum(run.tokens for run in runs)
    return (
        loop,
        len(runs),
        f"{done / n:.2%}",
        len(runs) - done,
        sum(run.wrong for run in runs),
        f"{sum(run.done and run.attempts == 1 for run in runs) / n:.1%}",
        f"{sum(run.attempts for run in runs) / n:.2f}",
        f"{tokens / n:,.0f}",
        f"{tokens / max(1, done):,.0f}",
    )


def _by_slip(runs: Sequence[Run]) -> str:
    rows = []
    for slip in sorted({run.slip for run in runs}):
        groups = [[run for run in runs if run.slip == slip and run.loop == loop] for loop in ("inlay", "exact")]
        failed = [sum(not run.done for run in group) for group in groups]
        if any(failed):
            rows.append((slip, len(groups[0]), *failed))
    return report.table(("slip", "runs", "inlay failed", "exact failed"), rows)
