"""How many output tokens edits save against writing the file whole, on real changes to large files."""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import history, report
from bench.appliers import ROOT
from bench.draft import Draft
from bench.passages import FileChange
from bench.rendering import PARTS
from inlay.landing.embed import EmbedRequest, embed
from inlay.llm.tokens import counter
from inlay.model.answer import ModelInfo

LARGE = 500  #: lines; longer files are asked for by edits
BAR = 0.80
_POOL = 6000
_NO_CHANCE = random.Random(0)


@dataclass(frozen=True, slots=True)
class Saving:
    """The changes said in one format."""

    format: str
    changes: int
    edits: int  #: tokens of the replies
    whole: int  #: tokens of the files as they become
    median: float  #: of what each change saves
    least: float

    @property
    def saved(self) -> float:
        return 1 - self.edits / self.whole


def main(argv: Sequence[str]) -> int:
    """Print a table; 0 when every format saves enough."""
    parser = argparse.ArgumentParser(prog="python -m bench tokens", description=__doc__)
    parser.add_argument("--repo", type=Path, action="append", help="a git repository; may be repeated")
    parser.add_argument("--most", type=int, default=300, help="changes to measure (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    found = history.changes(options.repo or [ROOT], _POOL, options.seed)
    large = [change for change in found if len(change.before) > LARGE][: options.most]
    if not large:
        print("no change to a file of more than 500 lines; name a repository with --repo")
        return 2
    count = counter(ModelInfo("bench", 200_000, 8_192, tokenizer="o200k"))
    savings = [_saving(large, format, count) for format in PARTS]
    print(json.dumps([asdict(s) | {"saved": s.saved} for s in savings]) if options.json else _table(large, savings))
    return 0 if all(saving.saved >= BAR for saving in savings) else 1


def _saving(changes: Sequence[FileChange], format: str, count: Callable[[str], int]) -> Saving:
    pairs = []
    for change in changes:
        reply = Draft.of(change, format, _NO_CHANCE, "apply").response()
        after = "".join(f"{line}\n" for line in change.after)
        before = "".join(f"{line}\n" for line in change.before)
        # Only what truly makes the file of it counts as a saving.
        if embed(EmbedRequest(change.path, before, reply, format)).content == after:
            pairs.append((count(reply), count(after)))
    each = [1 - edits / whole for edits, whole in pairs]
    return Saving(
        format, len(pairs), sum(e for e, _ in pairs), sum(w for _, w in pairs), statistics.median(each), min(each)
    )


def _table(changes: Sequence[FileChange], savings: Sequence[Saving]) -> str:
    head = ("format", "changes", "tokens of edits", "of whole files", "saved", "median", "least")
    rows = [
        (s.format, s.changes, f"{s.edits:,}", f"{s.whole:,}", f"{s.saved:.1%}", f"{s.median:.1%}", f"{s.least:.1%}")
        for s in savings
    ]
    return f"{len(changes)} changes to files of more than {LARGE} lines\n\n{report.table(head, rows)}"
