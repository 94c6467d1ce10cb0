"""`make e2e`: a real, small model on this machine does every task in two formats, and is judged by running checks.

python tests/e2e/real_model.py                      pulls the model where it is missing
python tests/e2e/real_model.py --tasks js_default --formats find_replace --model ollama:qwen2.5-coder
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from editing import Editing, Outcome, can_be_checked, edit, exactly, load, save, tasks  # noqa: E402

RECORDINGS = HERE.parent / "generation/recordings"
NAME = "qwen2.5-coder-1.5b"
NO_ANSWER = 5  # the exit code where the model was too slow; there is nothing to replay
MOST_OUTPUT = 400  # tokens; these tasks need a hundred, and a small model that rambles would do so for minutes


def main(argv: Sequence[str]) -> int:
    """Run what the arguments ask for; 0 when ours is ahead and no file was damaged."""
    options = _options(argv)
    model = options.model or _pulled()
    chosen = [task for task in tasks() if can_be_checked(task) and task.name in (options.tasks or task.name)]
    _configure(model, options.threads)
    began, share = time.monotonic(), 60 * options.minutes / len(options.formats)
    outcomes: list[Outcome] = []
    for number, format in enumerate(options.formats, 1):
        file = RECORDINGS / f"{NAME}-{format}.jsonl"
        kept = load(file) if options.missing and file.exists() else []
        left = [task for task in chosen if task.name not in {outcome.task for outcome in kept}]
        for outcome in _run(left, format, model, began + number * share, options.patience):
            kept.append(outcome)
            if options.keep or options.missing:
                save(file, [each for each in kept if each.code != NO_ANSWER])
        outcomes += kept
    return _report(outcomes, chosen, len(options.formats))


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help=f"instead of the small one that is pulled, {NAME}")
    parser.add_argument("--formats", type=lambda text: text.split(","), default=["find_replace", "search_replace"])
    parser.add_argument("--tasks", type=lambda text: text.split(","), help="only these, by name")
    parser.add_argument("--minutes", type=float, default=60, help="begin no task after so many")
    parser.add_argument("--patience", type=float, default=240, help="seconds for one task (default %(default)s)")
    parser.add_argument("--keep", action="store_true", help="put the recordings where the tests replay them")
    parser.add_argument("--missing", action="store_true", help="only what those recordings lack, added to them")
    parser.add_argument("--threads", type=int, help="for the model; without it, the idle cores")
    return parser.parse_args(argv)


def _pulled() -> str:
    subprocess.run([sys.executable, "-m", "inlay", "model", "pull", NAME], check=True)
    return f"local:{NAME}"


def _configure(model: str, threads: int | None) -> None:
    """Settings of this run only: no task may take for ever."""
    if threads is not None:
        os.environ["INLAY_THREADS"] = str(threads)
    home = Path(tempfile.mkdtemp(prefix="inlay-e2e-"))
    (home / "inlay").mkdir()
    (home / "inlay/config.toml").write_text(f'[models."{model}"]\ncontext = 8192\nmax_output = {MOST_OUTPUT}\n')
    os.environ["XDG_CONFIG_HOME"] = str(home)


def _run(chosen: Sequence[Editing], format: str, model: str, until: float, patience: float) -> Iterator[Outcome]:
    for task in chosen:
        if time.monotonic() > until:
            print(f"out of time before {task.name} in {format}", flush=True)
            return
        began = time.monotonic()
        done = edit(task, format, model, ("--max-seconds", str(patience)))
        done = replace(done, seconds=round(time.monotonic() - began, 1))
        said = "right" if done.right else "wrong" if done.code == 0 else f"refused (exit {done.code})"
        beside = "right" if exactly(task, done) else "not"
        print(
            f"{format:15} {task.name:22} {said:18} {len(done.replies)} attempts  exact matching: {beside}"
            f"  {done.seconds:.0f} s{'  DAMAGED' if done.damaged else ''}",
            flush=True,
        )
        yield done


def _report(outcomes: Sequence[Outcome], chosen: Sequence[Editing], formats: int) -> int:
    by_name = {task.name: task for task in chosen}
    ours = sum(outcome.right for outcome in outcomes)
    beside = sum(exactly(by_name[outcome.task], outcome) for outcome in outcomes)
    landed = sum(outcome.code == 0 for outcome in outcomes)
    damaged = sum(outcome.damaged for outcome in outcomes)
    attempts = sum(len(outcome.replies) for outcome in outcomes)
    n = max(1, len(outcomes))
    print(f"\n{len(outcomes)} of {len(chosen) * formats} runs, {sum(o.seconds for o in outcomes) / 60:.1f} minutes")
    print(f"landed {landed} ({landed / n:.0%}), right {ours} ({ours / n:.0%}), attempts {attempts / n:.2f} a run")
    print(f"the same replies by exact matching: right {beside} ({beside / n:.0%})")
    print(f"damaged files: {damaged}")
    return 0 if ours > beside and not damaged else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
