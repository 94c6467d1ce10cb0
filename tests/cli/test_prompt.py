"""Every answer that can be given to the question, and the decision that comes of it."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from inlay import Change, ChangeSet, Decision, File, Need, Reason
from inlay.cli.ask.approval_question import ApprovalPrompt, approver
from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.options import Approval
from inlay.model.decision import Strategy
from inlay.processes import editor

from .conftest import Scripted

WHOLE: tuple[Strategy, ...] = ("append", "insert", "extend", "replace", "edit")
LONG = "".join(f"value_{n} = {n}\n" for n in range(150))


def case(path: str = "long.py", after: str | None = "x = 1\n", strategies: tuple[Strategy, ...] = WHOLE) -> Any:
    file = File.of(path, LONG)
    need = Need(file.path, (Reason("large-replacement", "is long", 3),), 150, 1, strategies)
    return need, Change(file.path, file, after)


def decided(*answers: str, cases: Any = None, yes: bool = False) -> tuple[list[Decision], str]:
    pairs = cases or [case()]
    person = Scripted(*answers)
    changes = ChangeSet(tuple(change for _, change in pairs))
    made = ApprovalPrompt(person, check=True, yes=yes)(tuple(need for need, _ in pairs), changes)
    return list(made), person.seen


@pytest.mark.parametrize(
    ("answers", "strategy", "line"),
    [
        (["a", "y"], "append", None),
        (["A", "a", "yes"], "append", None),  # with one file left there is no "all"
        (["i", "50", "y"], "insert", 50),
        (["e", "y"], "extend", None),
        (["r", "y"], None, None),
        (["a", "n", "r", "y"], None, None),
        (["y", "?", "", "r", "y"], None, None),  # "y" says nothing where there is a choice
        (["i", "0", "i", "x", "i", "999", "i", "1", "y"], "insert", 1),
    ],
)
def test_an_answer_becomes_a_decision(answers: list[str], strategy: str | None, line: int | None) -> None:
    (decision,), seen = decided(*answers)
    assert (decision.verdict, decision.strategy, decision.line) == ("approve", strategy, line)
    assert "is long (line 3) [large-replacement]" in seen
    assert "Preview of long.py:" in seen


@pytest.mark.parametrize("answers", [["q"], ["Q"], [], ["r", "q"], ["i", "q"], ["a", "n"]])
def test_quitting_anywhere_stops_everything(answers: list[str]) -> None:
    assert decided(*answers)[0] == [Decision(None, "abort", by="person")]


def test_a_decision_is_bound_to_what_was_previewed() -> None:
    _, change = case()
    (decision,), _ = decided("r", "y")
    assert (decision.digest, decision.by) == (change.digest, "person")


def test_skipping_needs_no_preview() -> None:
    (decision,), seen = decided("s")
    assert (decision.verdict, "Preview" in seen) == ("skip", False)


def test_yes_takes_the_preview_for_granted() -> None:
    (decision,), _ = decided("a", yes=True)
    assert decision.strategy == "append"


def test_extending_may_replace_members_where_the_person_agrees() -> None:
    file = File.of("long.py", LONG + "\n\ndef old():\n    return 1\n")
    need = Need(file.path, (), 154, 2, WHOLE)
    pair = need, Change(file.path, file, "def old():\n    return 2\n")
    (decision,), seen = decided("e", "n", "e", "y", "y", cases=[pair])
    assert (decision.strategy, decision.replace_existing) == ("extend", True)
    assert "long.py: already there" in seen
    assert "+    return 2" in seen


def test_what_the_result_would_break_is_told_and_asked_again() -> None:
    pair = case(after="    indented = 1\n")
    (decision,), seen = decided("a", "s", cases=[pair])
    assert "syntax" in seen
    assert decision.verdict == "skip"


def test_a_warning_about_the_result_is_shown() -> None:
    _, seen = decided("r", "y")
    assert "! replaces 150 lines with 1 [shrinkage]" in seen


@pytest.mark.parametrize(
    ("strategies", "menu"), [((), "(y)es, (s)kip"), (("replace", "edit"), "(y)es, e(d)it, (s)kip")]
)
def test_where_nothing_can_be_joined_it_is_yes_or_no(
    strategies: tuple[Strategy, ...], menu: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = case(after=None if not strategies else LONG[:100], strategies=strategies)
    (decision,), _ = decided("a", "i", "y", "y", cases=[pair])
    assert (decision.verdict, decision.strategy) == ("approve", None)
    assert menu in capsys.readouterr().err


def test_an_edited_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "edit", lambda text, name: f"{text}# {name}\n")
    (decision,), seen = decided("d", "y")
    assert (decision.strategy, decision.content) == ("edit", "x = 1\n# long.py\n")
    assert "+# long.py" in seen


def test_an_editor_that_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "edit", lambda text, name: None)
    (decision,), seen = decided("d", "s")
    assert decision.verdict == "skip"
    assert "no edited version" in seen
    monkeypatch.undo()
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    assert "cannot be started" in decided("d", "s")[1]


def test_one_decision_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case("a.py"), case("b.py"), case("c.py")]
    assert [d.strategy for d in decided("A", "a", "y", cases=cases)[0]] == ["append"] * 3
    assert [d.verdict for d in decided("A", "s", cases=cases)[0]] == ["skip"] * 3
    assert [d.strategy for d in decided("A", "r", "n", "A", "b", "s", "A", "e", "y", cases=cases)[0]] == [
        None,
        "extend",
        "extend",
    ]


def test_one_decision_for_all_must_fit_all() -> None:
    cases = [case("a.py"), case("b.py", after=None, strategies=())]
    made, seen = decided("A", "a", "s", "s", cases=cases)
    assert [decision.verdict for decision in made] == ["skip", "skip"]
    assert "append needs whole new content for a file that exists" in seen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_is_where_questions_are_seen_and_answers_can_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("an answer\n"))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert Dialogue.find() is None
    monkeypatch.setattr(sys, "stderr", Terminal())
    person = Dialogue.find()
    assert person is not None
    assert person.ask("question? ") == "an answer"
    assert person.ask("question? ") is None
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr("builtins.open", _no_terminal)
    assert Dialogue.find() is None


def _no_terminal(*arguments: object, **options: object) -> None:
    raise OSError(6, "No such device or address")


def test_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dialogue, "find", lambda: Scripted("s"))
    nothing = Approval(auto=False, force=False, yes=False, threshold=100, decisions=None)
    need, change = case()
    ask = approver(nothing, check=True, dry_run=False, as_json=False)
    assert ask is not None
    assert [d.verdict for d in ask((need,), ChangeSet((change,)))] == ["skip"]
    rehearse = approver(nothing, check=True, dry_run=True, as_json=False)
    assert rehearse is not None
    assert [d.verdict for d in rehearse((need,), ChangeSet((change,)))] == ["approve"]
    assert approver(nothing, check=True, dry_run=False, as_json=True) is None
    auto = Approval(auto=True, force=False, yes=False, threshold=100, decisions=None)
    assert approver(auto, check=True, dry_run=False, as_json=False) is None
