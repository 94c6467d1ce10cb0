"""Whole-commit replay: what git prints for a real commit is applied to its parent, and git's own tree decides."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from bench.appliers import ROOT
from bench.commits import Touched, Tree, files_in, git, project, sampled, series, touched
from bench.report import table
from inlay import LandOptions, Workspace, land
from inlay.cli.input import read_reply
from inlay.errors import InlayError, ReplyRejected

_DIFF = ("-c", "core.quotePath=true", "diff", "--no-ext-diff", "--no-color")


def _diff(context: int) -> Callable[[Path, str, str], bytes]:
    return lambda repository, old, new: git(repository, *_DIFF, f"-U{context}", old, new)


#: What is pasted, by name: from a repository and the two ends of the range.
FORMS: dict[str, Callable[[Path, str, str], bytes]] = {
    "diff -U0": _diff(0),
    "diff -U1": _diff(1),
    "diff -U3": _diff(3),
    "diff -U10": _diff(10),
    "format-patch": lambda repository, _, new: git(repository, "format-patch", "--stdout", "-1", new),
    "show": lambda repository, _, new: git(repository, "show", "--no-color", new),
    "log -p -3": lambda repository, _, new: git(repository, "log", "-p", "-3", "--no-color", new),
}
_SERIES = "log -p -3"
EQUAL, EQUAL_WITHOUT_CONTEXT = 0.999, 0.97


@dataclass(frozen=True, slots=True)
class Replayed:
    """One commit in one form, and what came of it."""

    repository: str
    commit: str
    form: str
    special: str
    outcome: str  #: equal, WRONG, idle, CRASH, or the code of the refusal
    note: str = ""


def main(argv: Sequence[str]) -> int:
    """Replay commits; 0 when no tree is wrong and enough are equal."""
    options = _options(argv)
    done: list[Replayed] = []
    until = time.monotonic() + options.seconds
    share = -(-options.commits // len(options.repo))
    for repository in options.repo:
        for commit in _commits(repository, share, options.seed):
            if time.monotonic() < until:
                done += replay(repository, commit, options.forms)
    print(_report(done))
    if options.out:
        Path(options.out).write_text("".join(json.dumps(_row(one)) + "\n" for one in done))
    short = shortfalls(done)
    print("\nFAILED\n" + "\n".join(f"- {reason}" for reason in short) if short else "\nThe bar is cleared.")
    return 1 if short else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench replay", description=__doc__)
    parser.add_argument("--repo", type=Path, action="append", help="a git repository; may be repeated")
    parser.add_argument("--commits", type=int, default=100, help="commits in all (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="stop after so long (default %(default)s)")
    parser.add_argument("--forms", default=",".join(FORMS), help="separated by commas")
    parser.add_argument("--out", help="file for one JSON object for each replay")
    options = parser.parse_args(argv)
    options.repo = options.repo or [ROOT]
    options.forms = options.forms.split(",")
    if unknown := [name for name in options.forms if name not in FORMS]:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(FORMS)}")
    return options


def _commits(repository: Path, wanted: int, seed: int) -> Iterator[str]:
    """Commits that change anything that can be replayed."""
    found = 0
    for commit in sampled(repository, 3 * wanted, seed):
        if found >= wanted:
            return
        if touched(repository, f"{commit}^", commit) is not None:
            found += 1
            yield commit


def replay(repository: Path, commit: str, forms: Sequence[str]) -> Iterator[Replayed]:
    """The commit in each form, applied to its parent; a series is applied to the parent of its first commit."""
    for form in forms:
        old = _series_base(repository, commit) if form == _SERIES else f"{commit}^"
        between = series if form == _SERIES else touched
        files = between(repository, old, commit) if old else None
        if files is not None:
            outcome, note = applied(repository, FORMS[form](repository, old, commit), files)
            yield Replayed(repository.parent.name, commit[:12], form, files.special, outcome, note)


def _series_base(repository: Path, commit: str) -> str:
    """The parent of the third commit, where the three follow one another; otherwise nothing."""
    rows = [row.split() for row in git(repository, "log", "-3", "--format=%H %P", commit).decode().splitlines()]
    linear = len(rows) == 3 and all(len(row) == 2 for row in rows)
    follows = linear and rows[0][1] == rows[1][0] and rows[1][1] == rows[2][0]
    return rows[2][1] if follows else ""


def applied(repository: Path, reply: bytes, files: Touched) -> tuple[str, str]:
    """What `inlay apply --force` makes of a reply in a project with the old files."""
    with project(repository, files.before) as root:
        try:
            land(read_reply(BytesIO(reply)), Workspace(root), options=LandOptions(force=True))
        except InlayError as error:
            changed = files_in(root) != files.before
            return ("WRONG", f"refused, but changed: {error}") if changed else (_code(error), str(error)[:300])
        except Exception as error:  # noqa: BLE001  a defect is a result too, and must not end a long run
            return "CRASH", repr(error)[:300]
        got = files_in(root)
    if got == files.after:
        return "equal", ""
    return ("idle" if got == files.before else "WRONG"), difference(got, files.after)


def _code(error: InlayError) -> str:
    codes = [misfit.code for misfit in error.misfits] if isinstance(error, ReplyRejected) else []
    return f"refused: {codes[0] if codes else type(error).__name__}"


def difference(got: Tree, wanted: Tree) -> str:
    """The first path that is not as it should be, and how."""
    for path in sorted(got.keys() | wanted.keys()):
        if got.get(path) != wanted.get(path):
            if path not in wanted:
                return f"{path}: should not exist"
            if path not in got:
                return f"{path}: missing"
            return f"{path}: " + ("mode" if got[path][1] == wanted[path][1] else "content")
    return ""


def shortfalls(done: Sequence[Replayed]) -> list[str]:
    """Every way in which the replays miss the bar."""
    out = []
    for outcome, what in (("WRONG", "wrong trees"), ("CRASH", "crashes")):
        if count := sum(one.outcome == outcome for one in done):
            out.append(f"{count} {what}")
    for form in dict.fromkeys(one.form for one in done):
        plain = [one for one in done if one.form == form and not one.special]
        bar = EQUAL_WITHOUT_CONTEXT if form == "diff -U0" else EQUAL
        share = sum(one.outcome == "equal" for one in plain) / len(plain) if plain else 1.0
        if share < bar:
            out.append(f"{form}: {share:.2%} equal, below {bar:.1%}")
    return out


def _report(done: Sequence[Replayed]) -> str:
    head = ("form", "n", "equal", "refused", "WRONG", "equal %", "apart: n", "equal", "refused", "told", "WRONG")
    body = []
    for form in dict.fromkeys(one.form for one in done):
        plain = Counter(_class(one) for one in done if one.form == form and not one.special)
        apart = Counter(_class(one) for one in done if one.form == form and one.special)
        n = plain.total()
        body.append(
            (
                form,
                n,
                *(plain[kind] for kind in ("equal", "refused", "WRONG")),
                f"{100 * plain['equal'] / n:.2f}" if n else "-",
                apart.total(),
                *(apart[kind] for kind in ("equal", "refused", "idle", "WRONG")),
            )
        )
    reasons = Counter((one.form, one.special or "text", one.outcome) for one in done if one.outcome != "equal")
    lines = [f"{n} {' · '.join(key)}" for key, n in reasons.most_common(40)]
    commits = len({(one.repository, one.commit) for one in done})
    return f"{commits} commits\n\n{table(head, body)}\n\n" + "\n".join(lines)


def _class(one: Replayed) -> str:
    return "refused" if one.outcome.startswith("refused") else one.outcome


def _row(one: Replayed) -> dict[str, str]:
    return {name: getattr(one, name) for name in ("repository", "commit", "form", "special", "outcome", "note")}
