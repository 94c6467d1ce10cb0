"""How much code a reader must follow to understand one command from end to end.

Five walks are traced, each in a process and a project of its own: `inlay apply` of a reply with edits in two files,
`inlay edit` of one file, the same edit through `inlay.generate` without the command line, `inlay commits amend` of two
commits, and `inlay implement` of the sample design document including the approval it waits for. Answers of the model
are recorded. Commands run with `--quiet` or `--json`.

- A module counts when one of its functions is called. Importing it does not count, nor do calls during an import.
- A function counts once. Comprehensions, lambdas and special methods such as `__init__` do not count.
- The functions are ordered by their first call. When two neighbours are in different packages, that is a package
  change; "top changes" compares the first folder below `inlay`, "folder changes" the folder of the module.
- Programs are those that the process itself starts. "git" is how many of them are git.
- "staged" and "checked" are calls of `staging.stage` and `checks.run`.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import pickle
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.appliers import ROOT
from bench.report import table
from bench.tracer import CHECK, STAGE, Trail, trace

COLUMNS = ("modules", "functions", "top changes", "folder changes", "programs", "git", "staged", "checked")
#: Upper limits.
LIMITS = {
    "apply": {"modules": 55, "functions": 220, "top changes": 35, "staged": 1, "checked": 1},
    "edit": {"staged": 1, "checked": 1},
    "generate": {"modules": 70, "functions": 280, "top changes": 50, "staged": 1, "checked": 1},
    "amend": {"top changes": 45, "git": 12},
}
_TRAIL = "trail.pickle"
_MODEL = "anthropic:claude-sonnet-5"
_FILE = "def area(width, height):\n    return width * height\n\n\ndef show(value):\n    return str(value)\n"
_EDIT = "{}\n<<<<<<< SEARCH\n    return width * height\n=======\n    return abs(width * height)\n>>>>>>> REPLACE\n"
_IDENTITY = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")


def main(argv: Sequence[str]) -> int:
    """Trace the walks and print the counts; 0 when no limit is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m bench walks", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="WALK", help=f"which walks (default: {' '.join(WALKS)})")
    parser.add_argument("--list", action="store_true", help="also list the functions of each walk in call order")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument("--child", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if unknown := [name for name in options.names if name not in WALKS]:
        parser.error(f"unknown walk: {', '.join(unknown)}")
    if options.child:
        (name,) = options.names
        _trace_to(options.child, name)
        return 0
    trails = {name: _traced(name) for name in options.names or WALKS}
    counts = {name: _counts(trail) for name, trail in trails.items()}
    missed = _missed(counts)
    if options.json:
        print(json.dumps({"walks": counts, "limits": LIMITS, "missed": missed}))
    else:
        _print(counts, trails if options.list else {}, missed)
    return 1 if missed else 0


def _counts(trail: Trail) -> dict[str, int]:
    counted = (
        trail.modules,
        trail.functions,
        trail.top_changes,
        trail.folder_changes,
        len(trail.programs),
        trail.git,
        trail.calls[STAGE],
        trail.calls[CHECK],
    )
    return dict(zip(COLUMNS, counted, strict=True))


def _missed(counts: dict[str, dict[str, int]]) -> list[str]:
    return [
        f"{walk}: {counts[walk][column]} {column}, at most {most}"
        for walk, limits in LIMITS.items()
        for column, most in limits.items()
        if walk in counts and counts[walk][column] > most
    ]


def _print(counts: dict[str, dict[str, int]], trails: dict[str, Trail], missed: Sequence[str]) -> None:
    for name, trail in trails.items():
        print(f"## {name}\n\n" + "\n".join(f"{file}: {function}" for file, function in trail.entered) + "\n")
    print(table(("walk", *COLUMNS), [(name, *counted.values()) for name, counted in counts.items()]))
    print("\nMISSED\n" + "\n".join(f"- {reason}" for reason in missed) if missed else "\nNo limit is exceeded.")


# Each walk runs in a process of its own: what one imports, caches or configures must not shorten the next.


def _traced(name: str) -> Trail:
    with tempfile.TemporaryDirectory(prefix="inlay-walk-") as folder:
        command = [sys.executable, "-m", "bench", "walks", name, "--child", folder]
        environment = _environment(Path(folder))
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"the walk {name!r} failed:\n{done.stdout}{done.stderr}")
        trail: Trail = pickle.loads((Path(folder) / _TRAIL).read_bytes())
    if name != "amend" and not (trail.calls[STAGE] and trail.calls[CHECK]):
        raise SystemExit(f"the walk {name!r} never calls {'.'.join(STAGE)} or {'.'.join(CHECK)}: were they renamed?")
    return trail


