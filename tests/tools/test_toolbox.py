"""The toolbox as a library: the other tools, approval, refusals as data, definitions for other APIs."""

import asyncio
import doctest
import json
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from inlay import ChangeSet, Decision, Need, Workspace
from inlay.model.file import RepoPath
from inlay.tools import TOOLS, Outcome, Progress, Stopped, Toolbox, resources, toolbox
from inlay.tools.arguments import ARGUMENTS, InvalidArguments, convert

OLD = "line\n" * 150
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-def f():\n+def ff():\n     return 1\n"


def test_read_file_numbers_lines_and_gives_the_hash(box: Toolbox) -> None:
    structured = box.call("read_file", {"path": "a.py", "start": 2, "end": 5}).structured
    assert structured["content"] == "2 |     return 1\n3 | \n4 | \n5 | def g():"
    assert (structured["lines"], structured["start"], structured["end"], structured["more"]) == (6, 2, 5, True)
    assert len(structured["hash"]) == 16


def test_read_file_gives_only_so_much_at_once(box: Toolbox, project: Path) -> None:
    (project / "big.txt").write_text("x" * 50 + "\n" + "y\n" * 5000)
    structured = box.call("read_file", {"path": "big.txt"}).structured
    assert structured["end"] == 2000
    assert structured["more"]
    (project / "wide.txt").write_text("x" * 200_000)
    assert len(box.call("read_file", {"path": "wide.txt"}).text) < 70_000


@pytest.mark.parametrize("content", ["", "\n", "no newline"])
def test_read_file_of_little(box: Toolbox, project: Path, content: str) -> None:
    (project / "x.txt").write_text(content)
    assert box.call("read_file", {"path": "x.txt"}).structured["kind"] == "file"


@pytest.mark.parametrize(
    ("path", "code"),
    [("none.py", "missing"), (".env", "path-protected"), ("../x", "path-outside"), (".git/config", "path-protected")],
)
def test_read_file_is_confined(box: Toolbox, path: str, code: str) -> None:
    assert box.call("read_file", {"path": path}).structured["code"] == code


def test_read_file_beyond_the_end_and_of_bytes(box: Toolbox, project: Path) -> None:
    assert box.call("read_file", {"path": "a.py", "start": 99}).structured["code"] == "line-outside"
    (project / "x.bin").write_bytes(b"a\0b")
    assert box.call("read_file", {"path": "x.bin"}).structured["code"] == "binary"
    (project / "l.txt").write_bytes("für\n".encode("latin-1"))
    assert box.call("read_file", {"path": "l.txt"}).structured["content"] == "1 | f\ufffdr"


def test_other_writers_do_not_wait_while_the_project_is_searched_for_a_block(
    box: Toolbox, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "b.py").write_text("def other():\n    return 2\n")
    searched, waited = Workspace.search, []

    def search(self: Workspace, blocks: Collection[str]) -> dict[str, list[RepoPath]]:
        began = time.monotonic()
        with Workspace(project, wait=30).turn():
            waited.append(time.monotonic() - began)
        return searched(self, blocks)

    monkeypatch.setattr(Workspace, "search", search)
    call = {"path": "a.py", "old_string": "def other():\n    return 2", "new_string": "def other():\n    return 3"}
    outcome = box.call("replace_text", call)
    assert "but it is in b.py" in outcome.text
    assert waited
    assert waited[0] < 10


def test_replace_text_once_and_everywhere(box: Toolbox, project: Path) -> None:
    once = {"path": "a.py", "old_string": "def f():", "new_string": "def ff():"}
    assert box.call("replace_text", once).structured["kind"] == "applied"
    several = {"path": "a.py", "old_string": "return 1", "new_string": "return 2"}
    outcome = box.call("replace_text", several)
    assert outcome.structured["code"] == "ambiguous"
    assert outcome.structured["candidates"] == [2, 6]
    assert box.call("replace_text", {**several, "replace_all": True}).structured["kind"] == "applied"
    assert (project / "a.py").read_text() == "def ff():\n    return 2\n\n\ndef g():\n    return 2\n"


def test_a_refusal_shows_the_nearest_place(box: Toolbox) -> None:
    outcome = box.call("replace_text", {"path": "a.py", "old_string": "def g():\n    return 3", "new_string": "x"})
    assert outcome.structured["code"] == "not-found"
    assert outcome.structured["nearest"]["line"] == 5
    assert "    return 1" in outcome.structured["nearest"]["found"]


