"""Every fault of a server, by seeds: the real clients against the loopback server, and what must hold after each.

python tests/generation/matrix.py --seeds 100        all of it, some minutes
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from inlay import GenerateOptions, InlayError, Limits, Settings, Task, Workspace, land_proposal, propose  # noqa: E402
from inlay.llm import open_model  # noqa: E402
from loopback import KEY, Loopback, Reply, replies  # noqa: E402

CAP = 3
LONGEST = 60.0  # seconds; whatever takes longer hangs
_IMPATIENT, _PATIENT = 0.3, 20.0  # seconds without a word after which a call is given up
_RETRIED_AFTER = ("429", "500", "529", "timeout", "cut", "invalid JSON")

Line = Reply | str


@dataclass(frozen=True)
class Work:
    """A file, the change that is wanted, and how the model says it."""

    path: str
    before: str
    after: str
    reply: str
    format: str | None
    mode: str


@dataclass(frozen=True)
class Ran:
    """What one run came to; `problems` is empty when all held."""

    fault: str
    seed: int
    landed: bool
    asked: int
    error: str
    problems: tuple[str, ...]


def work(rng: random.Random) -> Work:
    """A small module with one constant to change."""
    names = [f"value_{n}_{rng.randrange(1000)}" for n in range(rng.randint(4, 30))]
    lines = [f"{name} = {rng.randrange(100)}" for name in names]
    at = rng.randrange(len(lines))
    changed = f"{names[at]} = {rng.randrange(100, 200)}"
    path = f"{rng.choice(['src', 'pkg/inner', 'lib'])}/module_{rng.randrange(100)}.py"
    before, after = (
        "".join(f"{line}\n" for line in side) for side in (lines, [*lines[:at], changed, *lines[at + 1 :]])
    )
    said = {
        "search_replace": f"{path}\n<<<<<<< SEARCH\n{lines[at]}\n=======\n{changed}\n>>>>>>> REPLACE\n",
        "find_replace": f"### CHANGE 1: a constant\nFIND:\n```python\n{lines[at]}\n```\n"
        f"REPLACE WITH:\n```python\n{changed}\n```\n",
        "whole_file": f"{path}\n```python\n{after}```\n",
    }
    format = rng.choice(sorted(said))
    return Work(path, before, after, said[format], format, "whole" if format == "whole_file" else "edits")


def _half(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(1, max(2, len(text) - 8))]


FAULTS: dict[str, Callable[[Work, random.Random], Line]] = {
    "normal": lambda job, rng: job.reply,
    "max_tokens": lambda job, rng: replies.max_tokens(_half(job.reply, rng)),
    "refusal": lambda job, rng: replies.refusal(),
    "empty": lambda job, rng: replies.empty(),
    "wrong fence": lambda job, rng: replies.wrong_fence(_half(job.reply, rng)),
    "prose": lambda job, rng: replies.prose(),
    "429": lambda job, rng: replies.rate_limited(rng.choice(["0", "1", "7", None])),
    "500": lambda job, rng: replies.failed(rng.choice([500, 502, 503, 504])),
    "529": lambda job, rng: rng.choice([replies.overloaded(), replies.overloaded_in_stream(_half(job.reply, rng))]),
    "timeout": lambda job, rng: rng.choice([replies.stalled(job.reply, rng.randint(0, 4)), Reply(delay=30)]),
    "cut": lambda job, rng: rng.choice([replies.cut, replies.ended])(job.reply, rng.randint(0, 5)),
    "invalid JSON": lambda job, rng: rng.choice([replies.invalid_json(job.reply, rng.randint(0, 5)), replies.page()]),
    "permanent": lambda job, rng: replies.failed(rng.choice([400, 401, 403, 404, 413])),
}


def script(fault: str, job: Work, rng: random.Random) -> tuple[list[Line], int]:
    """What the server says in turn, and after how many faults it says the right thing."""
    count = 0 if fault == "normal" else rng.randint(1, 4)
    if fault == "then success":
        kinds = [rng.choice(sorted(set(FAULTS) - {"normal", "permanent"})) for _ in range(rng.randint(1, 2))]
        return [*(FAULTS[kind](job, rng) for kind in kinds), *[job.reply] * 5], len(kinds)
    return [*(FAULTS[fault](job, rng) for _ in range(count)), *[job.reply] * 5], count


def run(fault: str, seed: int, folder: Path) -> Ran:
    """One fault with one seed, in an empty folder."""
    rng = random.Random(f"{fault}:{seed}")
    job = work(rng)
    lines, count = script(fault, job, rng)
    wire = rng.choice(["anthropic", "openai"])
    _write(folder, job)
    bystander = (folder / "bystander.py").read_bytes()
    heard: list[str] = []
    listening = _listen(heard)
    error, began = "", time.monotonic()
    with Loopback(*lines) as server:
        try:
            asyncio.run(asyncio.wait_for(_generated(job, wire, server, folder, fault), LONGEST))
        except InlayError as failure:
            error = f"{type(failure).__name__}: {failure}"
        except TimeoutError:
            error = "HANG"
        asked = len(server.seen)
    logging.getLogger("inlay").removeHandler(listening)
    content = (folder / job.path).read_text()
    landed = not error
    problems = _problems(job, content, landed=landed, asked=asked, error=error, took=time.monotonic() - began)
    if (folder / "bystander.py").read_bytes() != bystander:
        problems.append("another file changed")
    if KEY in error + "".join(heard) or any(KEY.encode() in f.read_bytes() for f in folder.rglob("*") if f.is_file()):
        problems.append("a key was told or kept")
    waited = sum(isinstance(line, Reply) and (line.stall_after is not None or line.delay > 0) for line in lines[:asked])
    if error.count("[timeout]") <= waited:  # else the machine was too slow for the little patience there is
        problems += _unexpected(fault, count, landed=landed, asked=asked)
    return Ran(fault, seed, landed, asked, error, tuple(problems))


def _problems(job: Work, content: str, *, landed: bool, asked: int, error: str, took: float) -> list[str]:
    found = []
    if content != (job.after if landed else job.before):
        found.append("the file is damaged")
    if asked > CAP:
        found.append(f"asked {asked} times")
    if error == "HANG" or took > LONGEST:
        found.append("it hung")
    if not landed and len(error.partition(": ")[2]) < 10:
        found.append(f"the failure says nothing: {error!r}")
    return found


def _unexpected(fault: str, count: int, *, landed: bool, asked: int) -> list[str]:
    """Whether it ended as faults of this kind must."""
    if fault == "permanent":
        return [] if not landed and asked == 1 else [f"a lasting failure was asked about {asked} times"]
    if fault in _RETRIED_AFTER and fault not in ("timeout", "cut") and asked != min(count + 1, CAP):
        return [f"asked {asked} times after {count} failures"]
    return [] if landed or count >= CAP else ["it gave up early"]


def _write(folder: Path, job: Work) -> None:
    (folder / job.path).parent.mkdir(parents=True)
    (folder / job.path).write_text(job.before)
    (folder / "bystander.py").write_text("untouched = True\n")


def _listen(heard: list[str]) -> logging.Handler:
    """Everything that is logged, for a key might be in it."""
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("inlay")
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    return handler


async def _generated(job: Work, wire: str, server: Loopback, folder: Path, fault: str) -> None:
    async def awake(seconds: float) -> None:
        """Pauses are not slept here."""

    patience = _IMPATIENT if fault in ("timeout", "then success") else _PATIENT
    options = GenerateOptions(Limits(attempts=CAP), format=job.format, mode=job.mode, timeout=patience)  # type: ignore[arg-type]
    workspace = Workspace(folder)
    model = open_model(f"{wire}:some-model", Settings.of(), server.environ(wire))
    task = Task((job.path,), "Change the constant.")
    proposal = await propose(task, workspace, model, options, sleep=awake)
    land_proposal(proposal, workspace)


def main(argv: Sequence[str]) -> int:
    """Run them all and print a table; 0 when everything held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--faults", type=lambda text: text.split(","), default=[*FAULTS, "then success"])
    options = parser.parse_args(argv)
    bad = 0
    for fault in options.faults:
        began = time.monotonic()
        ran = []
        for seed in range(options.seeds):
            with tempfile.TemporaryDirectory() as folder:
                ran.append(run(fault, seed, Path(folder)))
        bad += sum(bool(each.problems) for each in ran)
        kinds = Counter(each.error.partition(":")[0] for each in ran if each.error)
        print(  # noqa: T201
            f"{fault:14} {len(ran)} runs, {sum(each.landed for each in ran)} landed, failures {dict(kinds)}, "
            f"{sum(bool(each.problems) for each in ran)} bad, {time.monotonic() - began:.0f} s",
            *(
                f"\n    seed {each.seed}: {'; '.join(each.problems)} ({each.error[:200]})"
                for each in ran
                if each.problems
            ),
            flush=True,
        )
    print("FAILED" if bad else "All held.")  # noqa: T201
    return 1 if bad else 0


if __name__ == "__main__":
    logging.getLogger("inlay").propagate = False
    sys.exit(main(sys.argv[1:]))
