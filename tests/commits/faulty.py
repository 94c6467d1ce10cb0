"""Commits before a model whose server fails in every way, by seeds: no verdict may be wrong, nothing may hang.

python tests/commits/faulty.py --seeds 300        some minutes
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from commits import simulated  # noqa: E402
from inlay.commits import pipeline  # noqa: E402
from inlay.commits.check_rules import read_commits  # noqa: E402
from inlay.commits.chunk_plan import plan_commits  # noqa: E402
from inlay.commits.messages import Ruleset  # noqa: E402
from inlay.commits.session import open_session  # noqa: E402
from inlay.git.history import CommitPair, recent  # noqa: E402
from inlay.git.repository import Repository, open_repository  # noqa: E402
from inlay.llm import open_model  # noqa: E402
from inlay.model.commit import Verdict  # noqa: E402
from inlay.model.history_rewrite import NewMessage  # noqa: E402
from inlay.model.settings import Settings  # noqa: E402
from loopback import Loopback, Reply, Seen, replies  # noqa: E402

LONGEST = 60.0  # seconds; whatever takes longer hangs
_TRIES, _ATTEMPTS = 5, 3
_IMPATIENT, _PATIENT = 0.3, 20.0  # seconds without a word after which a call is given up
_CONTEXT = 16_000


def history(root: Path, rng: random.Random) -> None:
    """A dozen commits, some too large for one request, some with what their message hides."""
    stream = []
    for number in range(rng.randint(6, 14)):
        lines = [f"line {line} of {number}" for line in range(rng.choice([1, 3, 8, 40, 700, 2000]))]
        if rng.random() < 0.4:
            lines[rng.randrange(len(lines))] = f"HIDDEN door{number}"
        content = "\n".join([*lines, ""])
        message = f"Add number {number}\n"
        stream.append(
            f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + number} +0000\n"
            f"data {len(message)}\n{message}\nM 100644 inline d{number}/f.txt\ndata {len(content)}\n{content}\n"
        )
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(root)], check=True)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input="".join(stream).encode(), check=True)


def right(seen: Seen) -> list[dict[str, object]]:
    """The right entries; what fails a commit stands last among its issues, where a cut takes it first."""
    entries: list[dict[str, object]] = json.loads(simulated.right(seen))["commits"]
    hint = {"rule": "unclear", "severity": "info", "explanation": "It is short."}
    return [{**entry, "issues": [hint, *entry["issues"]]} if entry.get("issues") else entry for entry in entries]  # type: ignore[misc]


def _said(entries: Sequence[dict[str, object]]) -> str:
    return json.dumps({"commits": entries})


def _cut(seen: Seen, rng: random.Random) -> str:
    text = _said(right(seen))
    return text[: rng.randrange(len(text))]


def _twice(seen: Seen, rng: random.Random) -> str:
    entries = right(seen)
    one = rng.choice(entries)
    other = {**one, "issues": []} if "issues" in one else {**one, "message": "Lie about it"}
    return _said([other, *entries] if rng.random() < 0.5 else [*entries, other])


def _wrong_ids(seen: Seen, rng: random.Random) -> str:
    return _said([{**entry, "id": f"{rng.randrange(16**12):012x}", "issues": []} for entry in right(seen)])


def _missing(seen: Seen, rng: random.Random) -> str:
    entries = right(seen)
    return _said(rng.sample(entries, rng.randrange(len(entries))))


def _extra(seen: Seen, rng: random.Random) -> str:
    stranger = {"id": "ffffffffffff", "summary": "s", "issues": [], "message": "Lie about it"}
    return _said([stranger, *right(seen)])


def _hollow(seen: Seen, rng: random.Random) -> str:
    lost = rng.choice(["id", "summary", "issues", "message"])
    return _said([{key: value for key, value in entry.items() if key != lost} for entry in right(seen)])


FAULTS: dict[str, Callable[[Seen, random.Random], Reply | str]] = {
    "429": lambda seen, rng: replies.rate_limited(rng.choice(["0", "1", "30", None])),
    "5xx": lambda seen, rng: replies.failed(rng.choice([500, 502, 503, 529])),
    "in the stream": lambda seen, rng: replies.overloaded_in_stream(_said(right(seen))),
    "stalled": lambda seen, rng: replies.stalled(_said(right(seen)), rng.randint(0, 4)),
    "gone": lambda seen, rng: rng.choice([replies.cut, replies.ended])(_said(right(seen)), rng.randint(0, 5)),
    "garbage": lambda seen, rng: rng.choice([replies.invalid_json(_said(right(seen)), 2), replies.page()]),
    "prose": lambda seen, rng: replies.prose(),
    "empty": lambda seen, rng: replies.empty(),
    "refused": lambda seen, rng: replies.refusal(),
    "cut off": lambda seen, rng: replies.max_tokens(_cut(seen, rng)),
    "cut off unsaid": _cut,
    "too long": lambda seen, rng: replies.failed(400, "prompt is too long: 20000 tokens > 10000 maximum"),
    "wrong ids": _wrong_ids,
    "twice": _twice,
    "missing": _missing,
    "extra": _extra,
    "hollow": _hollow,
}


@dataclass
class Server:
    """Says the right thing, or one of the faults, as often as the seed has it."""

    rng: random.Random
    often: float
    kinds: Sequence[str]
    answered: set[str] = field(default_factory=set)  # what was answered rightly
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, seen: Seen) -> Reply | str:
        with self._lock:
            kind = self.rng.choice(self.kinds) if self.rng.random() < self.often else ""
            if kind:
                return FAULTS[kind](seen, self.rng)
            self.answered.add(json.dumps(seen.messages))
            return _said(right(seen))


@dataclass(frozen=True)
class Ran:
    """What one seed came to; `problems` is empty when all held."""

    seed: int
    outcomes: Counter[str]
    asked: int
    problems: tuple[str, ...]


def run(seed: int, folder: Path) -> Ran:
    """One history before a failing server, and again before a good one."""
    rng = random.Random(seed)
    root = folder / "repo.git"
    history(root, rng)
    wire, writes = rng.choice(["anthropic", "openai"]), rng.random() < 0.4
    kinds = rng.sample(sorted(FAULTS), rng.randint(1, len(FAULTS)))
    failing = Server(rng, rng.choice([0.1, 0.3, 0.6, 0.95]), kinds)
    patient = "stalled" not in kinds
    first, asked, error, most = _outcomes(root, wire, writes, failing, _PATIENT if patient else _IMPATIENT)
    problems = [f"failing server: {each}" for each in _wrong(first)]
    problems += [error] if error else []
    problems += [f"{asked} requests"] if asked > most else []
    good = Server(rng, 0.0, ["prose"])
    second, again, error, _ = _outcomes(root, wire, writes, good, _PATIENT)
    problems += [error] if error else []
    problems += [f"good server: {each}" for each in (*_wrong(second), *_unknown(second))]
    # Where there is little patience, a slow machine alone keeps answers from arriving.
    if patient and (twice := failing.answered & good.answered):
        problems.append(f"{len(twice)} answers were paid for twice")
    return Ran(seed, Counter(map(_kind, first.values())), asked + again, tuple(problems))


def _kind(outcome: tuple[str, str]) -> str:
    return outcome[1] if outcome[1] in ("passes", "fails", "unchecked") else "worded"


Outcomes = dict[str, tuple[str, str]]  # by commit: what is true, and what was said


def _wrong(outcomes: Outcomes) -> list[str]:
    return [f"{commit[:8]} is {true!r}, said {said!r}" for commit, (true, said) in outcomes.items()
            if said not in (true, "unchecked")]  # fmt: skip


def _unknown(outcomes: Outcomes) -> list[str]:
    return [f"{commit[:8]} has no outcome" for commit, (_, said) in outcomes.items() if said == "unchecked"]


def _outcomes(root: Path, wire: str, writes: bool, server: Server, patience: float) -> tuple[Outcomes, int, str, int]:
    with Loopback(server) as loopback, open_repository(str(root)) as repo:
        try:
            found, most = asyncio.run(asyncio.wait_for(_all(repo, wire, writes, loopback, patience), LONGEST))
        except TimeoutError:
            return {}, len(loopback.seen), "it hung", len(loopback.seen)
        return found, len(loopback.seen), "", most


async def _all(repo: Repository, wire: str, writes: bool, server: Loopback, patience: float) -> tuple[Outcomes, int]:
    name = f"{wire}:some-model"
    settings = Settings.of(models={name: {"context": _CONTEXT, "max_output": 4000}}, timeout=patience)
    session = open_session(repo, open_model(name, settings, server.environ(wire)), settings)
    session.sleep, session.backoff = _awake, replace(session.backoff, tries=_TRIES)
    commits = list(read_commits(repo, recent(repo, "main", 100)))
    if writes:
        outcomes = {each.commit.id: _message(each)
                    async for each in pipeline.reword(session, commits, Ruleset())}  # fmt: skip
    else:
        outcomes = {each.commit: _verdict(Path(repo.root), each)
                    async for each in pipeline.review(session, commits, Ruleset())}  # fmt: skip
    session.close("commits-check", "done")
    pairs = [CommitPair(commit.id, *commit.parents[:1]) for commit in commits]
    parts = sum(plan.requests for plan in plan_commits(repo, pairs, session.plan))
    # Cut into smaller parts, every part is asked about in at most so many attempts of so many tries.
    return outcomes, _TRIES * _ATTEMPTS * 8 * parts


async def _awake(seconds: float) -> None:
    """Pauses are not slept here."""


def _message(new: NewMessage) -> tuple[str, str]:
    return f"Say what {new.commit.id[:12]} does\n", new.message or "unchecked"


def _verdict(root: Path, verdict: Verdict) -> tuple[str, str]:
    shown = subprocess.run(["git", "show", verdict.commit], cwd=root, capture_output=True, check=True).stdout
    return "fails" if b"+HIDDEN" in shown else "passes", verdict.outcome


def main(argv: Sequence[str]) -> int:
    """Run them all and print what came of it; 0 when everything held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args(argv)
    began, bad, asked, outcomes = time.monotonic(), 0, 0, Counter[str]()
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            ran = run(seed, Path(folder))
        outcomes += ran.outcomes
        asked += ran.asked
        bad += bool(ran.problems)
        for problem in ran.problems:
            print(f"seed {seed}: {problem}", flush=True)  # noqa: T201
    took = time.monotonic() - began
    print(f"{options.seeds} seeds, {asked} requests, {dict(outcomes)}, {bad} bad, {took:.0f} s")  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