def test_apply_reply_takes_any_format(box: Toolbox, project: Path) -> None:
    reply = "Sure!\n\na.py\n<<<<<<< SEARCH\ndef f():\n=======\ndef ff():\n>>>>>>> REPLACE\n"
    assert box.call("apply_reply", {"reply": reply}).structured["kind"] == "applied"
    again = {"reply": "```\n### CHANGE 1: x\n```", "format": "nonsense"}
    assert box.call("apply_reply", again).structured["code"] == "unknown-format"
    nameless = "<<<<<<< SEARCH\ndef g():\n=======\ndef gg():\n>>>>>>> REPLACE\n"
    assert box.call("apply_reply", {"reply": nameless, "path": "a.py"}).structured["kind"] == "applied"
    assert "def gg" in (project / "a.py").read_text()


def test_write_file_creates_joins_and_replaces(box: Toolbox, project: Path) -> None:
    assert box.call("write_file", {"path": "new/x.txt", "content": "x\n"}).structured["files"][0]["action"] == "created"
    box.call("write_file", {"path": "new/x.txt", "content": "y\n", "strategy": "append"})
    box.call("write_file", {"path": "new/x.txt", "content": "w\n", "strategy": "insert", "line": 1})
    assert (project / "new/x.txt").read_text() == "w\nx\ny\n"
    extend = {"path": "a.py", "content": "def h():\n    return 3\n", "strategy": "extend"}
    assert box.call("write_file", extend).structured["kind"] == "applied"
    assert "def h():" in (project / "a.py").read_text()
    again = box.call("write_file", {"path": "new/x.txt", "content": "w\nx\ny\n"})
    assert again.structured["kind"] == "unchanged"


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "a.py", "start": "2", "end": None},
        {"path": "a.py", "start": 2.0, "end": "null"},
        {"file_path": "a.py", "start": 2},
    ],
)
def test_numbers_as_text_and_null_for_an_omitted_argument_are_accepted(box: Toolbox, arguments: dict[str, Any]) -> None:
    structured = box.call("read_file", arguments).structured
    assert (structured["start"], structured["end"]) == (2, 6)


def test_text_that_looks_like_another_type_stays_text(box: Toolbox, project: Path) -> None:
    for content in ("null", "true", "3"):
        box.call("write_file", {"path": "x.txt", "content": content})
        assert (project / "x.txt").read_text() == content


def test_every_problem_of_the_arguments_is_named(box: Toolbox) -> None:
    structured = box.call("write_file", {"path": "", "strategy": "merge", "lines": 3}).structured
    assert structured["code"] == "invalid-arguments"
    for problem in ("'lines'", "replace_existing", "path: ", "'content' is missing", "strategy: use one of append, "):
        assert problem in structured["message"]
    edit = {"range": {"start": 0, "end": 1}, "newText": ""}
    message = box.call("apply_edits", {"path": "a.py", "edits": [edit]}).structured["message"]
    assert message == "edits[0].range.start: expected `int` >= 1"


def test_preview_writes_nothing_and_says_what_needs_approval(box: Toolbox, project: Path) -> None:
    structured = box.call("preview", {"tool": "write_patch", "arguments": {"patch": PATCH}}).structured
    assert structured["kind"] == "preview"
    assert "+def ff():" in structured["diff"]
    long = {"tool": "write_file", "arguments": {"path": "long.txt", "content": "x\n"}}
    assert "The user would have to approve" in box.call("preview", long).structured["message"]
    wrong = box.call("preview", {"tool": "write_file", "arguments": {"path": "x"}})
    assert wrong.structured["code"] == "invalid-arguments"
    assert (project / "a.py").read_text().startswith("def f():")
    assert not (project / ".inlay").exists()


def test_undo_and_history(box: Toolbox, project: Path) -> None:
    box.call("write_patch", {"patch": PATCH})
    assert box.call("undo", {}).structured["kind"] == "undone"
    assert (project / "a.py").read_text().startswith("def f():")
    changes = box.call("history", {}).structured["changes"]
    assert [(change["id"], change["kind"], change["reverses"]) for change in changes] == [
        ("2", "undo", "1"),
        ("1", "land", None),
    ]
    assert box.call("undo", {"id": "77"}).structured["code"] == "unknown-receipt"
    assert box.call("undo", {"id": "1"}).structured["code"] == "needs-decision"


