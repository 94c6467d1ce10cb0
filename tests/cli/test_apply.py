"""`inlay apply` as a person and as a program meets it."""

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

GOOD = "notes.txt\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>> REPLACE\n"
AMBIGUOUS = "src/app.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n"
MISSING = "notes.txt\n<<<<<<< SEARCH\none\ntwo and a half\n=======\nx\n>>>>>>> REPLACE\n"


def test_an_edit_lands_and_is_shown_with_its_place_and_rule(run: Run, project: Path) -> None:
    done = run("apply", stdin=GOOD)
    assert done.code == 0
    assert (project / "notes.txt").read_text() == "one\nzwei\n"
    assert "-two\n+zwei\n" in done.out
    assert "edit 1 at line 2 by rule 'exact'" in done.out
    assert done.out.endswith("Done: 1 file changed. This is change 1.\n")
    assert "\x1b" not in done.out


def test_colour_where_it_is_wanted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31m-two" in run("apply", "--dry-run", stdin=GOOD).out
    assert "\x1b[31m" in run("apply", stdin=AMBIGUOUS).err
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("apply", stdin=GOOD).out


def test_the_reply_may_be_a_file_and_the_root_elsewhere(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "reply.md").write_text(GOOD)
    (tmp_path / "elsewhere").mkdir()
    os.chdir(tmp_path / "elsewhere")
    assert run("apply", "-C", str(project), "../reply.md").code == 0
    assert (project / "notes.txt").read_text() == "one\nzwei\n"


def test_a_dry_run_says_so(run: Run, project: Path) -> None:
    done = run("apply", "--dry-run", stdin=GOOD)
    assert (done.code, (project / "notes.txt").read_text()) == (0, "one\ntwo\n")
    assert "Dry run: 1 file would change, nothing was written." in done.out


def test_quiet_is_quiet(run: Run) -> None:
    done = run("apply", "-q", stdin=GOOD)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_nothing_to_do_is_done(run: Run) -> None:
    reply = "notes.txt\n<<<<<<< SEARCH\none\ntwo\n=======\none\nzwei\n>>>>>>> REPLACE\n"
    run("apply", stdin=reply)
    done = run("apply", stdin=reply)
    assert done.code == 0
    assert "already in place" in done.out
    assert json.loads(run("apply", "--json", stdin=reply).out)["status"] == "unchanged"


def test_new_text_that_is_there_already_is_no_success_without_proof(run: Run) -> None:
    run("apply", stdin=GOOD)
    again = run("apply", stdin=GOOD)
    assert again.code == 3
    assert "line 2 has the new text, but nothing shows that it was meant" in again.err


def test_a_refusal_goes_to_the_error_stream_with_every_reason(run: Run) -> None:
    done = run("apply", stdin=AMBIGUOUS + MISSING)
    assert (done.code, done.out) == (3, "")
    assert "Refused: nothing was changed." in done.err
    assert "edit 1 of src/app.py" in done.err
    assert "candidates: line 2, 6" in done.err
    assert "edit 2 of notes.txt" in done.err
    assert "    - two and a half\n    + two\n" in done.err


def test_long_blocks_are_cut_for_a_person(run: Run) -> None:
    wanted = "\n".join(f"line {n}" for n in range(50))
    done = run("apply", stdin=f"notes.txt\n<<<<<<< SEARCH\n{wanted}\n=======\nx\n>>>>>>> REPLACE\n")
    assert "… 30 more lines" in done.err


def test_json_for_a_program(run: Run) -> None:
    told = json.loads(run("apply", "--json", stdin=GOOD).out)
    assert (told["status"], told["format"]) == ("applied", "search_replace")
    (file,) = told["files"]
    assert (file["path"], file["action"], file["move_to"]) == ("notes.txt", "updated", None)
    assert len(file["before"]) == len(file["after"]) == 64
    (edit,) = file["edits"]
    assert (edit["edit"], edit["rule"], edit["line"]) == (1, "exact", 2)
    assert told["findings"] == []


