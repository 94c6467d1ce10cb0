"""Which files are asked for whole and which by edits, and how they share requests."""

import asyncio
import time
from pathlib import Path

import pytest

from inlay import GenerateOptions, Landing, ModelInfo, Settings, Task, Workspace, generate_many, propose
from inlay.generation import context
from inlay.model.file import File
from loopback import Reply, Seen

from .conftest import MakeBench, change, functions, recorded, whole

OPTIONS = GenerateOptions()
INFO = ModelInfo("x:y", 100_000, 8_000)


@pytest.mark.parametrize(
    ("content", "mode"),
    [
        ("x\n" * 500, "whole"),
        ("x\n" * 501, "edits"),
        ("x" * 14_999 + "\n", "whole"),
        ("x" * 15_000 + "\n", "edits"),
        ("é" * 7_501, "edits"),
        ("", "whole"),
    ],
)
def test_size_decides_by_lines_or_by_bytes(content: str, mode: str) -> None:
    assert context.mode_for(File.of("a.py", content), OPTIONS, INFO) == mode


def test_a_new_file_is_written_whole_whatever_is_asked_for() -> None:
    assert context.mode_for(None, GenerateOptions(mode="edits", edit_lines=0), INFO) == "whole"


def test_a_file_that_the_model_cannot_write_is_not_asked_for_whole() -> None:
    assert context.mode_for(File.of("a.py", "x = 1\n" * 200), OPTIONS, ModelInfo("x:y", 4_000, 299)) == "edits"
    assert context.mode_for(File.of("a.py", "x = 1\n" * 200), OPTIONS, ModelInfo("x:y", 4_000, 300)) == "whole"


def test_a_person_may_decide_otherwise() -> None:
    large = File.of("a.py", "x\n" * 900)
    assert context.mode_for(large, GenerateOptions(mode="whole"), INFO) == "whole"
    assert context.mode_for(large, GenerateOptions(format="whole"), INFO) == "whole"
    assert context.mode_for(File.of("a.py", "x\n"), GenerateOptions(mode="edits"), INFO) == "edits"
    assert context.mode_for(File.of("a.py", "x\n" * 9), GenerateOptions(edit_lines=8), INFO) == "edits"


@pytest.mark.parametrize(
    ("preferred", "good_at_json", "asked", "format"),
    [
        ("search_replace", False, None, "search_replace"),
        ("json_edits", True, None, "json_edits"),
        ("json_edits", False, None, "find_replace"),
        ("whole_file", False, None, "find_replace"),
        ("search_replace", False, "udiff", "unified_diff"),
        ("find_replace", False, "json_edits", "json_edits"),
    ],
)
def test_the_format_is_the_persons_or_the_models(
    preferred: str, good_at_json: bool, asked: str | None, format: str
) -> None:
    info = ModelInfo("x:y", 1000, 1000, format=preferred, good_at_json=good_at_json)
    assert context.edit_format(info, GenerateOptions(format=asked)) == format


def test_a_large_file_is_asked_for_by_edits_and_never_repeated(bench: MakeBench) -> None:
    with bench(change(1, "f7", "7", "70")) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert (proposal.mode, proposal.format, len(proposal.attempts)) == ("edits", "find_replace", 1)
    assert b.after(proposal, "big.py") == functions(300).replace("return 7\n", "return 70\n")
    asked = b.server.seen[0]
    assert "never with the whole file" in asked.system
    assert "big.py: answer with edits." in asked.last
    assert proposal.whole_tokens > 10 * proposal.usage.output


def test_a_small_file_is_asked_for_whole(bench: MakeBench) -> None:
    with bench(whole("small.py", "x = 2\n")) as b:
        (b.root / "small.py").write_text("x = 1\n")
        proposal = b.propose("small.py")
    assert (proposal.mode, proposal.format) == ("whole", "whole_file")
    assert "complete new content" in b.server.seen[0].system
    assert "FIND" not in b.server.seen[0].system


def test_files_of_all_kinds_share_one_request(bench: MakeBench) -> None:
    reply = "## big.py\n\n" + change(1, "f7", "7", "70") + whole("new.py", "y = 1\n") + whole("small.py", "x = 2\n")
    with bench(reply) as b:
        (b.root / "big.py").write_text(functions(300))
        (b.root / "small.py").write_text("x = 1\n")
        proposal = b.propose("big.py", "small.py", "new.py")
    assert len(b.server.seen) == 1
    assert "return 70\n" in b.after(proposal, "big.py")
    assert (b.after(proposal, "small.py"), b.after(proposal, "new.py")) == ("x = 2\n", "y = 1\n")
    asked = b.server.seen[0]
    assert "small.py: answer with the whole file." in asked.last
    assert "new.py does not exist yet" in asked.last
    assert "## Edits" in asked.system