def _environment(folder: Path) -> dict[str, str]:
    """That of a user without any configuration."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("INLAY_", "GIT_", "XDG_"))}
    return {
        **inherited,
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(ROOT / "src"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def _trace_to(folder: Path, name: str) -> None:
    import inlay

    walk = WALKS[name](folder)
    trail = trace(Path(inlay.__file__).parent, walk)
    (folder / _TRAIL).write_bytes(pickle.dumps(trail))


# The walks: each prepares a project in a folder and returns the function to trace.


def _apply(folder: Path) -> Callable[[], None]:
    project = _project(folder)
    reply = folder / "reply.md"
    reply.write_text("\n".join(map(_EDIT.format, ("one.py", "two.py"))))
    return lambda: _command("apply", "-q", "-C", str(project), str(reply))


def _edit(folder: Path) -> Callable[[], None]:
    project = _project(folder)
    model = _recorded(folder, _EDIT.format("one.py"))
    arguments = ("-q", "-C", str(project), "--mode", "edits", "--model", model, "-m", "An area is never negative")
    return lambda: _command("edit", "one.py", *arguments)


def _generate(folder: Path) -> Callable[[], None]:
    from inlay import Answer, GenerateOptions, Model, ModelInfo, Request, Task, Usage, Workspace, generate

    class Scripted:
        async def ask(self, request: Request, on_text: Callable[[str], None] | None = None) -> Answer:
            return Answer(_EDIT.format("one.py"), "end", Usage(10, 10))

    project = _project(folder)
    model = Model(ModelInfo(_MODEL, 200_000, 8_000), Scripted())
    task = Task(("one.py",), "An area is never negative")

    def run() -> None:
        generate(task, Workspace(project), model, GenerateOptions(mode="edits"))

    return run


def _amend(folder: Path) -> Callable[[], None]:
    project = _project(folder)

    def git(*arguments: str) -> str:
        command = ["git", *_IDENTITY, "-C", str(project), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    for file in ("README.md", "one.py", "two.py"):
        (project / file).touch()
        git("add", file)
        git("commit", "-q", "-m", f"wip {file}")
    commits = [commit[:12] for commit in git("rev-list", "--reverse", "HEAD~2..HEAD").split()]
    git("config", "user.name", "Ada")
    git("config", "user.email", "ada@example.org")
    messages = [{"id": commit, "summary": "A file.", "message": f"Add file {n}"} for n, commit in enumerate(commits)]
    model = _recorded(folder, json.dumps({"commits": messages}))
    return lambda: _command("commits", "amend", "HEAD~2..HEAD", "--yes", "--json", "--model", model, "-C", str(project))


def _implement(folder: Path) -> Callable[[], None]:
    project = folder / "grille"
    shutil.copytree(ROOT / "examples/grille", project)
    model = runpy.run_path(str(ROOT / "examples/demo.py"))["recording"](folder)
    place = ("-q", "-C", str(project))

    def run() -> None:
        _command("implement", str(project / "design.md"), *place, "--auto", "--model", model, exit_code=4)
        _command("resume", "1", "--approve", *place)

    return run


WALKS: dict[str, Callable[[Path], Callable[[], None]]] = {
    "apply": _apply,
    "edit": _edit,
    "generate": _generate,
    "amend": _amend,
    "implement": _implement,
}


def _project(folder: Path) -> Path:
    project = folder / "project"
    project.mkdir()
    for name in ("one.py", "two.py"):
        (project / name).write_text(_FILE)
    return project


def _recorded(folder: Path, answer: str) -> str:
    path = folder / "recording.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in ({"model": _MODEL}, {"text": answer})))
    return f"recorded:{path}"


def _command(*arguments: str, exit_code: int = 0) -> None:
    """Run the command line in this process, as the console script does."""
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="inlay")
    run = script.load()
    sys.argv = ["inlay", *arguments]
    try:
        run()
    except SystemExit as leaving:
        if leaving.code != exit_code:
            raise SystemExit(f"inlay {' '.join(arguments)}: exit code {leaving.code}, not {exit_code}") from None