def test_json_of_a_refusal(run: Run) -> None:
    done = run("apply", "--json", stdin=AMBIGUOUS + MISSING)
    told = json.loads(done.out)
    assert (done.code, done.err) == (3, "")
    assert (told["status"], told["kind"], told["error"]) == ("refused", "patch_error", "EditsRefused")
    ambiguous, missing = told["misfits"]
    assert (ambiguous["code"], ambiguous["candidates"]) == ("ambiguous", [2, 6])
    assert missing["nearest"]["found"] == ["one", "two"]
    assert told["feedback"].startswith("Nothing was changed.")


def test_feedback_for_the_model(run: Run) -> None:
    done = run("apply", "--feedback", stdin=MISSING)
    assert done.code == 3
    assert done.out.startswith("Nothing was changed.")
    assert "What to do:" in done.out
    assert done.err == ""


def test_created_deleted_and_moved_files_are_told(run: Run, project: Path) -> None:
    reply = (
        "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Delete File: notes.txt\n*** Update File: src/app.py\n"
        "*** Move to: src/main.py\n@@ def f():\n-    return 1\n+    return 2\n*** End Patch\n"
    )
    told = json.loads(run("apply", "--json", "--dry-run", "--force", stdin=reply).out)
    assert [(file["action"], file["move_to"]) for file in told["files"]] == [
        ("created", None),
        ("deleted", None),
        ("moved", "src/main.py"),
    ]
    done = run("apply", "--force", stdin=reply)
    assert done.code == 0
    assert "--- /dev/null\n+++ b/new.txt\n" in done.out
    assert "--- a/notes.txt\n+++ /dev/null\n" in done.out
    assert "src/app.py → src/main.py moved" in done.out
    assert (project / "src/main.py").exists()


def test_warnings_are_told(run: Run, project: Path) -> None:
    told = run("apply", stdin="notes.txt\n<<<<<<< SEARCH\none\n=======\none\n>>>>>>> REPLACE\n" + GOOD)
    assert told.code == 0
    assert told.err.startswith("! ")


def test_a_long_difference_is_cut(run: Run, project: Path) -> None:
    reply = "*** Begin Patch\n*** Add File: new.txt\n" + "+one more line\n" * 10_000 + "*** End Patch\n"
    done = run("apply", stdin=reply).out
    assert len(done) < 40_000
    shown = done.count("\n+one more line")
    assert f"… cut: {10_000 - shown} added lines not shown" in done


def test_checks_can_be_switched_off(run: Run) -> None:
    reply = "src/app.py\n<<<<<<< SEARCH\ndef g():\n=======\ndef g(:\n>>>>>>> REPLACE\n"
    assert run("apply", stdin=reply).code == 3
    assert run("apply", "--no-check", stdin=reply).code == 0


def test_a_file_for_replies_that_name_none(run: Run, project: Path) -> None:
    nameless = GOOD.partition("\n")[2]
    assert run("apply", stdin=nameless).code == 3
    assert run("apply", "-n", "--file", "notes.txt", stdin=nameless).code == 0
    assert run("apply", "-n", "--file", str(project / "notes.txt"), stdin=nameless).code == 0
    assert run("apply", "-n", "--file", "/etc/passwd", stdin=nameless).code == 3


