"""The person's own command looks at the result, on a copy, before anything is written."""

import asyncio
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

from inlay import (
    Change,
    ChangeSet,
    GenerateOptions,
    ImplementationError,
    Limits,
    Misfit,
    Proposal,
    RepoPath,
    Task,
    Workspace,
    propose,
)
from inlay.generation.events import Event, Validating
from inlay.model.file import File
from inlay.processes import command
from inlay.storage.scratch_copy import environment, scratch

from .conftest import MakeBench, whole

CHECK = "python3 -c 'import a; assert a.x == 3, a.x'"


def test_a_change_that_fails_the_check_is_mended_with_its_output(bench: MakeBench) -> None:
    with bench(whole("a.py", "x = 2\n"), whole("a.py", "x = 3\n"), files={"a.py": "x = 1\n"}) as b:
        proposal = b.propose("a.py", options=GenerateOptions(check=CHECK))
    assert b.after(proposal, "a.py") == "x = 3\n"
    assert [attempt.error for attempt in proposal.attempts] == ["check", ""]
    told = b.server.seen[1].last
    assert "AssertionError: 2" in told
    assert "Send everything again" in told
    assert [event.command for event in b.events if isinstance(event, Validating)] == [CHECK, CHECK]
    assert (b.root / "a.py").read_text() == "x = 1\n"


