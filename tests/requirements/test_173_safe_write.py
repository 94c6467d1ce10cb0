"""Safe writing, through the command line, the library and the node for graphs."""

import asyncio
import errno
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import inlay
from inlay.nodes import SafeWriteState, safe_file_write, safe_file_write_async

from .conftest import Run, Serve, contents

pytestmark = pytest.mark.slow

LONG = "".join(f"value_{n} = {n}\n" for n in range(150))
NEW = "answer = 42\n"
OTHER = LONG.replace("value", "other")


@pytest.fixture
def long(project: Path) -> Path:
    (project / "long.py").write_text(LONG)
    return project / "long.py"


# --- as a node of a graph ------------------------------------------------------------------------------------------


def state_for(project: Path, *names: str, **more: Any) -> SafeWriteState:
    writes = [{"file_path": name, "new_content": NEW} for name in names]
    return {"project_root": str(project), "proposed_writes": writes, **more}  # type: ignore[typeddict-item]


def graph(saver: Any, *, is_async: bool) -> Any:
    """Write; where decisions are missing interrupt for them, and write then."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import interrupt

    def review(state: SafeWriteState) -> dict[str, Any]:
        return {"merge_decisions": interrupt(state["awaiting_approval"])}

    built = StateGraph(SafeWriteState)
    built.add_node("write", safe_file_write_async if is_async else safe_file_write)
    built.add_node("review", review)
    built.add_edge(START, "write")
    built.add_conditional_edges("write", lambda state: "review" if state["awaiting_approval"] else END)
    built.add_edge("review", "write")
    return built.compile(checkpointer=saver)


DECISIONS = pytest.mark.parametrize(
    ("decision", "after"),
    [
        ({"approved": True, "strategy": "replace"}, NEW),
        ({"approved": True, "strategy": "append"}, LONG + NEW),
        ({"approved": True, "strategy": "insert", "insertion_point": 1}, NEW + LONG),
        ({"approved": False}, LONG),
    ],
    ids=["replace", "append", "insert", "skip"],
)


@DECISIONS
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_graph_waits_in_a_checkpoint_and_carries_out_the_decision(
    project: Path, long: Path, decision: dict[str, Any], after: str, is_async: bool
) -> None:
    pytest.importorskip("langgraph")
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    saver, config = InMemorySaver(), {"configurable": {"thread_id": "1"}}

    def invoke(value: Any) -> Any:
        built = graph(saver, is_async=is_async)  # another each time, as after a restart
        return asyncio.run(built.ainvoke(value, config)) if is_async else built.invoke(value, config)

    waiting = invoke(state_for(project, "long.py", "new.py"))
    assert [each.value for each in waiting["__interrupt__"]] == [["long.py"]]
    assert long.read_text() == LONG
    assert not (project / "new.py").exists()
    done = invoke(Command(resume=[{"file_path": "long.py", **decision}]))
    assert long.read_text() == after
    assert (project / "new.py").read_text() == NEW
    written = {"new.py"} if after == LONG else {"long.py", "new.py"}
    assert {file["file_path"] for file in done["written_files"]} == written
    assert (done["proposed_writes"], done["merge_decisions"], done["awaiting_approval"]) == ([], [], [])


@DECISIONS
def test_the_state_of_the_node_is_plain_json(project: Path, long: Path, decision: dict[str, Any], after: str) -> None:
    state = state_for(project, "long.py", "new.py")
    waiting = safe_file_write(state)
    assert json.loads(json.dumps(waiting)) == waiting
    (proposal, _) = waiting["proposed_writes"]
    assert (proposal["requires_approval"], proposal["existing_content"]) == (True, LONG)
    assert (proposal["existing_lines"], proposal["new_lines"]) == (150, 1)
    restored: SafeWriteState = json.loads(json.dumps(state | waiting))
    restored["merge_decisions"] = [{"file_path": "long.py", **decision}]  # type: ignore[typeddict-item]
    done = safe_file_write(restored)
    assert json.loads(json.dumps(done)) == done
    assert long.read_text() == after


def test_the_asynchronous_node_does_not_block_the_loop(project: Path) -> None:
    async def run() -> None:
        task = asyncio.ensure_future(safe_file_write_async(state_for(project, "new.py")))
        await asyncio.sleep(0)
        assert not task.done()
        assert [file["file_path"] for file in (await task)["written_files"]] == ["new.py"]

    asyncio.run(run())


def test_a_step_that_a_graph_repeats_writes_nothing_twice(project: Path, long: Path) -> None:
    state = state_for(project, "long.py")
    state |= safe_file_write(state)
    state["merge_decisions"] = [{"file_path": "long.py", "approved": True, "strategy": "append"}]
    safe_file_write(state)
    assert safe_file_write(state)["written_files"] == []
    assert long.read_text() == LONG + NEW


def test_a_graph_without_a_person_fails_unless_it_is_forced(project: Path, long: Path) -> None:
    with pytest.raises(inlay.SafeFileWriteError):
        safe_file_write(state_for(project, "long.py", auto_mode=True))
    assert long.read_text() == LONG
    done = safe_file_write(state_for(project, "long.py", auto_mode=True, force_replace=True))
    assert [file["file_path"] for file in done["written_files"]] == ["long.py"]
    assert long.read_text() == NEW


# --- what is there already -----------------------------------------------------------------------------------------


def test_a_file_that_exists_is_not_made_again(run: Run, project: Path) -> None:
    before = contents(project)
    done = run("apply", "--json", stdin="*** Begin Patch\n*** Add File: small.py\n+x = 1\n*** End Patch\n")
    assert (done.code, [misfit["code"] for misfit in done.data["misfits"]]) == (3, ["exists"])
    assert contents(project) == before


@pytest.mark.parametrize("name", ["long.py", "fresh.py"])
def test_what_changes_or_appears_in_the_meantime_is_left_alone(project: Path, long: Path, name: str) -> None:
    def approve(needs: Sequence[inlay.Need], changes: inlay.ChangeSet) -> list[inlay.Decision]:
        (project / name).write_text("somebody = 'else'\n")
        return [inlay.Decision(need.path) for need in needs]

    writes = [inlay.Write("long.py", OTHER), inlay.Write("fresh.py", NEW)]
    with pytest.raises(inlay.StaleFile):
        inlay.write_all(writes, inlay.Workspace(project), approve=approve)
    assert (project / name).read_text() == "somebody = 'else'\n"
    assert name == "long.py" or long.read_text() == LONG
    assert name == "fresh.py" or not (project / "fresh.py").exists()


# --- what needs approval -------------------------------------------------------------------------------------------


def lines(count: int, word: str = "value") -> str:
    return "".join(f"{word}_{n} = {n}\n" for n in range(count))


def replaces(run: Run, serve: Serve, project: Path, face: str, new: str) -> bool:
    """Whether a file is replaced through one of the ways in, with nobody there to decide."""
    before = (project / "some.py").read_text()
    reply = f"some.py\n```python\n{new}```\n"
    if face in ("write", "apply"):
        arguments, stdin = (["write", "some.py", "-"], new) if face == "write" else (["apply"], reply)
        code = run(*arguments, stdin=stdin).code
    elif face == "edit":
        with serve(reply, reply):
            code = run("edit", "some.py", "-m", "x", "--mode", "whole").code
    elif face == "node":
        state: SafeWriteState = {
            "project_root": str(project),
            "proposed_writes": [{"file_path": "some.py", "new_content": new}],
        }
        code = 4 if safe_file_write(state)["awaiting_approval"] else 0
    else:
        try:
            inlay.write("some.py", new, inlay.Workspace(project))
        except inlay.SafeFileWriteError as error:
            code = error.exit_code
        else:
            code = 0
    assert code in (0, 4)
    assert (project / "some.py").read_text() == (new if code == 0 else before)
    return code == 0


@pytest.mark.parametrize("face", ["write", "apply", "edit", "node", "library"])
@pytest.mark.parametrize(("count", "free"), [(100, True), (101, False)])
def test_replacing_more_than_100_lines_needs_approval(
    run: Run, serve: Serve, project: Path, face: str, count: int, free: bool
) -> None:
    (project / "some.py").write_text(lines(count))
    assert replaces(run, serve, project, face, lines(count, "other")) is free


@pytest.mark.parametrize("face", ["write", "apply", "edit", "node", "library"])
def test_a_file_that_does_not_exist_needs_none(run: Run, project: Path, serve: Serve, face: str) -> None:
    (project / "some.py").write_text("")
    assert replaces(run, serve, project, face, lines(500))


@pytest.mark.parametrize("options", [[], ["--auto"], ["--yes"], ["--auto", "--yes"]], ids=" ".join)
@pytest.mark.parametrize("face", ["write", "apply", "edit"])
def test_unattended_a_file_of_substance_is_never_replaced_silently(
    run: Run, serve: Serve, project: Path, long: Path, options: list[str], face: str
) -> None:
    reply = f"long.py\n```python\n{OTHER}```\n"
    arguments = {"write": ["write", "long.py", "-"], "apply": ["apply"], "edit": ["edit", "long.py", "-m", "x"]}[face]
    with serve(*[reply] * 4):
        done = run(*arguments, *options, "--json", stdin=OTHER if face == "write" else reply)
        shown = run(*arguments, *options, stdin=OTHER if face == "write" else reply)
    assert (done.code, done.data["status"], done.data["error"]) == (4, "needs-decision", "SafeFileWriteError")
    assert [need["path"] for need in done.data["needs"]] == ["long.py"]
    assert (shown.code, "long.py" in shown.err) == (4, True)
    assert long.read_text() == LONG


def test_unattended_all_files_that_wait_are_listed_and_no_other_is_written(run: Run, project: Path, long: Path) -> None:
    (project / "other.py").write_text(LONG)
    reply = "".join(f"{name}\n```python\n{OTHER}```\n\n" for name in ("long.py", "small.py", "other.py", "new.py"))
    before = contents(project)
    done = run("apply", "--auto", "--json", stdin=reply)
    assert (done.code, [need["path"] for need in done.data["needs"]]) == (4, ["long.py", "other.py"])
    assert contents(project) == before


@pytest.mark.parametrize("face", ["write", "apply", "edit", "library"])
def test_force_is_explicit_consent(run: Run, serve: Serve, project: Path, long: Path, face: str) -> None:
    reply = f"long.py\n```python\n{OTHER}```\n"
    arguments = {"write": ["write", "long.py", "-"], "apply": ["apply"], "edit": ["edit", "long.py", "-m", "x"]}
    if face == "library":
        inlay.write("long.py", OTHER, inlay.Workspace(project), options=inlay.LandOptions(force=True))
    else:
        with serve(reply, reply):
            done = run(*arguments[face], "--auto", "--force", stdin=OTHER if face == "write" else reply)
        assert done.code == 0
    assert long.read_text() == OTHER
    decisions = [record for record in log(run) if record["event"] == "decision"]
    assert [(record["path"], record["by"]) for record in decisions] == [("long.py", "force")]


# --- the audit log -------------------------------------------------------------------------------------------------


def log(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("log", "--json").out.splitlines()]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_every_operation_is_in_the_log_with_the_hash_of_the_original(run: Run, project: Path, long: Path) -> None:
    (project / "decisions.json").write_text('{"decisions": [{"path": "long.py", "strategy": "append"}]}')
    old, new, appended = digest(LONG), digest(NEW), digest(LONG + NEW)
    assert run("write", "long.py", "-", stdin=NEW).code == 4
    assert run("write", "--decisions", "decisions.json", "long.py", "-", stdin=NEW).code == 0
    assert run("undo").code == 0
    assert run("redo").code == 0
    events = [
        [record.get(key, "") for key in ("event", "state", "path", "before", "after", "decision")]
        for record in log(run)
        if record.get("state") != "done"
    ]
    assert events == [
        ["proposal", "", "long.py", old, new, ""],
        ["blocked", "", "long.py", "", "", ""],
        ["proposal", "", "long.py", old, new, ""],
        ["decision", "", "long.py", old, appended, "append"],
        ["write", "intent", "long.py", old, appended, ""],
        ["undo", "intent", "long.py", appended, old, ""],
        ["redo", "intent", "long.py", old, appended, ""],
    ]
    assert [record["event"] for record in log(run) if record.get("state") == "done"] == ["write", "undo", "redo"]
    assert all("large-replacement" in record["detail"] for record in log(run) if record["event"] == "blocked")
    assert run("log", "--verify").code == 0


@pytest.mark.parametrize("damage", ["changed", "cut", "dropped", "gone"])
def test_a_log_that_was_changed_is_noticed_and_nothing_more_is_written(run: Run, project: Path, damage: str) -> None:
    for number in (2, 3):
        assert run("write", "small.py", "-", stdin=f"x = {number}\n").code == 0
    (file,) = (project / ".inlay/log").glob("*.jsonl")
    records = file.read_bytes().splitlines(keepends=True)
    if damage == "gone":
        file.unlink()
    else:
        changed = [records[0].replace(b"small.py", b"other.py"), *records[1:]]
        file.write_bytes(b"".join({"changed": changed, "cut": records[:-1], "dropped": records[1:]}[damage]))
    done = run("log", "--verify", "--json")
    assert (done.code, done.data["whole"]) == (1, False)
    assert done.data["problems"]
    assert run("write", "small.py", "-", stdin="x = 4\n").code == 4
    assert (project / "small.py").read_text() == "x = 3\n"


# --- no name leads out ---------------------------------------------------------------------------------------------


@pytest.fixture
def outside(project: Path) -> Path:
    """A file beside the project, and links in the project that lead to it."""
    folder = project.parent / "outside"
    folder.mkdir()
    (folder / "victim.py").write_text("safe = 1\n")
    (project / "to_folder").symlink_to(folder)
    (project / "to_file.py").symlink_to(folder / "victim.py")
    (project / "up").symlink_to("../outside")
    return folder


NAMES = (
    "../outside/victim.py",
    "a/../../outside/victim.py",
    "..\\outside\\victim.py",
    "%2e%2e/outside/victim.py",
    "{outside}/victim.py",
    "~/outside/victim.py",
    "file://{outside}/victim.py",
    "to_folder/victim.py",
    "to_folder/new.py",
    "to_file.py",
    "up/victim.py",
    ".git/config",
)


@pytest.mark.parametrize("face", ["write", "apply", "library", "node"])
@pytest.mark.parametrize("name", NAMES)
def test_no_name_leads_out_of_the_project(
    run: Run, project: Path, outside: Path, monkeypatch: pytest.MonkeyPatch, name: str, face: str
) -> None:
    monkeypatch.setenv("HOME", str(project.parent))
    name = name.format(outside=outside)
    before = contents(project.parent)
    if face in ("library", "node"):
        state: SafeWriteState = {
            "project_root": str(project),
            "proposed_writes": [{"file_path": name, "new_content": NEW}],
            "force_replace": True,
        }
        options = inlay.LandOptions(force=True)
        with pytest.raises(inlay.PathTraversalError):
            safe_file_write(state) if face == "node" else inlay.write(
                name, NEW, inlay.Workspace(project), options=options
            )
    else:
        patch = f"*** Begin Patch\n*** Add File: {name}\n+stolen = 1\n*** End Patch\n"
        arguments, stdin = (["write", name, "-"], NEW) if face == "write" else (["apply"], patch)
        done = run(*arguments, "--force", "--json", stdin=stdin)
        assert (done.code, done.data["error"]) == (3, "PathTraversalError")
    assert contents(project.parent) == before


def test_a_link_that_is_swapped_in_while_a_person_thinks_is_not_followed(
    run: Run, project: Path, outside: Path
) -> None:
    (project / "folder").mkdir()
    (project / "folder/victim.py").write_text(LONG)

    def approve(needs: Sequence[inlay.Need], changes: inlay.ChangeSet) -> list[inlay.Decision]:
        (project / "folder/victim.py").unlink()
        (project / "folder").rmdir()
        (project / "folder").symlink_to(outside)
        return [inlay.Decision(need.path) for need in needs]

    with pytest.raises(inlay.InlayError):
        inlay.write("folder/victim.py", OTHER, inlay.Workspace(project), approve=approve)
    assert (outside / "victim.py").read_text() == "safe = 1\n"


# --- what can be set, and what can be taken back -------------------------------------------------------------------


@pytest.mark.parametrize("face", ["option", "settings", "settings-of-edit", "library"])
def test_the_threshold_can_be_set(run: Run, serve: Serve, project: Path, face: str) -> None:
    new = lines(30, "other")

    def code(threshold: int) -> int:
        (project / "some.py").write_text(lines(30))
        if face == "option":
            return run("write", "some.py", "-", "--threshold", str(threshold), stdin=new).code
        if face.startswith("settings"):
            (project / ".inlay.toml").write_text(f"threshold = {threshold}\n")
        if face == "settings":
            return run("write", "some.py", "-", stdin=new).code
        if face == "settings-of-edit":
            with serve(f"some.py\n```python\n{new}```\n"):
                return run("edit", "some.py", "-m", "x").code
        try:
            inlay.write("some.py", new, inlay.Workspace(project), options=inlay.LandOptions(threshold=threshold))
        except inlay.SafeFileWriteError:
            return 4
        return 0

    assert (code(29), code(30)) == (4, 0)


@pytest.mark.parametrize(
    ("options", "after"),
    [
        (["--strategy", "append"], LONG + NEW),
        (
            ["--strategy", "insert", "--line", "3"],
            "".join([*LONG.splitlines(True)[:2], NEW, *LONG.splitlines(True)[2:]]),
        ),
        (["--strategy", "extend"], LONG + NEW),
        (["--strategy", "replace", "--force"], NEW),
    ],
    ids=["append", "insert", "extend", "replace"],
)
def test_every_strategy_is_an_option_and_every_write_can_be_taken_back(
    run: Run, project: Path, long: Path, options: list[str], after: str
) -> None:
    assert run("write", "long.py", "-", "--auto", *options, stdin=NEW).code == 0
    assert long.read_text() == after
    assert run("undo").code == 0
    assert long.read_text() == LONG
    assert run("redo").code == 0
    assert long.read_text() == after


def test_a_backup_is_kept_of_what_was_replaced(run: Run, project: Path, long: Path) -> None:
    assert run("write", "long.py", "-", "--force", stdin=OTHER).code == 0
    (kept,) = inlay.Workspace(project).contents("1")
    assert (kept.before, kept.after) == (LONG.encode(), OTHER.encode())
    long.unlink()  # with the backup, even that is not the end
    assert run("undo").code == 4
    long.write_text(OTHER)
    assert run("undo").code == 0
    assert long.read_text() == LONG


def test_one_decision_may_be_for_many_files(run: Run, project: Path) -> None:
    names = [f"part_{number}.py" for number in range(100)]
    for name in names:
        (project / name).write_text(LONG)
    reply = "".join(f"{name}\n```python\n{OTHER}```\n\n" for name in names)
    asked: list[int] = []

    def approve(needs: Sequence[inlay.Need], changes: inlay.ChangeSet) -> list[inlay.Decision]:
        asked.append(len(needs))
        return [inlay.Decision(None, strategy="append")]

    inlay.land(reply, inlay.Workspace(project), approve=approve)
    assert asked == [100]
    assert {(project / name).read_text() for name in names} == {LONG + OTHER}
    assert run("undo").code == 0
    (project / "decisions.json").write_text('{"decisions": [{"path": "*", "verdict": "approve"}]}')
    assert run("apply", "--auto", "--decisions", "decisions.json", stdin=reply).code == 0
    assert {(project / name).read_text() for name in names} == {OTHER}


# --- failures ------------------------------------------------------------------------------------------------------


def test_what_the_disk_cannot_confirm_is_no_success(project: Path, long: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(inlay.EnvironmentFailure):
            inlay.write("long.py", OTHER, inlay.Workspace(project), options=inlay.LandOptions(force=True))
    assert long.read_text() == LONG
    assert inlay.Workspace(project).history() == ()