def test_a_stale_file_needs_a_person(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inlay import Workspace

    real = Workspace.commit

    def late(self: Workspace, *arguments: Any, **options: Any) -> object:
        (project / "notes.txt").write_text("somebody's work\n")
        return real(self, *arguments, **options)

    monkeypatch.setattr(Workspace, "commit", late)
    (project / "notes.txt").write_text("one\ntwo\n")
    done = run("apply", "--json", stdin=GOOD)
    assert done.code == 4
    assert json.loads(done.out)["status"] == "needs-decision"
    (project / "notes.txt").write_text("one\ntwo\n")
    assert "Action required: notes.txt changed" in run("apply", stdin=GOOD).err
    assert (project / "notes.txt").read_text() == "somebody's work\n"


# What a new user tries first.


@pytest.mark.parametrize(
    ("reply", "code", "says"),
    [
        ("", 3, "no edits found"),
        ("I think the code is fine as it is.\n", 3, "no edits found"),
        (b"\x00\x01\x02", 3, "not text"),
        (GOOD.encode("utf-16"), 0, ""),
        (b"\xef\xbb\xbf" + GOOD.encode(), 0, ""),
        (GOOD.replace("zwei", "zw\0ei"), 3, "not text"),
        (GOOD.replace("notes.txt", "nowhere.txt"), 3, "there is no file nowhere.txt"),
        ("*** Begin Patch\n*** Update File: src\n@@\n-a\n+b\n*** End Patch\n", 3, "src is a directory"),
        (GOOD.replace("notes.txt", "../notes.txt"), 3, "leads out of the project"),
        (GOOD.replace("notes.txt", "/etc/passwd"), 3, "not relative to the project"),
        (GOOD.replace("notes.txt", ".git/config"), 3, "belongs to a tool"),
        (GOOD.replace("notes.txt", "no\u200btes.txt"), 3, "invisible character U+200B"),
        (GOOD.encode().replace(b"zwei", b"zw\xe9i"), 3, "utf-8"),
        (GOOD.encode().replace(b"two", b"tw\xe9"), 3, "not in the file"),
        (GOOD + GOOD.replace("two", "one").replace("zwei", "eins"), 0, ""),
    ],
)
def test_bad_input_gets_a_clear_answer(run: Run, reply: str | bytes, code: int, says: str) -> None:
    done = run("apply", stdin=reply)
    assert done.code == code, done
    assert says in done.err
    assert "Traceback" not in done.err


def test_a_binary_file_is_refused(run: Run, project: Path) -> None:
    (project / "notes.txt").write_bytes(b"one\0two\n")
    assert "binary" in run("apply", stdin=GOOD).err


@pytest.mark.slow
def test_fifty_megabytes_of_file_and_of_prose(run: Run, project: Path) -> None:
    (project / "notes.txt").write_text("one line of padding, and another\n" * 1_500_000 + "two\n")
    assert run("apply", "-q", stdin=GOOD).code == 0
    assert (project / "notes.txt").read_text().endswith("zwei\n")
    assert run("apply", stdin="nothing but words here\n" * 2_000_000).code == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["apply", "nowhere.md"], "nowhere.md"),
        (["apply", "src"], "directory"),
        (["apply", "--format", "nonsense"], "there is no format 'nonsense'"),
        (["apply", "--nonsense"], "No such option"),
        (["nonsense"], "No such command"),
        (["formats", "nonsense"], "there is no format 'nonsense'"),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, arguments: list[str], says: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert says.lower() in done.err.lower()


def test_a_root_that_is_none_is_the_environments_fault(run: Run) -> None:
    done = run("apply", "-C", "nowhere", stdin=GOOD)
    assert (done.code, done.err) == (5, f"Failed: there is no directory {os.getcwd() + '/nowhere'!r}\n")
    told = json.loads(run("apply", "-C", "nowhere", "--json", stdin=GOOD).out)
    assert (told["status"], told["error"]) == ("failed", "EnvironmentFailure")


def test_an_unreadable_file_is_the_environments_fault(
    run: Run, project: Path, powerless: Callable[[Path], AbstractContextManager[None]]
) -> None:
    run("apply", "--dry-run", stdin=GOOD)  # whatever is imported late is imported now
    (project / "notes.txt").chmod(0)
    with powerless(project):
        done = run("apply", stdin=GOOD)
    assert (done.code, "permission denied" in done.err) == (5, True)


NEW_SCRIPT = (
    "diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n"
)
NEW_MODE = "diff --git a/notes.txt b/notes.txt\nold mode 100644\nnew mode 100755\n"


def test_a_new_mode_is_written_shown_and_undone(run: Run, project: Path) -> None:
    done = run("apply", stdin=NEW_SCRIPT + NEW_MODE)
    assert done.code == 0, done.err
    assert [os.access(project / name, os.X_OK) for name in ("run.sh", "notes.txt")] == [True, True]
    assert "✔ run.sh created, executable\n" in done.out
    assert "✔ notes.txt updated, executable\n" in done.out
    assert "old mode 100644\nnew mode 100755\n" in done.out
    assert "old mode 100644\nnew mode 100755\n" in run("show", "1").out
    assert [file["mode"] for file in json.loads(run("show", "1", "--json").out)["files"]] == ["100755", "100755"]
    assert run("undo").code == 0
    assert not (project / "run.sh").exists()
    assert not os.access(project / "notes.txt", os.X_OK)


