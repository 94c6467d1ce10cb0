"""The benchmark's command line: trials of every slip in every format, or `speed`, `scale`, `generation`, `tokens`,
`mcp`, `implement`, `walks`, `diffs`, `replay`, `stale`."""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import importlib
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import history, invention, peers, report
from bench.appliers import ROOT, Applier, Running, ours
from bench.draft import OUTCOMES
from bench.passages import FileChange
from bench.rendering import FORMATS
from bench.results import Result, shortfalls
from bench.slips import SLIPS
from bench.trials import Trial, draw, find

_OTHERS = ("speed", "scale", "diffs", "replay", "stale", "generation", "tokens", "mcp", "implement", "walks")
POOL = 600  #: changes drawn from history; invented ones make up for a short one


def main(argv: Sequence[str]) -> int:
    """Run what the arguments ask for; 0 when the bar is cleared."""
    if argv and argv[0] in _OTHERS:
        # Imported late: they need the extras that ask models, and most runs do not.
        return int(importlib.import_module(f"bench.{argv[0]}").main(argv[1:]))
    options = _options(argv)
    changes = _changes(options.repo, options.pool, options.seed)
    appliers = [ours(tuple(shlex.split(options.engine))), *_peers(options.peers)]
    if options.show:
        return _show(changes, options.show, options.seed, appliers, options.timeout)
    results = list(_run(changes, appliers, options))
    if options.out:
        _write(Path(options.out), results)
    mine = [r for r in results if r.applier == "inlay"]
    short = shortfalls(mine)
    if options.json:
        print(json.dumps({"results": [dataclasses.asdict(r) for r in results], "shortfalls": short}))
    else:
        _print(results, mine, short, len(changes))
    return 1 if short else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--repo", type=Path, action="append", help="a git repository to draw edits from; may be repeated"
    )
    parser.add_argument("--per", type=int, default=40, help="trials for each slip in each format (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pool", type=int, default=POOL, help="changes to draw trials from (default %(default)s)")
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--classes", default=",".join(SLIPS), help="slips, separated by commas")
    parser.add_argument("--peers", default="none", help=f"auto, none or names, found below ${peers.VARIABLE}")
    parser.add_argument("--engine", default="", help="another command that speaks the protocol of `inlay engine`")
    parser.add_argument("--detect", action="store_true", help="do not tell the engine the format")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for each answer")
    parser.add_argument("--out", help="directory for results.json")
    parser.add_argument("--json", action="store_true", help="print results as JSON")
    parser.add_argument("--show", metavar="ID", help="one trial in full, with every applier's answer")
    options = parser.parse_args(argv)
    options.repo = options.repo or [ROOT]
    options.formats, options.classes = options.formats.split(","), options.classes.split(",")
    for given, known in ((options.formats, FORMATS), (options.classes, SLIPS)):
        if unknown := [name for name in given if name not in known]:
            parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    return options


def _changes(repositories: Sequence[Path], pool: int, seed: int) -> list[FileChange]:
    found = history.changes(repositories, pool, seed)
    return found + invention.invented(repositories, pool - len(found), seed)


def _peers(wanted: str) -> list[Applier]:
    found, missing = peers.installed()
    if wanted == "none":
        return []
    names = list(found) + list(missing) if wanted == "auto" else wanted.split(",")
    for name in names:
        if name not in found:
            print(f"skipped {name}: {missing.get(name, 'unknown')}", file=sys.stderr)
    return [found[name] for name in names if name in found]


def _run(changes: Sequence[FileChange], appliers: Sequence[Applier], options: argparse.Namespace) -> Iterator[Result]:
    for applier in appliers:
        with Running(applier, options.timeout) as running:
            for trial in _trials(changes, options):
                if trial.format in applier.formats and trial.original.count("\n") <= applier.longest:
                    yield Result.of(applier.name, trial, running.ask(trial))


def _trials(changes: Sequence[FileChange], options: argparse.Namespace) -> Iterator[Trial]:
    for format in options.formats:
        for name in options.classes:
            for trial in draw(changes, format, SLIPS[name], options.per, options.seed):
                yield dataclasses.replace(trial, named=False) if options.detect else trial


def _show(changes: Sequence[FileChange], id: str, seed: int, appliers: Sequence[Applier], timeout: float) -> int:
    trial = find(changes, id, seed)
    if trial is None:
        print(f"no such trial: {id}", file=sys.stderr)
        return 2
    print(
        f"{trial.path}: {trial.outcome}, that is: {OUTCOMES[trial.outcome]} {trial.note}\n--- reply\n{trial.response}"
    )
    print(f"--- truth\n{_difference(trial.original, trial.accepted[0])}")
    for applier in appliers:
        if trial.format in applier.formats:
            with Running(applier, timeout) as running:
                answer = running.ask(trial)
            print(f"--- {applier.name}: {Result.of(applier.name, trial, answer).deed} [{answer.rule}] {answer.error}")
            print(_difference(trial.accepted[0], answer.content) if answer.content is not None else "")
    return 0


def _difference(old: str, new: str) -> str:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    return "\n".join(repr(line) for line in difflib.unified_diff(before, after, n=1))


def _write(directory: Path, results: Sequence[Result]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    rows = [dataclasses.asdict(result) for result in results]
    (directory / "results.json").write_text(json.dumps(rows, indent=1) + "\n")


def _print(results: Sequence[Result], mine: Sequence[Result], short: Sequence[str], changes: int) -> None:
    print(f"{len({r.id for r in results})} trials of {changes} changes\n\n## Overall\n\n{report.overall(results)}")
    for format in dict.fromkeys(r.format for r in results):
        print(f"\n## {format}: ok/harm/miss for each slip\n\n{report.by_slip(results, format)}")
    print(f"\n## What went wrong\n\n{report.failures(mine)}")
    print("\nFAILED\n" + "\n".join(f"- {reason}" for reason in short) if short else "\nThe bar is cleared.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