def test_a_change_that_never_passes_is_not_made(
    bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bad = whole("a.py", "x = 2\n")
    with bench(lambda seen: bad, files={"a.py": "x = 1\n"}) as b, pytest.raises(ImplementationError, match="Error: 2"):
        b.propose("a.py", options=GenerateOptions(check=CHECK))
    assert len(b.server.seen) == 3
    assert list(tmp_path.iterdir()) == [b.root]


def test_a_check_that_takes_too_long_is_ended(bench: MakeBench) -> None:
    options = GenerateOptions(limits=Limits(attempts=1), check="sleep 60", check_timeout=0.3)
    good = whole("a.py", "x = 2\n")
    with bench(good, files={"a.py": "x = 1\n"}) as b, pytest.raises(ImplementationError, match="took longer than"):
        b.propose("a.py", options=options)


def test_an_interrupt_ends_the_check_at_once_and_leaves_nothing(bench: MakeBench, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    options = GenerateOptions(check=f"touch {mark}; sleep 60")

    async def interrupted() -> None:
        work = asyncio.ensure_future(propose(Task(("a.py",), "go"), Workspace(b.root), b.model, options))
        while not mark.exists():
            await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    with bench(whole("a.py", "x = 2\n"), files={"a.py": "x = 1\n"}) as b:
        started = time.monotonic()
        asyncio.run(interrupted())
    assert time.monotonic() - started < 20
    assert (b.root / "a.py").read_text() == "x = 1\n"


def test_files_that_were_asked_for_apart_are_checked_together(bench: MakeBench) -> None:
    small = {"anthropic:claude-test": {"context": 8_000, "max_output": 4_100}}
    check = "python3 -c 'import a, b; assert a.x == b.x'"

    def answer(seen: object) -> str:
        last = getattr(seen, "messages")[0][1]  # noqa: B009
        return whole("a.py" if "\na.py does not" in last else "b.py", "x = 2\n")

    with bench(answer, models=small) as b:
        proposal = b.propose("a.py", "b.py", options=GenerateOptions(check=check))
    assert len(b.server.seen) == 2
    assert len(proposal.changes.changes) == 2


def test_a_check_of_the_callers_own_costs_an_attempt_like_any_other(bench: MakeBench) -> None:
    def objection(changes: ChangeSet) -> Misfit | None:
        after = changes.changes[0].after or ""
        return None if "assert" in after else Misfit("hollow", "the test asserts nothing", "Assert something.")

    async def work() -> Proposal:
        task = Task(("test_a.py",), "write a test")
        return await propose(task, Workspace(b.root), b.model, objection=objection)

    with bench(whole("test_a.py", "x = 1\n"), whole("test_a.py", "assert True\n")) as b:
        proposal = asyncio.run(work())
    assert [attempt.error for attempt in proposal.attempts] == ["hollow", ""]
    assert "the test asserts nothing [hollow]" in b.server.seen[1].last


# --- the copy ------------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src/pkg").mkdir(parents=True)
    (root / "src/pkg/__init__.py").write_text("value = 'old'\n")
    (root / ".gitignore").write_text(".venv/\n.env\nbuild/\n")
    (root / ".env").write_text("TOKEN=canary\n")
    (root / ".venv/lib").mkdir(parents=True)
    (root / ".venv/lib/tool.txt").write_text("installed\n")
    (root / "build").mkdir()
    (root / "build/out.txt").write_text("x")
    (root / "run.sh").write_text("#!/bin/sh\ncat .venv/lib/tool.txt\n")
    (root / "run.sh").chmod(0o755)
    (root / "link.txt").symlink_to("run.sh")
    (root / "inside.txt").symlink_to(root.resolve() / "run.sh")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def _change(root: Path, name: str, after: str | None) -> ChangeSet:
    file = File.of(name, (root / name).read_bytes()) if (root / name).exists() else None
    return ChangeSet((Change(RepoPath(name), file, after),))


def test_the_copy_has_the_change_in_it_and_the_project_has_not(repository: Path) -> None:
    changes = _change(repository, "src/pkg/__init__.py", "value = 'new'\n")
    with scratch(Workspace(repository), changes) as folder:
        assert (folder / "src/pkg/__init__.py").read_text() == "value = 'new'\n"
        assert subprocess.check_output("./run.sh", cwd=folder) == b"installed\n"
        assert not (folder / ".env").exists()
        assert not (folder / "build").exists()
        assert not (folder / ".git").exists()
        (folder / "inside.txt").write_text("scribbled\n")  # through a link into the project, which stays in the copy
        (folder / "src/pkg/more.py").write_text("x")
    assert not folder.exists()
    assert (repository / "src/pkg/__init__.py").read_text() == "value = 'old'\n"
    assert (repository / "run.sh").read_text().startswith("#!/bin/sh")
    assert not (repository / "src/pkg/more.py").exists()
    assert (repository / ".venv/lib/tool.txt").exists()


def test_new_files_and_deletions_are_in_the_copy(repository: Path) -> None:
    changes = ChangeSet(
        (*_change(repository, "run.sh", None).changes, *_change(repository, "deep/er/new.txt", "hello\n").changes)
    )
    with scratch(Workspace(repository), changes) as folder:
        assert not (folder / "run.sh").exists()
        assert (folder / "deep/er/new.txt").read_text() == "hello\n"


def test_an_editable_install_does_not_hide_the_change(repository: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "editable.pth").write_text(f"{repository / 'src'}\n")
    look = f"import site; site.addsitedir({str(site)!r}); import pkg; print(pkg.value)"
    changes = _change(repository, "src/pkg/__init__.py", "value = 'new'\n")
    with scratch(Workspace(repository), changes) as folder:
        done = command.run(["python3", "-c", look], cwd=str(folder), timeout=30, environ=environment(folder))
    assert done.output == "new\n"


def test_a_command_in_a_thread_can_be_stopped() -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    done = command.run("sleep 30", cwd="/", timeout=30, stop=stop)
    assert (done.ok, done.seconds < 5) == (False, True)


def test_events_can_be_watched(bench: MakeBench) -> None:
    from inlay import Landed, stream

    async def watch() -> list[Event]:
        return [event async for event in stream(Task(("a.py",), "go"), Workspace(b.root), b.model)]

    with bench(whole("a.py", "x = 2\n"), files={"a.py": "x = 1\n"}) as b:
        events = asyncio.run(watch())
    names = [type(event).__name__ for event in events]
    assert names[0] == "AttemptStarted"
    assert names[1:-3] == ["TextArrived"] * (len(names) - 4)
    assert names[-3:] == ["Answered", "Proposed", "Landed"]
    assert isinstance(events[-1], Landed)
    assert events[-1].landing.receipt is not None
    assert (b.root / "a.py").read_text() == "x = 2\n"


def test_whoever_stops_watching_stops_the_work(bench: MakeBench) -> None:
    from inlay import stream

    async def glance() -> str:
        events = stream(Task(("a.py",), "go"), Workspace(b.root), b.model)
        async for event in events:
            await events.aclose()
            return type(event).__name__
        raise AssertionError

    with bench(whole("a.py", "x = 2\n"), files={"a.py": "x = 1\n"}) as b:
        assert asyncio.run(glance()) == "AttemptStarted"
    assert (b.root / "a.py").read_text() == "x = 1\n"