def test_a_mode_is_shown_to_programs_and_bound_to_their_approval(run: Run, project: Path) -> None:
    said = json.loads(run("apply", "--json", "--dry-run", stdin=NEW_MODE).out)
    assert [(file["action"], file["mode"]) for file in said["files"]] == [("updated", "100755")]
    plain = json.loads(run("apply", "--json", "--dry-run", stdin=NEW_SCRIPT).out)["digest"]
    assert (
        plain != json.loads(run("apply", "--json", "--dry-run", stdin=NEW_SCRIPT.replace("755", "644")).out)["digest"]
    )
    (project / "notes.txt").chmod(0o755)
    assert json.loads(run("apply", "--json", stdin=NEW_MODE).out)["status"] == "unchanged"


def test_a_mode_of_a_guarded_file_needs_approval(run: Run, project: Path) -> None:
    hook = project / ".husky/pre-commit"
    hook.parent.mkdir()
    hook.write_text("exit 0\n")
    done = run("apply", "--auto", stdin=NEW_MODE.replace("notes.txt", ".husky/pre-commit"))
    assert (done.code, os.access(hook, os.X_OK)) == (4, False)
    assert run("apply", "--force", stdin=NEW_MODE.replace("notes.txt", ".husky/pre-commit")).code == 0
    assert os.access(hook, os.X_OK)


def whole(name: str, content: str) -> str:
    return f"{name}\n```\n{content}\n```\n"


def test_a_language_without_a_parser_is_named_once(run: Run) -> None:
    reply = whole("src/a.swift", "let a = 1") + whole("src/b.swift", "let b = 1") + whole("src/c.svelte", "<p>c</p>")
    done = run("apply", "--dry-run", stdin=reply)
    assert done.code == 0, done.err
    assert done.err.count("not checked") == 2
    assert "! not checked: no parser for Swift\n" in done.err
    assert "! not checked: no parser for Svelte\n" in done.err
    said = json.loads(run("apply", "--json", "--dry-run", stdin=reply).out)
    assert said["warnings"] == ["not checked: no parser for Swift", "not checked: no parser for Svelte"]
    assert "not checked" not in run("apply", "--dry-run", "--no-check", stdin=reply).err
    plain = whole("a.txt", "text") + whole("b.md", "# Text") + whole("c.unknown", "x") + whole("d.py", "x = 1")
    assert "not checked" not in run("apply", "--dry-run", stdin=plain).err


def test_a_parser_that_is_not_installed_can_be(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from inlay.engine.languages import grammar

    reply = whole("a.go", "package a") + whole("b.go", "package b")
    assert "not checked" not in run("apply", "--dry-run", stdin=reply).err
    monkeypatch.setattr(grammar, "_load", lambda name: None)
    assert run("apply", "--dry-run", stdin=reply).err == "! not checked: no parser for Go; install inlay[langs]\n"


def test_a_file_that_stays_as_it_is_needs_no_parser(run: Run, project: Path) -> None:
    (project / "run.swift").write_text("let a = 1\n")
    done = run("apply", stdin=NEW_MODE.replace("notes.txt", "run.swift"))
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("option", "line"), [("tool-tags", "</tool_call>"), ("markers", "<<<<<<< HEAD"), ("markers", ">>>>>>> UPDATED")]
)
def test_a_person_can_allow_what_looks_like_markup(run: Run, project: Path, option: str, line: str) -> None:
    reply = f"--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,3 @@\n one\n two\n+{line}\n"
    refused = run("apply", stdin=reply)
    assert refused.code == 3
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    feedback = run("apply", "--feedback", stdin=reply)
    assert f"--allow {option}" in feedback.out + feedback.err
    assert run("apply", "--allow", option, stdin=reply).code == 0
    assert (project / "notes.txt").read_text() == f"one\ntwo\n{line}\n"


def test_only_what_is_named_is_allowed(run: Run) -> None:
    reply = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,3 @@\n one\n two\n+</tool_call>\n"
    assert run("apply", "--allow", "markers", stdin=reply).code == 3
    assert run("apply", "--allow", "everything", stdin=reply).code == 2
