"""The benchmark's judge and bar: bytes decide, and one harm is too many."""

from __future__ import annotations

import pytest

from bench.draft import Outcome
from bench.judging import Answer, Deed, Verdict, deed, verdict
from bench.report import by_slip, failures, overall, table
from bench.results import ENOUGH, Result, shortfalls
from bench.trials import Trial

BEFORE = "one\n    two\nthree\nfour\nfive\n"
AFTER = "one\n    two\nTHREE\nfour\nfive\n"


def made(outcome: Outcome = "apply", also: tuple[str, ...] = ()) -> Trial:
    accepted = (BEFORE if outcome == "noop" else AFTER, *also)
    return Trial("x/find_replace/clean", "find_replace", "clean", outcome, "x.txt", BEFORE, "reply", accepted)


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        (Answer("applied", AFTER), "exact"),
        (Answer("applied", AFTER.replace("\n", "\r\n")), "untidy"),
        (Answer("applied", AFTER[:-1]), "untidy"),
        (Answer("applied", "\ufeff" + AFTER), "untidy"),
        (Answer("applied", AFTER.replace("    two", "  two")), "blanks"),
        (Answer("applied", BEFORE.replace("three", "THREE!")), "damaged"),
        (Answer("applied", BEFORE.replace("five", "THREE")), "misplaced"),
        (Answer("applied", BEFORE), "idle"),
        (Answer("applied"), "idle"),
        (Answer("refused"), "refused"),
        (Answer("refused", BEFORE), "refused"),
        (Answer("refused", AFTER), "half"),
        (Answer("timeout"), "timeout"),
        (Answer("crash"), "crash"),
    ],
)
def test_deeds(answer: Answer, done: Deed) -> None:
    assert deed(made(), answer) == done


def test_another_accepted_result_is_as_good() -> None:
    other = AFTER + "five\n"
    assert deed(made("either", (other,)), Answer("applied", other)) == "exact"


def test_leaving_a_finished_file_alone_is_right() -> None:
    assert deed(made("noop"), Answer("applied", BEFORE)) == "exact"


@pytest.mark.parametrize(
    ("outcome", "done", "judged"),
    [
        ("apply", "exact", "ok"),
        ("apply", "refused", "miss"),
        ("apply", "timeout", "miss"),
        ("apply", "untidy", "harm"),
        ("refuse", "refused", "ok"),
        ("refuse", "exact", "harm"),
        ("either", "exact", "ok"),
        ("either", "refused", "ok"),
        ("either", "damaged", "harm"),
        ("near", "refused", "ok"),
        ("noop", "exact", "ok"),
        ("noop", "misplaced", "harm"),
        ("refuse", "half", "harm"),
    ],
)
def test_verdicts(outcome: Outcome, done: Deed, judged: Verdict) -> None:
    assert verdict(outcome, done) == judged


def results(outcome: Outcome, answers: list[Answer]) -> list[Result]:
    return [Result.of("inlay", made(outcome), answer) for answer in answers]


GOOD, BAD, NO = Answer("applied", AFTER), Answer("applied", AFTER + "x\n"), Answer("refused")


def test_the_bar_is_cleared_without_harm_and_with_few_misses() -> None:
    assert shortfalls(results("apply", [GOOD] * 500 + [NO])) == []
    assert shortfalls(results("refuse", [NO] * 50)) == []


def test_one_harm_is_too_many() -> None:
    assert shortfalls(results("either", [GOOD] * 500 + [BAD]))
    assert shortfalls(results("refuse", [NO] * 500 + [GOOD]))


def test_misses_count_overall_and_in_a_class() -> None:
    assert len(shortfalls(results("apply", [GOOD] * 90 + [NO] * 10))) == 2
    assert shortfalls(results("near", [GOOD] * 10 + [NO] * ENOUGH))
    assert shortfalls(results("near", [NO])) == []


def test_tables_name_what_went_wrong() -> None:
    rows = results("apply", [GOOD, BAD, NO])
    assert "1/1/1" in by_slip(rows, "find_replace")
    assert "find_replace inlay" in overall(rows)
    assert "harm" in failures(rows)
    assert failures(rows[:1]) == "No harm, no miss."
    assert table(("a", "b"), [(1, 22)]).count("\n") == 2
