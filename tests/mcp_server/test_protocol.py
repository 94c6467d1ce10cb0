"""The official client in this process: both revisions of the protocol, every kind of request."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from inlay.mcp_server.server import build
from inlay.storage.state.lock import locked
from inlay.tools import TOOLS, Toolbox

MODES = ["legacy", "2026-07-28"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 1\n")
    (tmp_path / "long.txt").write_text("line\n" * 150)
    return tmp_path


def talk(project: Path, mode: str, say: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        async with Client(build(Toolbox(project)), mode=mode, **options) as client:
            return await say(client)

    return anyio.run(run)


@pytest.mark.parametrize("mode", MODES)
def test_tools_are_listed_with_schemas_and_annotations(project: Path, mode: str) -> None:
    async def say(client: Client) -> list[types.Tool]:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in talk(project, mode, say)}
    assert set(tools) == set(TOOLS)
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert tool.annotations is not None
        assert "root" not in tool.input_schema["properties"]
    assert tools["read_file"].annotations.read_only_hint is True
    assert tools["write_patch"].annotations.destructive_hint is True
    assert tools["preview"].annotations.idempotent_hint is True


@pytest.mark.parametrize("mode", MODES)
def test_a_call_writes_and_says_where_and_by_which_rule(project: Path, mode: str) -> None:
    async def say(client: Client) -> types.CallToolResult:
        edit = {"range": {"start": 2, "end": 2}, "oldText": "    return 1", "newText": "    return 2"}
        return await client.call_tool("apply_edits", {"path": "a.py", "edits": [edit]})

    done = talk(project, mode, say)
    assert done.is_error is False
    structured = done.structured_content
    assert structured["kind"] == "applied"
    assert structured["files"][0]["edits"][0]["rule"] == "exact"
    assert structured["files"][0]["edits"][0]["line"] == 2
    assert "-    return 1\n+    return 2" in structured["diff"]
    assert json.loads(done.content[0].text) == structured
    assert (project / "a.py").read_text().startswith("def f():\n    return 2\n")


@pytest.mark.parametrize("mode", MODES)
def test_a_file_that_changed_after_it_was_read_is_merged(project: Path, mode: str) -> None:
    async def say(client: Client) -> types.CallToolResult:
        await client.call_tool("read_file", {"path": "a.py"})
        (project / "a.py").write_text((project / "a.py").read_text().replace("def f():", "def f() -> int:"))
        old = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"
        edit = {"path": "a.py", "old_string": old, "new_string": old.removesuffix("1\n") + "2\n"}
        return await client.call_tool("replace_text", edit)

    structured = talk(project, mode, say).structured_content
    assert structured["kind"] == "applied"
    assert structured["files"][0]["edits"][0]["adapted"] == ["merged with the file as it is now"]
    assert (project / "a.py").read_text() == "def f() -> int:\n    return 1\n\n\ndef g():\n    return 2\n"


@pytest.mark.parametrize("mode", MODES)
def test_a_refusal_is_data_and_never_a_protocol_error(project: Path, mode: str) -> None:
    async def say(client: Client) -> list[types.CallToolResult]:
        return [
            await client.call_tool("replace_text", {"path": "a.py", "old_string": "    return 1", "new_string": "x"}),
            await client.call_tool("apply_edits", {"path": "a.py", "edits": [{"newText": "x"}]}),
            await client.call_tool("write_file", {"path": "../a.py", "content": "x"}),
        ]

    ambiguous, invalid, outside = talk(project, mode, say)
    assert all(done.is_error and done.structured_content["kind"] == "patch_error" for done in (ambiguous, invalid))
    assert ambiguous.structured_content["candidates"] == [2, 6]
    assert invalid.structured_content["code"] == "invalid-arguments"
    assert '"range"' in invalid.structured_content["example"]
    assert outside.structured_content["code"] == "path-outside"


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_tool_is_refused(project: Path, mode: str) -> None:
    async def say(client: Client) -> types.CallToolResult:
        return await client.call_tool("rm", {"path": "/"})

    done = talk(project, mode, say)
    assert done.is_error
    assert done.structured_content["code"] == "unknown-tool"


def answering(action: str, content: dict[str, Any] | None, asked: list[str]) -> dict[str, Any]:
    async def answer(context: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=action, content=content)  # type: ignore[arg-type]

    return {"elicitation_callback": answer}


async def replace_long(client: Client) -> types.CallToolResult:
    return await client.call_tool("write_file", {"path": "long.txt", "content": "short\n"})


@pytest.mark.parametrize("mode", MODES)
def test_a_person_who_agrees_is_asked_once_and_sees_the_difference(project: Path, mode: str) -> None:
    asked: list[str] = []
    done = talk(project, mode, replace_long, **answering("accept", {"approve": True}, asked))
    assert done.structured_content["kind"] == "applied"
    assert (project / "long.txt").read_text() == "short\n"
    assert len(asked) == 1
    assert "About to replace 150 lines with 1 line" in asked[0]
    assert "+short" in asked[0]
    assert list((project / ".inlay/plans").iterdir()) == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("action", "content"), [("decline", None), ("accept", {"approve": False})])
def test_a_person_who_does_not_agree_keeps_the_file(
    project: Path, mode: str, action: str, content: dict[str, Any] | None
) -> None:
    done = talk(project, mode, replace_long, **answering(action, content, []))
    assert done.is_error
    assert done.structured_content["code"] == "declined"
    assert (project / "long.txt").read_text() == "line\n" * 150
    assert list((project / ".inlay/plans").iterdir()) == []


@pytest.mark.parametrize("mode", MODES)
def test_a_question_that_is_closed_leaves_the_plan_waiting(project: Path, mode: str) -> None:
    done = talk(project, mode, replace_long, **answering("cancel", None, []))
    assert done.structured_content["kind"] == "needs_approval"
    assert (project / f".inlay/plans/{done.structured_content['plan']}.json").exists()
    assert (project / "long.txt").read_text() == "line\n" * 150


@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_cannot_ask_gets_a_plan(project: Path, mode: str) -> None:
    done = talk(project, mode, replace_long)
    assert done.is_error
    assert done.structured_content["kind"] == "needs_approval"
    assert f"inlay approve {done.structured_content['plan']}" in done.structured_content["message"]
    assert Toolbox(project).carry_out(done.structured_content["plan"]).structured["kind"] == "applied"
    assert (project / "long.txt").read_text() == "short\n"


def test_an_answer_to_another_question_writes_nothing(project: Path) -> None:
    plan = Toolbox(project).call("write_file", {"path": "long.txt", "content": "short\n"}).plan

    async def say(client: Client) -> Any:
        answer = {"approval": types.ElicitResult(action="accept", content={"approve": True})}
        return [
            await client.session.call_tool("write_patch", {"patch": "x"}, input_responses=answer, request_state=plan),
            await client.session.call_tool("write_file", {}, input_responses=answer, request_state="no such plan"),
        ]

    other, unknown = talk(project, "2026-07-28", say)
    assert other.is_error
    assert unknown.structured_content["code"] == "unknown-plan"
    assert (project / "long.txt").read_text() == "line\n" * 150


@pytest.mark.parametrize("mode", MODES)
def test_progress_is_reported_in_order(project: Path, mode: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def say(client: Client) -> types.CallToolResult:
        change = {"path": "a.py", "old_string": "def f", "new_string": "def ff"}
        return await client.call_tool("replace_text", change, progress_callback=note)

    assert talk(project, mode, say).is_error is False
    assert [step for step, _, _ in seen] == sorted(step for step, _, _ in seen)
    assert seen[-1][2] == "writing"
    assert all(total == 4 for _, total, _ in seen)


def test_roots_of_the_client_change_nothing(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    async def roots(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=elsewhere.as_uri())])  # type: ignore[arg-type]

    async def say(client: Client) -> types.CallToolResult:
        return await client.call_tool("write_file", {"path": "new.txt", "content": "x\n"})

    assert talk(project, "legacy", say, list_roots_callback=roots).is_error is False
    assert (project / "new.txt").exists()
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("mode", MODES)
def test_prompts_teach_the_formats_and_the_patch_rules(project: Path, mode: str) -> None:
    async def say(client: Client) -> dict[str, str]:
        listed = (await client.list_prompts()).prompts
        return {each.name: (await client.get_prompt(each.name)).messages[0].content.text for each in listed}  # type: ignore[union-attr]

    texts = talk(project, mode, say)
    assert "no Markdown fences" in texts["patch_rules"]
    assert "@@ -1,3 +1,3 @@" in texts["patch_rules"]
    assert "FIND:" in texts["format_find_replace"]
    assert len(texts) == 7


@pytest.mark.parametrize("mode", MODES)
def test_receipts_and_the_log_are_resources(project: Path, mode: str) -> None:
    async def say(client: Client) -> list[dict[str, Any]]:
        await client.call_tool("replace_text", {"path": "a.py", "old_string": "def f", "new_string": "def ff"})
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        assert (await client.list_resource_templates()).resource_templates[0].uri_template == "inlay://receipts/{id}"
        read = [await client.read_resource(uri) for uri in (*uris, "inlay://receipts/1")]
        return [json.loads(each.contents[0].text) for each in read]  # type: ignore[union-attr]

    receipts, log, one = talk(project, mode, say)
    assert receipts["receipts"][0]["files"] == [{"path": "a.py", "action": "updated"}]
    assert log["whole"] is True
    assert any(record["event"] == "write" and "replace_text: +1 -1" in record["detail"] for record in log["records"])
    assert "-def f():\n+def ff():" in one["diff"]


@pytest.mark.parametrize("uri", ["inlay://receipts/99", "inlay://nothing", "file:///etc/passwd"])
def test_what_is_no_resource_is_a_protocol_error(project: Path, uri: str) -> None:
    async def say(client: Client) -> None:
        await client.read_resource(uri)

    with pytest.raises((MCPError, BaseExceptionGroup)):
        talk(project, "legacy", say)


def test_an_unknown_prompt_is_a_protocol_error(project: Path) -> None:
    async def say(client: Client) -> None:
        await client.get_prompt("nonsense")

    with pytest.raises((MCPError, BaseExceptionGroup)):
        talk(project, "legacy", say)


@pytest.mark.parametrize("mode", MODES)
def test_many_calls_at_once_lose_nothing(project: Path, mode: str) -> None:
    (project / "list.txt").write_text("".join(f"item {n}\n" for n in range(20)))

    async def say(client: Client) -> list[types.CallToolResult]:
        results: list[types.CallToolResult] = []

        async def change(number: int) -> None:
            edit = {"path": "list.txt", "old_string": f"item {number}\n", "new_string": f"thing {number}\n"}
            results.append(await client.call_tool("replace_text", edit))

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(change, number)
        return results

    assert [done.is_error for done in talk(project, mode, say)] == [False] * 20
    assert (project / "list.txt").read_text() == "".join(f"thing {n}\n" for n in range(20))


@pytest.mark.slow
def test_a_cancelled_call_leaves_all_old_or_all_new(project: Path) -> None:
    (project / "b.py").write_text("y = 1\n")
    patch = (
        "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-def f():\n+def ff():\n"
        "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-y = 1\n+y = 2\n"
    )
    before = [(project / name).read_text() for name in ("a.py", "b.py")]
    after = [before[0].replace("f():", "ff():", 1), "y = 2\n"]

    def restore(*allowed: list[str]) -> None:
        """Under the lock: a cancelled call that is already writing goes on, and takes longer on a busy machine."""
        with locked(project / ".inlay/lock", wait=None):
            assert [(project / name).read_text() for name in ("a.py", "b.py")] in allowed
            assert list((project / ".inlay/pending").iterdir()) == []
            (project / "a.py").write_text(before[0])
            (project / "b.py").write_text(before[1])

    async def say(client: Client) -> None:
        await client.call_tool("write_patch", {"patch": patch})
        restore(after)
        for step in range(40):
            with anyio.move_on_after(0.0005 * step):
                await client.call_tool("write_patch", {"patch": patch})
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0.05)
                await anyio.to_thread.run_sync(restore, before, after)

    talk(project, "legacy", say)
    restore(before, after)