def test_undo_never_loses_later_work(box: Toolbox, project: Path) -> None:
    box.call("write_patch", {"patch": PATCH})
    (project / "a.py").write_text("mine\n")
    assert box.call("undo", {}).structured["code"] == "stale"
    assert (project / "a.py").read_text() == "mine\n"


def test_a_patch_for_another_file_than_the_path_is_refused(box: Toolbox, project: Path) -> None:
    (project / "b.py").write_text((project / "a.py").read_text())
    assert box.call("write_patch", {"path": "b.py", "patch": PATCH}).structured["code"] == "several-files"
    bare = PATCH.partition("@@")[1] + PATCH.partition("@@")[2]
    assert box.call("write_patch", {"patch": bare}).structured["code"] == "no-path"
    assert box.call("write_patch", {"path": "b.py", "patch": bare}).structured["kind"] == "applied"
    assert (project / "a.py").read_text().startswith("def f():")


def test_the_third_identical_failure_says_so_and_suggests_another_tool(box: Toolbox) -> None:
    wrong = {"patch": PATCH.replace("return 1", "return 7")}
    first, second, third = (box.call("write_patch", wrong).structured for _ in range(3))
    assert "repeated" not in first
    assert "repeated" not in second
    assert third["repeated"] == 3
    assert "failed 3 times" in third["message"]
    assert "apply_edits" in third["advice"]
    box.call("write_patch", {"patch": PATCH})
    assert "repeated" not in box.call("write_patch", {"patch": PATCH.replace("return 1", "return 8")}).structured


def test_failures_are_short_however_long_the_call(box: Toolbox) -> None:
    patch = "--- a/a.py\n+++ b/a.py\n" + "".join(f"@@ -{n} +{n} @@\n-{'x' * 500}{n}\n+y\n" for n in range(1, 300))
    for name, arguments in (
        ("write_patch", {"patch": patch}),
        ("replace_text", {"path": "a.py", "old_string": "z" * 100_000, "new_string": "x"}),
        ("read_file", {"path": "p" * 4000}),
        ("apply_edits", {"path": "a.py", "edits": [{"y" * 3000: 1}] * 100}),
    ):
        outcome = box.call(name, arguments)
        assert outcome.is_error
        assert len(outcome.text) <= 4200, name


