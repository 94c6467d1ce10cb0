"""`inlay commits amend`, `undo` and `recover`: files for review, questions, and what is told."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.commits.messages import message_file
from inlay.commits.messages.cleanup import tidied
from inlay.errors import UnreadableMessages
from inlay.model.commit import Commit, Person
from inlay.model.history_rewrite import NewMessage

from ..cli.conftest import Session
from .conftest import Repo, Run

ADA = Person("Ada", "ada@example.org")


def commit(number: int, message: str) -> Commit:
    return Commit(f"{number:040x}", "t", (), ADA, ADA, message)


@given(st.lists(st.text(alphabet="ab #:\n\tcommit message:\r\u2028é\udce4", min_size=1, max_size=40), max_size=4))
def test_property_a_file_of_messages_is_read_back_as_it_was(messages: list[str]) -> None:
    wanted = [tidied(message).lstrip("\n") for message in messages]
    proposals = [NewMessage(commit(n, "was\r\n"), message) for n, message in enumerate(wanted)]
    found = message_file.read(message_file.render(proposals))
    said = {each.commit.id: each.message for each in proposals if each.message.strip()}
    assert {key: tidied(value) for key, value in found.items() if value.strip()} == said


def test_programs_write_messages_as_json() -> None:
    assert message_file.read('[{"commit": "a", "message": "x"}]') == {"a": "x"}
    assert message_file.read('{"commits": [{"commit": "a", "message": "x", "more": 1}]}') == {"a": "x"}


@pytest.mark.parametrize("text", ["Fix it\n", "commit 12\n", "[1]", "{}", f"commit {'a' * 40}\ncommit {'a' * 40}\n"])
def test_a_file_that_is_no_such_file_is_refused(text: str) -> None:
    with pytest.raises(UnreadableMessages):
        message_file.read(text)


def test_save_change_and_apply(run: Run, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "messages"
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    done = run("amend", "HEAD~3..HEAD", "--edit", "--save", str(file))
    assert (done.code, "3 messages are in" in done.out) == (0, True)
    file.write_text(file.read_text().replace("    Added a thing", "    Add a thing"))
    done = run("amend", "--from", str(file), "--dry-run")
    assert (done.code, "1 message is new, 2 later commits follow, nothing was changed" in done.out) == (0, True)
    assert repo.subjects()[1] == "Added a thing"
    done = run("amend", "--from", str(file))
    assert (done.code, "--yes accepts all messages" in done.err) == (4, True)
    done = run("amend", "--from", str(file), "--yes")
    assert (done.code, "The old history is in refs/inlay/backup/1" in done.out) == (0, True)
    assert repo.subjects()[1] == "Add a thing"
    assert run("amend", "--from", str(file), "--yes").code == 4  # these commits are no longer on the branch


def test_one_message_for_one_commit(run: Run, repo: Repo) -> None:
    assert run("amend", "HEAD~1", "-m", "Begin again", "-y").code == 0
    assert repo.subjects()[2] == "Begin again"
    assert "Nothing to do" in run("amend", "HEAD~1", "-m", "Begin again", "-y").out
    assert run("amend", "HEAD~2..HEAD", "-m", "x", "-y").code == 2


def test_usage(run: Run, tmp_path: Path, repo: Repo) -> None:
    assert run("amend", "HEAD", "-m", "x", "--edit").code == 2
    assert run("amend", "--from", str(tmp_path / "none")).code == 2
    assert run("amend", "nope", "-m", "x").code == 2
    file = tmp_path / "m.json"
    file.write_text(json.dumps([{"commit": repo.id("HEAD~3"), "message": "x"}]))
    assert run("amend", "HEAD~1..HEAD", "--from", str(file), "-y").code == 2


def test_for_programs(run: Run, repo: Repo) -> None:
    old = repo.id()
    said = json.loads(run("amend", "HEAD~1", "-m", "New", "-y", "--json").out)
    assert (said["status"], said["branch"]) == ("rewritten", "refs/heads/main")
    assert (said["old"], said["new"]) == (old, repo.id())
    assert [each["reworded"] for each in said["commits"]] == [True, False]
    (backup,) = json.loads(run("undo", "--list", "--json").out)
    assert (backup["backup"], backup["new"], backup["undone"]) == (1, repo.id(), False)
    assert json.loads(run("undo", "--json").out)["status"] == "undone"
    assert repo.id() == old
    assert ", undone" in run("undo", "--list").out
    assert json.loads(run("amend", "HEAD", "-m", "Add another\n\nRefs: #1", "--json").out) == {"status": "unchanged"}
    assert json.loads(run("recover", "--json").out) == {"status": "unchanged", "removed": []}


def test_refusals_name_their_flags(run: Run, repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    done = run("amend", "HEAD", "-m", "x", "-y")
    assert (done.code, "--allow-pushed" in done.err) == (4, True)
    assert json.loads(run("amend", "HEAD", "-m", "x", "-y", "--json").out)["error"] == "RewriteRefused"
    assert run("amend", "HEAD", "-m", "x", "-y", "--allow-pushed").code == 0


def test_written_in_an_editor(run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "sed -i s/Added/Add/")
    monkeypatch.delenv("VISUAL", raising=False)
    assert run("amend", "HEAD~3..HEAD", "--edit", "--yes").code == 0
    assert repo.subjects() == ["Start", "Add a thing", "fixup! Start", "Add another"]
    monkeypatch.setenv("EDITOR", "false")
    assert "Nothing to do" in run("amend", "HEAD", "--edit", "--yes").out


def test_a_person_accepts_edits_and_skips(repo: Repo, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    ids = [repo.id(f"HEAD~{n}") for n in (3, 2, 1, 0)]
    file.write_text(json.dumps([{"commit": each, "message": f"New {n}"} for n, each in enumerate(ids)]))
    session = Session(repo.root, "commits", "amend", "--from", str(file), EDITOR="sed -i s/New/Newer/", NO_COLOR="1")
    shown = session.expect("> ")
    assert "old message" in shown
    assert "new message" in shown
    assert "Start" in shown
    assert "│ New 0" in shown
    assert "one of the letters" in session.answer("x", "> ")
    assert "[2/4]" in session.answer("a", "> ")
    assert "Newer 1" in session.answer("e", "> ")
    assert "[3/4]" in session.answer("a", "> ")
    assert "[4/4]" in session.answer("s", "> ")
    session.answer("A", "Done")
    assert session.end() == 0
    assert repo.subjects() == ["New 0", "Newer 1", "fixup! Start", "New 3"]


def test_a_person_quits(repo: Repo) -> None:
    old = repo.id()
    session = Session(repo.root, "commits", "amend", "HEAD", "-m", "x")
    session.expect("> ")
    session.answer("q", "Nothing to do")
    assert session.end() == 0
    assert repo.id() == old
