"""The question at a real terminal: what is shown, what may be answered, and what is written then."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Session

pytestmark = pytest.mark.slow

LONG = "".join(f"value_{n} = {n}\n" for n in range(150))
OTHER = LONG.replace("value", "other")
SHORT = "value_0 = 0\nvalue_1 = 'one'\n"
CHOOSE = "nothing written\n> "
CONFIRM = "(q)uit\n> "
RED, GREEN = "\x1b[31m", "\x1b[32m"


@pytest.fixture
def long(project: Path) -> Path:
    (project / "long.py").write_text(LONG)
    return project / "long.py"


def writing(project: Path, *options: str, content: str = SHORT, path: str = "long.py", **environment: str) -> Session:
    """`inlay write` with its content through a pipe and a person at the terminal."""
    return Session(project, "write", path, "-", *options, stdin=content, **environment)


def test_a_person_sees_what_goes_and_what_comes_and_replaces(project: Path, long: Path) -> None:
    session = writing(project)
    asked = session.expect(CHOOSE)
    assert "About to replace 150 lines with 2 lines (-148)." in asked
    assert f"{RED}DELETED 149" in asked
    assert f"{GREEN}ADDED 1" in asked
    assert f"{RED}-value_149 = 149" in asked
    assert f"{RED}-\x1b[0m{RED}value_1 = \x1b[0m\x1b[31m\x1b[7m1\x1b[0m" in asked  # the word that differs stands out
    assert "(a)ppend, (i)nsert at a line, (e)xtend, (r)eplace, e(d)it, (s)kip, (q)uit" in asked
    assert "Preview of long.py:" in session.answer("r", CONFIRM)
    assert long.read_text() == LONG
    session.answer("y", "Done: 1 file changed.")
    assert session.end() == 0
    assert long.read_text() == SHORT


@pytest.mark.parametrize(
    ("answers", "after"),
    [
        (["a"], LONG + SHORT),
        (["i", "50"], "".join(LONG.splitlines(True)[:49]) + SHORT + "".join(LONG.splitlines(True)[49:])),
        (["i", "151"], LONG + SHORT),
    ],
)
def test_content_can_be_joined_instead_after_a_preview(
    project: Path, long: Path, answers: list[str], after: str
) -> None:
    session = writing(project)
    session.expect(CHOOSE)
    *first, last = answers
    for answer in first:
        session.answer(answer, "? ")
    shown = session.answer(last, CONFIRM)
    assert "Preview of long.py:" in shown
    assert f"{GREEN}+value_1 = 'one'" in shown
    assert "DELETED 0" in shown
    session.answer("y", "Done")
    assert session.end() == 0
    assert long.read_text() == after


def test_extend_adds_the_new_members(project: Path, long: Path) -> None:
    long.write_text(LONG + "\n\nclass State:\n    def old(self):\n        return 1\n")
    session = writing(project, content="class State:\n    def new(self):\n        return 2\n")
    session.expect(CHOOSE)
    session.answer("e", CONFIRM)
    session.answer("y", "Done")
    assert session.end() == 0
    assert long.read_text().startswith(LONG)
    assert "def old" in long.read_text()
    assert "def new" in long.read_text()


def test_what_cannot_be_joined_is_explained_and_asked_again(project: Path, long: Path) -> None:
    session = writing(project, content="def f(:\n")
    assert session.expect("Refused")  # broken content is refused before anybody is asked
    assert session.end() == 3
    session = writing(project)
    session.expect(CHOOSE)
    session.answer("i", "? ")
    assert "there is no line 999" in session.answer("999", CHOOSE)
    session.answer("i", "? ")
    assert "needs a line number" in session.answer("x", CHOOSE)
    assert "Please answer" in session.answer("z", CHOOSE)
    session.answer("r", CONFIRM)
    session.answer("n", CHOOSE)
    session.answer("s", "1 skipped")
    assert session.end() == 0
    assert long.read_text() == LONG


def test_quitting_writes_nothing(project: Path, long: Path) -> None:
    for key in ("q", "\x04"):
        session = writing(project)
        session.expect(CHOOSE)
        session.press(f"{key}\n" if key == "q" else key)
        assert session.end() == 4
        assert "nothing was written" in session.seen
        assert long.read_text() == LONG


def test_an_interrupt_at_the_prompt_writes_nothing(project: Path, long: Path) -> None:
    session = writing(project)
    session.expect(CHOOSE)
    session.press("\x03")
    assert session.end() == 130
    assert long.read_text() == LONG
    assert "Traceback" not in session.seen


def test_an_edited_version_is_what_is_written(project: Path, long: Path, tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'a').write('edited = True\\n')\n")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    session = writing(project, EDITOR=f"'{editor}' --wait", VISUAL="")
    session.expect(CHOOSE)
    shown = session.answer("d", CONFIRM)
    assert f"{GREEN}+edited = True" in shown
    session.answer("y", "Done")
    assert session.end() == 0
    assert long.read_text() == SHORT + "edited = True\n"


def test_an_editor_that_fails_or_is_missing_decides_nothing(project: Path, long: Path) -> None:
    session = writing(project, EDITOR="false", VISUAL="")
    session.expect(CHOOSE)
    assert "no edited version" in session.answer("d", CHOOSE)
    session.answer("q", "nothing was written")
    assert session.end() == 4
    session = writing(project, EDITOR="/no/such/editor", VISUAL="")
    session.expect(CHOOSE)
    assert "cannot be started" in session.answer("d", CHOOSE)
    session.answer("q", "nothing was written")
    assert session.end() == 4
    assert long.read_text() == LONG


def whole(*names: str, content: str = OTHER) -> str:
    return "".join(f"{name}\n```python\n{content}```\n\n" for name in names)


def test_one_decision_for_all_remaining_files(project: Path) -> None:
    names = [f"part_{n}.py" for n in range(4)]
    for name in names:
        (project / name).write_text(LONG)
    (project / "reply.md").write_text(whole(*names))
    session = Session(project, "apply", "reply.md")
    assert "part_0.py (1 of 4)" in session.expect(CHOOSE).replace("\x1b[1m", "").replace("\x1b[0m", "")
    session.answer("s", CHOOSE)
    session.answer("A", "> ")
    shown = session.answer("a", CONFIRM)
    assert shown.count("150 → 300 lines") == 3
    session.answer("y", "Done: 3 files changed. 1 skipped.")
    assert session.end() == 0
    assert [(project / name).read_text() for name in names] == [LONG] + [LONG + OTHER] * 3


def test_going_back_from_all_remaining(project: Path) -> None:
    for name in ("a.py", "b.py"):
        (project / name).write_text(LONG)
    session = Session(project, "apply", stdin=whole("a.py", "b.py"))
    session.expect(CHOOSE)
    session.answer("A", "> ")
    session.answer("b", CHOOSE)
    session.answer("A", "> ")
    session.answer("s", "2 skipped")
    assert session.end() == 0
    session = Session(project, "apply", stdin=whole("a.py", "b.py"))
    session.expect(CHOOSE)
    session.answer("A", "> ")
    session.answer("r", CONFIRM)
    session.answer("y", "Done: 2 files")
    assert session.end() == 0
    assert (project / "b.py").read_text() == OTHER


def test_a_deletion_is_a_plain_yes_or_no(project: Path) -> None:
    reply = "*** Begin Patch\n*** Delete File: notes.txt\n*** End Patch\n"
    session = Session(project, "apply", stdin=reply)
    asked = session.expect(CHOOSE)
    assert "About to delete 2 lines." in asked
    assert "(y)es, (s)kip, (q)uit" in asked
    session.answer("y", CONFIRM)
    session.answer("y", "Done")
    assert session.end() == 0
    assert not (project / "notes.txt").exists()


def test_without_colour_signs_and_words_tell_the_same(project: Path, long: Path) -> None:
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        session = writing(project, **environment)
        asked = session.expect(CHOOSE)
        assert "\x1b" not in asked
        assert "DELETED 149, ADDED 1, 150 → 2 lines" in asked
        assert "\n-value_1 = 1\n" in asked
        session.answer("r", CONFIRM)
        session.answer("q", "nothing was written")
        assert session.end() == 4


def test_what_is_shown_is_capped_and_says_what_was_cut(project: Path, long: Path) -> None:
    long.write_text("".join(f"value_{n} = {n}\n" for n in range(5_000)))
    session = writing(project)
    asked = re.sub("\x1b\\[[0-9;]*m", "", session.expect(CHOOSE))
    assert len(asked) < 11_500
    shown = asked.count("\n-value_")
    assert "\n+value_1 = 'one'\n" in asked  # what comes is not crowded out by what goes
    assert f"… cut: {4_999 - shown} deleted lines not shown" in asked
    session.answer("q", "nothing was written")
    assert session.end() == 4


def test_control_characters_in_a_file_do_not_reach_the_terminal(project: Path, long: Path) -> None:
    long.write_text("# \x1b]0;owned\x07\n" + LONG)
    session = writing(project)
    asked = session.expect(CHOOSE)
    assert "\x1b]0;" not in asked
    assert "\x07" not in asked
    session.answer("q", "nothing was written")
    session.end()


def test_a_file_that_changes_while_the_person_thinks_is_left_alone(project: Path, long: Path) -> None:
    for change in (lambda: long.write_text("somebody's work\n"), long.unlink):
        long.write_text(LONG)
        session = writing(project)
        session.expect(CHOOSE)
        change()
        session.answer("r", CONFIRM)
        session.answer("y", "Action required")
        assert session.end() == 4
        assert not long.exists() or long.read_text() == "somebody's work\n"


def test_auto_asks_nobody_and_a_rehearsal_only_says_who_would_be_asked(project: Path, long: Path) -> None:
    session = writing(project, "--auto")
    assert session.expect("approve everything with --force")
    assert session.end() == 4
    session = writing(project, "--json")
    assert session.end() == 4
    session = writing(project, "--dry-run")
    assert "long.py would need approval: about to replace 150 lines with 2 lines" in session.expect("Dry run")
    assert session.end() == 0
    assert long.read_text() == LONG


def test_yes_confirms_a_choice_but_makes_none(project: Path, long: Path) -> None:
    session = writing(project, "--yes")
    session.expect(CHOOSE)
    session.answer("a", "Done")
    assert session.end() == 0
    assert long.read_text() == LONG + SHORT


def test_decisions_from_a_file_leave_the_rest_to_the_person(project: Path) -> None:
    for name in ("a.py", "b.py"):
        (project / name).write_text(LONG)
    (project / "decisions.json").write_text('{"decisions": [{"path": "a.py", "strategy": "append"}]}')
    session = Session(project, "apply", "--decisions", "decisions.json", stdin=whole("a.py", "b.py"))
    asked = session.expect(CHOOSE)
    assert "b.py" in asked
    assert "a.py" not in asked
    session.answer("s", "1 skipped")
    assert session.end() == 0
    assert (project / "a.py").read_text() == LONG + OTHER


def test_names_with_blanks_quotes_and_emoji_are_asked_about_as_they_are(project: Path) -> None:
    name = 'it\'s a "state" 🐍.py'
    (project / name).write_text(LONG)
    session = writing(project, path=name)
    assert name in session.expect(CHOOSE)
    session.answer("a", CONFIRM)
    session.answer("y", "Done")
    assert session.end() == 0
    assert (project / name).read_text() == LONG + SHORT


def test_content_typed_at_the_keyboard_can_be_decided_about_there_too(project: Path, long: Path) -> None:
    session = Session(project, "write", "long.py")
    session.expect("end with Ctrl-D.\n")
    session.press("typed = 1\n\x04")
    session.expect(CHOOSE)
    session.answer("a", CONFIRM)
    session.answer("y", "Done")
    assert session.end() == 0
    assert long.read_text() == LONG + "typed = 1\n"


def test_a_request_to_end_at_the_prompt_writes_nothing(project: Path, long: Path) -> None:
    session = writing(project)
    session.expect(CHOOSE)
    session.process.terminate()
    assert session.end() == 143
    assert long.read_text() == LONG


def test_the_prompt_of_a_large_file_comes_quickly(project: Path, long: Path) -> None:
    """Measured inside the process: from the question being put to the first menu."""
    code = (
        "import sys, time, pathlib\n"
        "from inlay import Change, ChangeSet, File, Need, Reason\n"
        "from inlay.cli.ask.approval_question import ApprovalPrompt\n"
        "from inlay.cli.ask.dialogue import Dialogue\n"
        "class Silent(Dialogue):\n"
        "    def show(self, *lines): pass\n"
        "    def ask(self, question): self.asked = time.process_time(); return None\n"
        "old = ''.join(f'value_{n} = {n}\\n' for n in range(200_000))\n"
        "new = ''.join(f'other_{n} = {n}\\n' for n in range(150_000))\n"
        "file = File.of('long.py', old)\n"
        "need = Need(file.path, (Reason('large-replacement', ''),), 200_000, 150_000, ('replace',))\n"
        "silent = Silent(sys.stdin)\n"
        "started = time.process_time()\n"
        "ApprovalPrompt(silent, check=True, yes=False)((need,), ChangeSet((Change(file.path, file, new),)))\n"
        "print(silent.asked - started)\n"
    )
    took = min(float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(3))
    assert took < 0.1


def test_the_editor_is_the_persons_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inlay.processes import editor

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("VISUAL", "true")
    monkeypatch.setenv("EDITOR", "false")
    assert editor.edit("caf\udce9\r\n", "a.txt") == "caf\udce9\r\n"
    monkeypatch.setenv("TERM", "dumb")
    assert editor.edit("x", "a.txt") is None
    monkeypatch.delenv("EDITOR")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    with pytest.raises(Exception, match="'vi' cannot be started"):
        editor.edit("x", "a.txt")