def approve_all(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
    return [Decision(need.path) for need in needs]


def test_a_caller_may_decide_itself(box: Toolbox, project: Path) -> None:
    outcome = box.call("write_file", {"path": "long.txt", "content": "x\n"}, approve=approve_all)
    assert outcome.structured["kind"] == "applied"
    assert (project / "long.txt").read_text() == "x\n"


@pytest.mark.parametrize("path", [".github/workflows/ci.yml", "CLAUDE.md", ".vscode/tasks.json"])
def test_guarded_paths_need_approval(box: Toolbox, project: Path, path: str) -> None:
    outcome = box.call("write_file", {"path": path, "content": "{}\n"})
    assert outcome.structured["kind"] == "needs_approval"
    assert not (project / path).exists()
    assert outcome.plan is not None
    assert box.carry_out(outcome.plan).structured["kind"] == "applied"
    assert (project / path).read_text() == "{}\n"


def test_a_plan_holds_a_whole_patch_with_its_matches(box: Toolbox, project: Path) -> None:
    (project / "b.py").write_text("x = 1\n")
    patch = PATCH + "--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    outcome = box.call("write_patch", {"patch": patch})
    assert outcome.plan is not None
    assert "-x = 1" in box.question(outcome.plan)
    structured = box.carry_out(outcome.plan).structured
    assert [file["action"] for file in structured["files"]] == ["updated", "deleted"]
    assert structured["files"][0]["edits"][0]["rule"] == "exact"
    assert not (project / "b.py").exists()
    assert box.carry_out(outcome.plan).structured["code"] == "unknown-plan"


def test_a_plan_is_stale_once_its_file_changed(box: Toolbox, project: Path) -> None:
    plan = box.call("write_file", {"path": "long.txt", "content": "x\n"}).plan
    assert plan is not None
    (project / "long.txt").write_text(OLD + "mine\n")
    assert box.carry_out(plan).structured["code"] == "stale"
    assert (project / "long.txt").read_text() == OLD + "mine\n"
    assert box.drop(plan).structured["code"] == "declined"
    assert box.drop(plan).structured["code"] == "unknown-plan"


def test_progress_comes_in_steps_and_can_stop_a_call(box: Toolbox, project: Path) -> None:
    seen: list[Progress] = []
    box.call("write_patch", {"patch": PATCH}, on_progress=seen.append)
    assert [progress.step for progress in seen] == [1, 2, 3, 4]
    assert seen[-1].message == "writing"
    box.call("undo", {})

    def stop(progress: Progress) -> None:
        if progress.message == "writing":
            raise Stopped

    with pytest.raises(Stopped):
        box.call("write_patch", {"patch": PATCH}, on_progress=stop)
    assert (project / "a.py").read_text().startswith("def f():")


def test_an_internal_error_is_an_outcome_without_a_trace(box: Toolbox, caplog: pytest.LogCaptureFixture) -> None:
    def broken(needs: object, changes: object) -> Sequence[Decision]:
        raise RuntimeError("secret detail")

    outcome = box.call("write_file", {"path": "long.txt", "content": "x\n"}, approve=broken)
    assert outcome.structured["code"] == "internal"
    assert "secret detail" not in outcome.text
    assert "secret detail" in caplog.text


def test_asynchronous_callers_are_served(box: Toolbox) -> None:
    async def many() -> list[Outcome]:
        return await asyncio.gather(*(box.acall("read_file", {"path": "a.py"}) for _ in range(5)))

    assert [outcome.is_error for outcome in asyncio.run(many())] == [False] * 5


def test_only_some_tools(project: Path) -> None:
    box = Toolbox(project, only=("read_file", "apply_edits"))
    assert [tool.name for tool in box.tools] == ["read_file", "apply_edits"]
    assert box.call("undo", {}).structured["code"] == "unknown-tool"
    with pytest.raises(ValueError, match="there is no tool 'x'"):
        Toolbox(project, only=("x",))


def test_definitions_for_other_interfaces(box: Toolbox) -> None:
    names = list(TOOLS)
    assert [each["name"] for each in box.anthropic()] == names
    assert all(set(each) == {"name", "description", "input_schema"} for each in box.anthropic())
    assert [each["function"]["name"] for each in box.openai()] == names
    assert all(each["type"] == "function" for each in box.openai())
    json.dumps([box.anthropic(), box.openai()])


def test_langchain_makes_tools_of_them(box: Toolbox, project: Path) -> None:
    from langchain_core.tools import StructuredTool

    made = {each["name"]: StructuredTool.from_function(**each) for each in box.langchain()}
    structured = json.loads(made["read_file"].invoke({"path": "a.py"}))
    assert structured["lines"] == 6
    change = {"path": "a.py", "old_string": "def f", "new_string": "def ff"}
    assert json.loads(made["replace_text"].invoke(change))["kind"] == "applied"


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_schemas_are_what_the_standard_says_and_outcomes_keep_to_them(tool: Any, box: Toolbox) -> None:
    from jsonschema import Draft202012Validator

    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(schema)
    judge = Draft202012Validator(tool.output_schema)
    for arguments in ({}, {"path": "a.py"}, _example(tool.example)):
        structured = box.call(tool.name, arguments).structured
        judge.validate(structured)
        is_invalid = bool(list(Draft202012Validator(tool.input_schema).iter_errors(arguments)))
        try:
            convert(arguments, ARGUMENTS[tool.name])
        except InvalidArguments:
            assert is_invalid
            assert structured["code"] == "invalid-arguments"
        else:
            assert not is_invalid


def _example(text: str) -> dict[str, Any]:
    return json.loads(text) if text.startswith("{") else {"patch": text}


def test_a_call_is_repeated_when_another_process_wrote_meanwhile(box: Toolbox, project: Path) -> None:
    written: list[str] = []

    def interfere(progress: Progress) -> None:
        if progress.message == "writing" and not written:
            written.append("once")
            (project / "a.py").write_text("# mine\n" + (project / "a.py").read_text())

    outcome = box.call("write_patch", {"patch": PATCH}, on_progress=interfere)
    assert outcome.structured["kind"] == "applied"
    assert outcome.structured["files"][0]["edits"][0]["line"] == 2
    assert (project / "a.py").read_text().startswith("# mine\ndef ff():\n")


def test_a_call_fails_when_another_process_never_stops_writing(box: Toolbox, project: Path) -> None:
    def interfere(progress: Progress) -> None:
        if progress.message == "writing":
            (project / "a.py").write_text("#\n" + (project / "a.py").read_text())

    outcome = box.call("write_patch", {"patch": PATCH}, on_progress=interfere)
    assert outcome.structured["code"] == "stale"
    assert "def ff" not in (project / "a.py").read_text()


def test_records_of_what_is_no_text_or_gone(box: Toolbox, project: Path) -> None:
    box.call("write_file", {"path": "x.txt", "content": "x\n"})
    assert resources.receipt(box.workspace, "1")["diff"].startswith("--- /dev/null\n+++ b/x.txt\n")
    box.call("write_file", {"path": "y.txt", "content": "y\n"})
    box.workspace.collect(older_than=0)
    assert resources.receipt(box.workspace, "1")["diff"] == ""
    log = project / ".inlay/log"
    segment = next(path for path in log.iterdir() if path.name != "head")
    segment.write_bytes(segment.read_bytes().replace(b"x.txt", b"z.txt"))
    assert resources.log(box.workspace)["whole"] is False


def test_the_example_of_the_toolbox_runs() -> None:
    failed, tried = doctest.testmod(toolbox)
    assert (failed, tried > 0) == (0, True)


def test_warming_a_project_that_is_not_there_waits_for_the_call(tmp_path: Path) -> None:
    box = Toolbox(tmp_path / "none")
    box.warm()
    assert box.call("history", {}).structured["code"] == "environment"


def test_calls_wait_while_another_thread_imports_the_engine(project: Path) -> None:
    """Importing a package in one thread and a module of it in another is a deadlock for Python, now and then."""
    box, outcomes = Toolbox(project), list[Outcome]()
    calls = [threading.Thread(target=lambda: outcomes.append(box.call("history", {}))) for _ in range(3)]
    with toolbox.IMPORTING:
        for call in calls:
            call.start()
        calls[0].join(0.3)
        assert outcomes == []
    for call in calls:
        call.join(30)
    assert [outcome.is_error for outcome in outcomes] == [False] * 3


ELEMENTS = '<parameter name="x" />\n<function/>\n<edit/>\n<invoke/>\n<tool_call/>\n<parameter>1</parameter>\n'


@pytest.mark.parametrize("name", ["page.xml", "page.html", "guide.md", "test_page.txt"])
def test_elements_named_like_tool_tags_are_content(box: Toolbox, project: Path, name: str) -> None:
    whole = f"<root>\n{ELEMENTS}</root>\n"
    assert box.call("write_file", {"path": name, "content": whole}).structured["kind"] == "applied"
    added = "".join(f"+{line}\n" for line in ELEMENTS.splitlines())
    patch = f"--- a/{name}\n+++ b/{name}\n@@ -7,2 +7,8 @@\n <parameter>1</parameter>\n{added} </root>\n"
    outcome = box.call("write_patch", {"patch": patch})
    assert outcome.structured["kind"] == "applied", outcome.text
    assert (project / name).read_text() == f"<root>\n{ELEMENTS * 2}</root>\n"


def test_a_person_can_allow_tool_tags_for_all_calls(project: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": "b.txt", "content": "b\n</parameter>\n"}),
        ("replace_text", {"path": "long.txt", "old_string": "line", "new_string": "</invoke>", "replace_all": True}),
        ("write_patch", {"patch": "--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1,2 @@\n+c\n+</tool_call>\n"}),
    ]
    for name, arguments in calls:
        refused = Toolbox(project).call(name, arguments).structured
        assert (refused["code"], "--allow tool-tags" in refused["advice"]) == ("tool-tag", True)
    strict, relaxed = Toolbox(project), Toolbox(project, allow=["tool-tags"])
    assert strict.call(*calls[0]).is_error
    assert relaxed.call(*calls[0]).structured["kind"] == "applied"
    assert relaxed.call(*calls[2]).structured["kind"] == "applied"


def test_a_closing_tag_that_the_patch_only_moves_is_content(box: Toolbox, project: Path) -> None:
    (project / "p.xml").write_text("<parameter>\n  old</parameter>\n")
    patch = "--- a/p.xml\n+++ b/p.xml\n@@ -1,2 +1,2 @@\n <parameter>\n-  old</parameter>\n+  new</parameter>\n"
    assert box.call("write_patch", {"patch": patch}).structured["kind"] == "applied"
