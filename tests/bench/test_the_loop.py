"""The measurements of the whole loop: that they measure what they say."""

import random
from pathlib import Path

import pytest

from bench import exact, generation, history, invention, tokens
from bench.__main__ import main
from bench.appliers import ROOT
from bench.invention import invent
from bench.simulation import Case, cases, rightly
from bench.slips import SLIPS
from bench.trials import trial
from inlay.landing.embed import EmbedRequest, embed

BLOCK = "a.txt\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("original", "find", "expected"),
    [
        ("one\ntwo\n", "two", "one\nnew\n"),
        ("one\r\ntwo\r\n", "two", "one\r\nnew\r\n"),
        ("one\ntwo", "two", "one\nnew"),
        ("one\n  two\n", "two", None),
        ("two\ntwo\n", "two", None),
        ("one\n", "two", None),
    ],
)
def test_exact_matching_takes_one_exact_place_or_none(original: str, find: str, expected: str | None) -> None:
    assert exact.applied("a.txt", original, BLOCK.format(find, "new")) == expected


def test_exact_matching_looks_at_its_results_too() -> None:
    assert exact.applied("a.py", "x = 1\n", BLOCK.format("x = 1", "x = (")) is None
    assert exact.applied("a.py", "x = 1\n", "no edit at all") is None


def made(seed: int, slip: str) -> Case:
    lines = [f"value_{n} = {n}" for n in range(40)]
    change = invent("x", "a.py", lines, random.Random(seed))
    corrupted = trial(change, "search_replace", SLIPS[slip], seed)
    assert corrupted is not None
    right = rightly(corrupted)
    assert right is not None
    return Case(corrupted, right, 3)


def test_the_simulated_model_makes_its_slip_until_it_mends_it() -> None:
    case = made(1, "indented_deeper")
    assert [case.reply(n) == case.right for n in (1, 2, 3, 4)] == [False, False, True, True]
    landed = embed(EmbedRequest(case.trial.path, case.trial.original, case.right, case.trial.format))
    assert landed.content == case.trial.accepted[0]


def test_the_same_slip_costs_exact_matching_attempts_and_ours_none() -> None:
    case = made(1, "indented_deeper")
    ours, other = generation._ours(case, len), generation._exact(case, len)
    assert (ours.done, ours.wrong, ours.attempts) == (True, False, 1)
    assert (other.done, other.attempts) == (True, 3)
    assert other.tokens > ours.tokens


def test_what_is_never_mended_fails_and_nothing_is_wrong() -> None:
    case = made(2, "truncated")
    never = Case(case.trial, case.right, 99)
    ours = generation._ours(never, len)
    assert (ours.done, ours.wrong, ours.attempts) == (False, False, 3)


@pytest.mark.slow
def test_a_few_real_changes_through_both_loops() -> None:
    changes = (history.changes([ROOT], 25, 1) + invention.invented([ROOT], 25, 1))[:25]
    runs = [run for case in cases(changes, 1) for run in (generation._ours(case, len), generation._exact(case, len))]
    assert len(runs) >= 30
    assert [run.id for run in runs if run.loop == "inlay" and run.wrong] == []
    ours, other = (sum(run.done for run in runs if run.loop == loop) for loop in ("inlay", "exact"))
    assert ours >= other


def test_the_bar_is_a_third_of_the_failures_and_nothing_wrong() -> None:
    def runs(loop: str, failed: int, wrong: int = 0) -> list[generation.Run]:
        bad = [generation.Run("x", "s", loop, False, n < wrong, 3, 0) for n in range(failed)]
        return bad + [generation.Run("x", "s", loop, True, False, 1, 0)] * 5

    assert generation.shortfalls(runs("inlay", 1) + runs("exact", 3)) == []
    assert len(generation.shortfalls(runs("inlay", 2) + runs("exact", 3))) == 1
    assert len(generation.shortfalls(runs("inlay", 1, wrong=1) + runs("exact", 9))) == 1


def test_edits_of_large_files_save_most_of_the_output(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = [f"value_{n} = compute({n}, 'some words that make a line')" for n in range(600)]
    changes = [invent(str(n), "a.py", lines, random.Random(n)) for n in range(5)]
    for format in tokens.PARTS:
        saving = tokens._saving(changes, format, lambda text: len(text) // 4)
        assert saving.changes == 5
        assert saving.saved > tokens.BAR
    assert main(["tokens", "--repo", str(_repository(tmp_path))]) == 2
    assert "no change to a file of more than 500 lines" in capsys.readouterr().out


def _repository(folder: Path) -> Path:
    (folder / "a.txt").write_text("one\n")
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
        history.git(folder, *words)
    return folder
