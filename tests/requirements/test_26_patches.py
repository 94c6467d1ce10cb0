"""Hardened patches and structured edits, through the tools and the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from inlay.tools import TOOLS, Toolbox

from .conftest import Run, Serve, contents

pytestmark = pytest.mark.slow

FENCE = "`" * 3
BEFORE = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"
AFTER = BEFORE.replace("def f():\n    return 1", "def f():\n    return 2")
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n"
TEN = "".join(f"l{number}\n" for number in range(1, 11))


@pytest.fixture
def box(project: Path) -> Toolbox:
    (project / "a.py").write_text(BEFORE)
    (project / "ten.txt").write_text(TEN)
    return Toolbox(project)


def call(box: Toolbox, tool: str, **arguments: Any) -> dict[str, Any]:
    reply: dict[str, Any] = box.call(tool, arguments).structured
    return reply


# --- contaminated patches ------------------------------------------------------------------------------------------

CONTAMINATED = {
    "fence": f"{FENCE}diff\n{PATCH}{FENCE}\n",
    "bare-fence": f"{FENCE}\n{PATCH}{FENCE}\n",
    "fence-below": f"{PATCH}{FENCE}\n",
    "tool-call": f"<tool_call>\n{PATCH}</tool_call>\n",
    "tool-call-below": f"{PATCH}</tool_call>\n",
    "code-tag": f"<code>\n{PATCH}</code>\n",
    "glued-tag": PATCH.replace("+    return 2\n", "+    return 2</tool_call>\n"),
    "prose-above": f"Here is the patch:\n\n{PATCH}",
    "prose-below": f"{PATCH}\nHope this helps!\n",
    "prose-between": f"{PATCH}\nAnd the other one:\n\n{PATCH.replace('a.py', 'b.py')}",
    "patch-in-a-fence": f"{FENCE}\n*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n{FENCE}\n",
}


@pytest.mark.parametrize("kind", CONTAMINATED)
def test_a_contaminated_patch_is_refused_and_the_refusal_shows_how_to_write_it(
    box: Toolbox, project: Path, kind: str
) -> None:
    before = contents(project)
    reply = call(box, "write_patch", patch=CONTAMINATED[kind])
    assert (reply["kind"], reply["code"]) == ("patch_error", "contaminated")
    assert "unified diff" in reply["advice"]
    assert contents(project) == before
    assert lands(box, project, reply["example"])
    assert call(box, "write_patch", patch=PATCH)["kind"] == "applied"
    assert (project / "a.py").read_text() == AFTER


def lands(box: Toolbox, project: Path, patch: str) -> bool:
    """Whether an example is a patch that lands on the file that it is about."""
    name = patch.splitlines()[0].removeprefix("--- a/")
    old = [line[1:] for line in patch.splitlines()[3:] if not line.startswith("+")]
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_text("\n".join(old) + "\n")
    return call(box, "write_patch", patch=patch)["kind"] == "applied"


@pytest.mark.parametrize("kind", ["fence", "prose-above", "prose-below", "prose-between"])
def test_the_command_line_refuses_what_surrounds_a_patch_where_it_is_strict(
    box: Toolbox, run: Run, project: Path, kind: str
) -> None:
    (project / "b.py").write_text(BEFORE)
    before = contents(project)
    done = run("apply", "--strict", "--json", stdin=CONTAMINATED[kind])
    assert (done.code, done.data["kind"]) == (3, "patch_error")
    assert done.data["misfits"][0]["advice"]
    assert contents(project) == before
    assert run("apply", "--strict", stdin=PATCH).code == 0


@pytest.mark.parametrize("tag", ["</tool_call>", "<tool_call>", "</invoke>", "</function_calls>"])
def test_tool_markup_is_never_written_into_code(box: Toolbox, run: Run, project: Path, tag: str) -> None:
    contaminated = PATCH.replace("+    return 2\n", f"+    return 2\n+{tag}\n").replace("+1,2", "+1,3")
    done = run("apply", "--json", stdin=contaminated)
    assert (done.code, done.data["misfits"][0]["code"]) == (3, "tool-tag")
    assert (project / "a.py").read_text() == BEFORE


@pytest.mark.parametrize("face", ["tool", "command"])
@pytest.mark.parametrize("name", ["guide.md", "page.html"])
def test_a_document_may_hold_fences_and_tags(box: Toolbox, run: Run, project: Path, name: str, face: str) -> None:
    (project / name).write_text(f"# Guide\n\n{FENCE}sh\nmake\n{FENCE}\n\nWrite <tool_call> around it.\n")
    patch = (
        f"--- a/{name}\n+++ b/{name}\n@@ -3,5 +3,8 @@\n {FENCE}sh\n make\n+make test\n {FENCE}\n \n"
        f" Write <tool_call> around it.\n+End with </tool_call>, in <code>.\n+{FENCE}\n"
    )
    if face == "tool":
        assert call(box, "write_patch", patch=patch)["kind"] == "applied"
    else:
        assert run("apply", "--strict", stdin=patch).code == 0
    after = (project / name).read_text()
    assert after.endswith(
        f"make test\n{FENCE}\n\nWrite <tool_call> around it.\nEnd with </tool_call>, in <code>.\n{FENCE}\n"
    )


@pytest.mark.parametrize(
    "text", ["- item one\n- item two\n", "+ a plus\n- a minus\n", "change f to return 2\n", "def f():\n    return 2\n"]
)
def test_text_without_the_structure_of_a_diff_is_refused(box: Toolbox, run: Run, project: Path, text: str) -> None:
    reply = call(box, "write_patch", patch=text)
    assert (reply["kind"], reply["code"]) == ("patch_error", "not-a-diff")
    assert "@@" in reply["advice"]
    done = run("apply", "--format", "udiff", "--json", stdin=text)
    assert (done.code, done.data["error"]) == (3, "NoEditsFound")
    assert (project / "a.py").read_text() == BEFORE


# --- the second line of defence ------------------------------------------------------------------------------------

OTHER = PATCH.replace("a.py", "b.py")
HALF = {
    "another-file-does-not-fit": PATCH + OTHER.replace("    return 1", "    return 7"),
    "another-file-is-missing": PATCH + OTHER.replace("b.py", "nowhere.py"),
    "another-hunk-does-not-fit": PATCH + "@@ -5,2 +5,2 @@\n def g():\n-    return 7\n+    return 2\n",
    "the-line-fits-by-its-number-only": PATCH.replace("    return 1", "    return 7"),
    "the-context-fits-by-its-number-only": PATCH.replace(" def f():", " def h():"),
    "it-fits-in-two-places": "--- a/a.py\n+++ b/a.py\n@@ -9,1 +9,1 @@\n-    return 1\n+    return 2\n",
    "the-result-does-not-parse": PATCH.replace("+    return 2", "+    return (2"),
    "a-name-leads-out": PATCH + OTHER.replace("b.py", "../b.py"),
}


@pytest.mark.parametrize("face", ["tool", "command"])
@pytest.mark.parametrize("kind", HALF)
def test_a_patch_is_applied_whole_or_not_at_all(box: Toolbox, run: Run, project: Path, kind: str, face: str) -> None:
    (project / "b.py").write_text(BEFORE)
    before = contents(project)
    if face == "tool":
        assert call(box, "write_patch", patch=HALF[kind])["kind"] == "patch_error"
    else:
        assert run("apply", stdin=HALF[kind]).code == 3
    assert contents(project) == before
    assert call(box, "write_patch", patch=PATCH + OTHER)["kind"] == "applied"
    assert (project / "a.py").read_text() == (project / "b.py").read_text() == AFTER


# --- how models are taught -----------------------------------------------------------------------------------------


def test_the_tool_and_the_prompt_for_diffs_have_rules_and_an_example_that_lands(
    box: Toolbox, run: Run, project: Path
) -> None:
    tool = TOOLS["write_patch"].description
    prompt = run("formats", "unified_diff").out
    for words in (tool, prompt):
        assert "rules:" in words.lower()
        assert len([line for line in words.splitlines() if line.startswith("- ")]) >= 4
    for forbidden in ("fence", "tag", "sentence"):
        assert forbidden in tool.lower()
    for words in (tool, prompt):
        example = words[words.index("--- a/") :].split("\n\n")[0]
        assert lands(box, project, f"{example.strip()}\n")


def test_the_request_for_diffs_carries_the_rules(run: Run, serve: Serve, project: Path) -> None:
    with serve("no edits") as server:
        run("edit", "small.py", "-m", "x", "--mode", "edits", "--format", "unified_diff", "--max-attempts", "1")
    assert run("formats", "unified_diff").out.strip() in server.seen[0].system


# --- structured edits ----------------------------------------------------------------------------------------------


def edit(start: int, end: int, new: str, old: str | None = None) -> dict[str, Any]:
    given: dict[str, Any] = {"range": {"start": start, "end": end}, "newText": new}
    return given if old is None else {**given, "oldText": old}


def change_ten(
    box: Toolbox, run: Run, project: Path, face: str, edits: list[dict[str, Any]]
) -> tuple[bool, list[str], dict[str, Any]]:
    """Whether edits of ten lines were applied, what became of the lines, and the reply."""
    if face == "tool":
        reply = call(box, "apply_edits", path="ten.txt", edits=edits)
    else:
        reply = run("apply", "--json", stdin=json.dumps({"path": "ten.txt", "edits": edits})).data
    lines = (project / "ten.txt").read_text().splitlines()
    return "applied" in (reply.get("kind"), reply.get("status")), lines, reply


@pytest.mark.parametrize("face", ["tool", "command"])
@pytest.mark.parametrize(
    ("edits", "after"),
    [
        ([edit(2, 3, "two\nthree")], "l1 two three l4 l5 l6 l7 l8 l9 l10"),
        ([edit(5, 4, "new")], "l1 l2 l3 l4 new l5 l6 l7 l8 l9 l10"),
        ([edit(1, 0, "new")], "new l1 l2 l3 l4 l5 l6 l7 l8 l9 l10"),
        ([edit(11, 10, "new")], "l1 l2 l3 l4 l5 l6 l7 l8 l9 l10 new"),
        ([edit(3, 9, "")], "l1 l2 l10"),
        # Every range is one of the file as it is, whatever the others insert or delete above it.
        ([edit(1, 2, "a\nb\nc\nd"), edit(5, 6, ""), edit(9, 9, "nine")], "a b c d l3 l4 l7 l8 nine l10"),
        ([edit(9, 9, "nine"), edit(5, 6, ""), edit(1, 2, "a")], "a l3 l4 l7 l8 nine l10"),
        # Old text that is found once decides, and the range is a hint.
        ([edit(2, 2, "seven", "l7")], "l1 l2 l3 l4 l5 l6 seven l8 l9 l10"),
    ],
    ids=["replace", "insert", "at-the-top", "at-the-end", "delete", "several", "upwards", "old-text"],
)
def test_edits_replace_insert_and_delete_by_lines_of_the_original(
    box: Toolbox, run: Run, project: Path, edits: list[dict[str, Any]], after: str, face: str
) -> None:
    applied, lines, reply = change_ten(box, run, project, face, edits)
    assert applied, reply
    assert lines == after.split()


@pytest.mark.parametrize("face", ["tool", "command"])
@pytest.mark.parametrize(
    "edits",
    [
        [edit(2, 30, "x")],
        [edit(11, 11, "x")],
        [edit(12, 11, "x")],
        [edit(0, 1, "x")],
        [edit(5, 3, "x")],
        [edit(2, 4, "x"), edit(4, 5, "y")],
        [edit(2, 2, "x"), edit(2, 2, "y")],
        [edit(2, 2, "x", "no such line")],
        [edit(1, 1, "x"), edit(2, 30, "y")],
    ],
    ids=["beyond", "behind", "far-behind", "before", "misordered", "overlap", "same", "other-old-text", "one-of-two"],
)
def test_edits_that_cannot_be_meant_are_refused_and_none_is_applied(
    box: Toolbox, run: Run, project: Path, edits: list[dict[str, Any]], face: str
) -> None:
    applied, lines, reply = change_ten(box, run, project, face, edits)
    assert (applied, reply["kind"]) == (False, "patch_error")
    assert lines == TEN.split()


@pytest.mark.parametrize("face", ["tool", "command"])
def test_old_text_in_several_places_needs_the_exact_range(box: Toolbox, run: Run, project: Path, face: str) -> None:
    (project / "ten.txt").write_text("same\nother\nsame\n")
    inexact = [(1, 2)] if face == "tool" else []
    for start, end in ((2, 2), (4, 4), *inexact):
        applied, lines, reply = change_ten(box, run, project, face, [edit(start, end, "x", "same")])
        assert (applied, reply["kind"]) == (False, "patch_error")
        assert lines == ["same", "other", "same"]
    assert change_ten(box, run, project, face, [edit(3, 3, "x", "same")])[:2] == (True, ["same", "other", "x"])


def test_the_difference_is_computed_shown_and_logged(box: Toolbox, run: Run, project: Path) -> None:
    reply = call(box, "apply_edits", path="ten.txt", edits=[edit(2, 3, "two"), edit(9, 8, "new")])
    assert reply["diff"].startswith("--- a/ten.txt\n+++ b/ten.txt\n@@ ")
    assert [line for line in reply["diff"].splitlines()[3:] if line[0] in "+-"] == ["-l2", "-l3", "+two", "+new"]
    records = [json.loads(line) for line in run("log", "--json").out.splitlines()]
    (write,) = [record for record in records if record.get("state") == "intent"]
    assert (write["path"], "apply_edits: +2 -2" in write["detail"]) == ("ten.txt", True)
    assert "diff " in write["detail"]


@pytest.mark.parametrize(("good", "format"), [("true", "json_edits"), ("false", "find_replace")])
def test_json_is_asked_of_models_that_are_good_at_it(
    run: Run, serve: Serve, project: Path, good: str, format: str
) -> None:
    with serve("no edits") as server:
        settings = project.parent / "config/inlay/config.toml"
        settings.write_text(settings.read_text() + f'format = "json_edits"\ngood_at_json = {good}\n')
        run("edit", "small.py", "-m", "x", "--mode", "edits", "--max-attempts", "1")
    assert run("formats", format).out.strip() in server.seen[0].system


# --- failures as data ----------------------------------------------------------------------------------------------

FAILURES: dict[str, tuple[str, dict[str, Any]]] = {
    "write_patch": ("write_patch", {"patch": HALF["the-line-fits-by-its-number-only"]}),
    "a-contaminated-patch": ("write_patch", {"patch": CONTAMINATED["fence"]}),
    "no-patch": ("write_patch", {"patch": "- item\n"}),
    "apply_edits": ("apply_edits", {"path": "ten.txt", "edits": [edit(2, 30, "x")]}),
    "replace_text": ("replace_text", {"path": "a.py", "old_string": "    return 1", "new_string": "    return 2"}),
    "write_file": ("write_file", {"path": "a.py", "content": "def f(:\n"}),
    "apply_reply": ("apply_reply", {"reply": "There is nothing to do.\n"}),
    "wrong-arguments": ("apply_edits", {"path": "ten.txt", "edits": "nonsense"}),
    "a-name-that-leads-out": ("write_file", {"path": "../x.py", "content": "x = 1\n"}),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_is_data_with_a_message_and_an_example(box: Toolbox, project: Path, kind: str) -> None:
    before = contents(project)
    tool, arguments = FAILURES[kind]
    outcome = box.call(tool, arguments)
    reply = json.loads(outcome.text)
    assert outcome.is_error
    assert reply == outcome.structured
    assert reply["kind"] == "patch_error"
    assert all(isinstance(reply[key], str) and reply[key] for key in ("code", "message", "advice", "example"))
    assert contents(project) == before


def test_a_model_can_correct_itself_from_a_failure(box: Toolbox, run: Run, project: Path) -> None:
    reply = call(box, "replace_text", path="a.py", old_string="    return 1", new_string="    return 2")
    assert reply["candidates"] == [2, 6]
    wanted = {"old_string": "def f():\n    return 1", "new_string": "def f():\n    return 2"}
    assert call(box, "replace_text", path="a.py", **wanted)["kind"] == "applied"
    assert (project / "a.py").read_text() == AFTER
    reply = call(box, "write_patch", patch=PATCH.replace("f():", "h():").replace("    return 1", "    return 7"))
    nearest = reply["nearest"]
    assert nearest["found"][nearest["wanted"].index("    return 7")] in BEFORE + AFTER
    done = run("apply", "--json", stdin=PATCH.replace("    return 1", "    return 7").replace("return 2", "return 3"))
    assert (done.data["kind"], done.code) == ("patch_error", 3)
    assert done.data["message"]
    assert done.data["feedback"]


# --- a wide variety ------------------------------------------------------------------------------------------------

CLEAN = {
    "git": "diff --git a/a.py b/a.py\nindex 1..2 100644\n" + PATCH,
    "no-prefixes": PATCH.replace("a/", "").replace("b/", ""),
    "timestamps": PATCH.replace("a/a.py\n", "a.py\t2026-01-01 00:00:00\n").replace("b/a.py\n", "a.py\t2026-01-02\n"),
    "heading": PATCH.replace("@@\n", "@@ def f():\n"),
    "wrong-numbers": PATCH.replace("-1,2 +1,2", "-70,2 +71,2"),
    "no-numbers": PATCH.replace("@@ -1,2 +1,2 @@", "@@"),
    "signed": f"From {'0' * 40} Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n\n{PATCH}-- \n2.40.0\n",
    "sentinels": "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    return 1\n+    return 2\n*** End Patch\n",
    "crlf": PATCH.replace("\n", "\r\n"),
    "no-final-newline": PATCH.removesuffix("\n"),
    "blank-lines-around": f"\n\n{PATCH}\n\n",
}


@pytest.mark.parametrize("kind", CLEAN)
def test_a_well_formed_patch_of_any_kind_is_accepted(box: Toolbox, project: Path, kind: str) -> None:
    reply = call(box, "write_patch", patch=CLEAN[kind])
    assert reply["kind"] == "applied", reply
    assert (project / "a.py").read_text() == AFTER


def test_a_patch_may_make_move_and_delete_files(box: Toolbox, project: Path) -> None:
    patch = (
        "--- /dev/null\n+++ b/made.py\n@@ -0,0 +1 @@\n+x = 1\n"
        "diff --git a/a.py b/moved.py\nsimilarity index 90%\nrename from a.py\nrename to moved.py\n"
        f"{PATCH.replace('+++ b/a.py', '+++ b/moved.py')}"
    )
    assert call(box, "write_patch", patch=patch)["kind"] == "applied"
    assert (project / "made.py").read_text() == "x = 1\n"
    assert (project / "moved.py").read_text() == AFTER
    assert not (project / "a.py").exists()
