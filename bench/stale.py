"""Stale replay: the diff of a commit is applied to its file as it is some commits later, and git's merges decide."""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from bench.appliers import ROOT
from bench.commits import Touched, git, project, sampled, touched
from bench.report import table
from inlay import LandOptions, Workspace, land
from inlay.cli.input import read_reply
from inlay.errors import InlayError

LATER = (1, 5, 20)  #: commits that changed the same file since
_LONGEST = 400_000  #: bytes of a file


@dataclass(frozen=True, slots=True)
class Stale:
    """The diff of one file, the file as it has become, and what git's merges make of the two."""

    repository: Path
    commit: str
    path: str
    later: int
    kind: str  #: "undone": the change was taken back; "made": it is still in the file
    now: bytes
    patch: bytes
    apply: bytes | None  #: the result of `git apply --3way`; None for a conflict
    pick: bytes | None  #: the result of `git cherry-pick`; None for a conflict


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one stale diff."""

    name: str
    later: int
    kind: str
    outcome: str  #: landed, as git; landed, git conflicts; refused; WRONG
    apply: bool
    pick: bool
    note: str = ""


def main(argv: Sequence[str]) -> int:
    """Apply stale diffs; 0 when no result differs from git's and as many land as with `git apply --3way`."""
    options = _options(argv)
    done: list[Judged] = []
    until = time.monotonic() + options.seconds
    share = -(-options.commits // len(options.repo))
    for repository in options.repo:
        for commit in sampled(repository, share, options.seed):
            if time.monotonic() < until:
                done += [judged(stale) for stale in stales(repository, commit)]
    if options.out:
        Path(options.out).write_text("".join(json.dumps(_row(one)) + "\n" for one in done))
    print(_report(done))
    short = shortfalls(done)
    print("\nFAILED\n" + "\n".join(f"- {reason}" for reason in short) if short else "\nThe bar is cleared.")
    return 1 if short else 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench stale", description=__doc__)
    parser.add_argument("--repo", type=Path, action="append", help="a git repository; may be repeated")
    parser.add_argument("--commits", type=int, default=100, help="commits in all (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="stop after so long (default %(default)s)")
    parser.add_argument("--out", help="file for one JSON object for each diff")
    options = parser.parse_args(argv)
    options.repo = options.repo or [ROOT]
    return options


def stales(repository: Path, commit: str) -> Iterator[Stale]:
    """The commit's first changed text file, as it is 1, 5 and 20 changes later, with and without the change."""
    files = touched(repository, f"{commit}^", commit)
    path = _chosen(files) if files is not None and not files.special else None
    if files is None or path is None:
        return
    old, new = files.before[path][1], files.after[path][1]
    patch = git(repository, "diff", "--no-ext-diff", "--no-color", f"{commit}^", commit, "--", path)
    since = git(repository, "log", "--format=%H", "--reverse", f"{commit}..HEAD", "--", path).decode().split()
    for later in LATER:
        now = _content(repository, since[later - 1], path) if len(since) >= later else None
        if now is None:
            return
        undone = merged(now, new, old)
        for kind, state in (("undone", undone), ("made", now)):
            if state is not None and state != old:
                results = merged(state, old, new), picked(repository, state, old, new)
                yield Stale(repository, commit, path, later, kind, state, patch, *results)


def _chosen(files: Touched) -> str | None:
    found = (path for path in sorted(files.before) if path in files.after and len(files.before[path][1]) <= _LONGEST)
    return next(found, None)


def _content(repository: Path, commit: str, path: str) -> bytes | None:
    try:
        content = git(repository, "cat-file", "blob", f"{commit}:{path}")
    except subprocess.CalledProcessError:
        return None
    return None if b"\0" in content or len(content) > _LONGEST else content


def merged(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """What git's merge of one file makes of the sides, as `git apply --3way` calls it; None for a conflict."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        names = []
        for name, content in (("ours", ours), ("base", base), ("theirs", theirs)):
            (Path(folder) / name).write_bytes(content)
            names.append(name)
        done = subprocess.run(["git", "merge-file", "-p", *names], cwd=folder, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def picked(repository: Path, ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """What git's merge of trees makes of the sides, as `git cherry-pick` calls it; None for a conflict."""
    with project(repository, {}) as root:
        git(root, "fast-import", "--quiet", stdin=_three_commits(ours, base, theirs))
        try:
            tree = git(root, "merge-tree", "--write-tree", "ours", "theirs").decode().strip()
        except subprocess.CalledProcessError:
            return None
        return git(root, "cat-file", "blob", f"{tree}:file")


def _three_commits(ours: bytes, base: bytes, theirs: bytes) -> bytes:
    """Two branches with a common parent, for `git fast-import`."""
    stream = b""
    for name, content in ((b"base", base), (b"ours", ours), (b"theirs", theirs)):
        parent = b"" if name == b"base" else b"from refs/heads/base\n"
        stream += b"commit refs/heads/%s\ncommitter T <t@example.com> 0 +0000\ndata 0\n%s" % (name, parent)
        stream += b"M 100644 inline file\ndata %d\n%s\n" % (len(content), content)
    return stream


def judged(stale: Stale) -> Judged:
    """What `inlay apply --force` makes of the diff, beside what git makes of it."""
    files = {stale.path: ("100644", stale.now)}
    with project(stale.repository, files) as root:
        try:
            land(read_reply(BytesIO(stale.patch)), Workspace(root), options=LandOptions(force=True))
            outcome, note = "", ""
        except InlayError as error:
            outcome, note = "refused", str(error)[:200]
        except Exception as error:  # noqa: BLE001  a defect is a result too, and must not end a long run
            outcome, note = "CRASH", repr(error)[:200]
        got = (root / stale.path).read_bytes()
    if not outcome:
        outcome = _landed(got, stale)
    elif got != stale.now:
        outcome = "WRONG"
    name = f"{stale.repository.parent.name}:{stale.commit[:12]}:{stale.path}"
    return Judged(name, stale.later, stale.kind, outcome, stale.apply is not None, stale.pick is not None, note)


def _landed(got: bytes, stale: Stale) -> str:
    clean = [result for result in (stale.apply, stale.pick) if result is not None]
    if not clean:
        return "landed, git conflicts"
    return "landed, as git" if got in clean else "WRONG"


def shortfalls(done: Sequence[Judged]) -> list[str]:
    """Every way in which the results miss the bar."""
    out = []
    for outcome, what in (("WRONG", "results differ from git's"), ("CRASH", "crashes")):
        if count := sum(one.outcome == outcome for one in done):
            out.append(f"{count} {what}")
    landed, by_git = sum(one.outcome == "landed, as git" for one in done), sum(one.apply for one in done)
    if landed < by_git:
        out.append(f"{landed} landed as with git, {by_git} with git apply --3way")
    return out


def _report(done: Sequence[Judged]) -> str:
    head = ("state", "n", "as git", "git conflicts", "refused", "WRONG", "git apply --3way", "git cherry-pick")
    body = []
    for kind in ("undone", "made"):
        for later in LATER:
            rows = [one for one in done if (one.kind, one.later) == (kind, later)]
            count = Counter(one.outcome for one in rows)
            kinds = ("landed, as git", "landed, git conflicts", "refused", "WRONG")
            by_git = (sum(one.apply for one in rows), sum(one.pick for one in rows))
            body.append((f"{kind}, {later} later", len(rows), *(count[kind] for kind in kinds), *by_git))
    wrong = [f"WRONG {one.name} {one.kind} {one.later} {one.note}" for one in done if one.outcome == "WRONG"]
    return "\n".join([table(head, body), "", *wrong[:30]])


def _row(one: Judged) -> dict[str, object]:
    return {name: getattr(one, name) for name in Judged.__slots__}