@pytest.mark.parametrize("format", ["search_replace", "apply_patch", "unified_diff", "json_edits"])
def test_a_new_file_may_come_beside_edits_in_every_format(bench: MakeBench, format: str) -> None:
    edits = {
        "search_replace": "big.py\n<<<<<<< SEARCH\n    return 7\n=======\n    return 70\n>>>>>>> REPLACE\n",
        "apply_patch": "*** Begin Patch\n*** Update File: big.py\n@@\n def f7():\n-    return 7\n+    return 70\n"
        "*** End Patch\n",
        "unified_diff": "--- a/big.py\n+++ b/big.py\n@@ -29,2 +29,2 @@\n def f7():\n-    return 7\n+    return 70\n",
        "json_edits": '{"path": "big.py", "edits": [{"oldText": "    return 7\\n", "newText": "    return 70\\n"}]}\n',
    }[format]
    with bench(f"{edits}\n{whole('new.py', 'y = 1' + chr(10))}") as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py", "new.py", options=GenerateOptions(format=format))
    assert "return 70\n" in b.after(proposal, "big.py")
    assert b.after(proposal, "new.py") == "y = 1\n"


def test_files_that_do_not_fit_one_answer_are_asked_for_in_several_and_land_together(bench: MakeBench) -> None:
    def answer(seen: Seen) -> str:
        name = seen.last.split(": answer with")[0].rsplit("\n", 1)[-1]
        return whole(name, functions(100).replace("return 7\n", "return 70\n"))

    info = {"anthropic:claude-test": {"context": 8_000, "max_output": 2_000}}
    with bench(answer, models=info) as b:
        names = [f"m{n}.py" for n in range(4)]
        for name in names:
            (b.root / name).write_text(functions(100))
        proposal = b.propose(*names)
    assert len(b.server.seen) == 4
    assert len(proposal.changes.changes) == 4
    assert any("leave them alone: m1.py, m2.py, m3.py" in seen.last for seen in b.server.seen)


@pytest.mark.slow
def test_fifty_files_at_once_with_a_bounded_number_of_requests_in_flight(bench: MakeBench) -> None:
    def answer(seen: Seen) -> Reply:
        name = seen.last.split(": answer with")[0].rsplit("\n", 1)[-1]
        return Reply(whole(name, "x = 2\n"), delay=0.3)

    with bench(answer) as b:
        for n in range(50):
            (b.root / f"m{n}.py").write_text("x = 1\n")
        tasks = [Task((f"m{n}.py",), "set x to 2") for n in range(50)]
        asyncio.run(generate_many(tasks[:1], Workspace(b.root), b.model))  # the client library is loaded by now
        started = time.monotonic()
        options = GenerateOptions(concurrency=10)
        landed = asyncio.run(generate_many(tasks, Workspace(b.root), b.model, options))
        seconds = time.monotonic() - started
    assert all(isinstance(each, Landing) for each in landed)
    assert [path.read_text() for path in b.root.glob("m*.py")] == ["x = 2\n"] * 50
    assert 5 <= b.server.most_at_once <= 10
    assert seconds < 12  # one after the other, they would wait 15 seconds for the server alone


def test_options_come_from_the_settings() -> None:
    settings = Settings.of(max_attempts=2, max_cost=0.5, edit_lines=0, format="udiff", check="true", concurrency=7)
    options = GenerateOptions.of(settings)
    assert (options.limits.attempts, options.limits.cost, options.edit_lines) == (2, 0.5, 0)
    assert (options.format, options.check, options.concurrency) == ("udiff", "true", 7)
    assert GenerateOptions.of(Settings.of()) == GenerateOptions()


def test_the_loop_itself_takes_hardly_any_time(tmp_path: Path) -> None:
    """Less than a twentieth of what a fast model takes to answer, which is two seconds."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "big.py").write_text(functions(201))
    workspace = Workspace(root)

    def once() -> float:
        model = recorded(root, change(1, "f7", "7", "70"))
        return asyncio.run(propose(Task(("big.py",), "go"), workspace, model)).seconds

    taken = min(once() for _ in range(7))
    assert taken < 0.05 * 2.0
