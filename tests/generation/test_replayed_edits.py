"""What a real small model answered to every task, replayed through the command: the same files come of it."""

from pathlib import Path

import pytest

from e2e.editing import Editing, Outcome, edit, exactly, load, passes, tasks

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl"))
OUTCOMES = [outcome for file in RECORDINGS for outcome in load(file)]
TASKS = {task.name: task for task in tasks()}


def replayed(outcome: Outcome, folder: Path) -> Outcome:
    recording = folder / "recording.jsonl"
    recording.write_text("\n".join(outcome.transcript) + "\n", encoding="utf-8")
    return edit(TASKS[outcome.task], outcome.format, f"recorded:{recording}")


@pytest.mark.slow
@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda outcome: f"{outcome.format}-{outcome.task}")
def test_a_recorded_exchange_ends_as_it_did(outcome: Outcome, tmp_path: Path) -> None:
    again = replayed(outcome, tmp_path)
    assert (again.code, again.after) == (outcome.code, outcome.after)
    assert not again.damaged
    assert len(again.replies) == len(outcome.replies), "as many attempts as then"


@pytest.mark.slow
def test_the_same_replies_do_better_here_than_where_only_exact_matches_count() -> None:
    judged = [(TASKS[outcome.task], outcome) for outcome in OUTCOMES if not TASKS[outcome.task].needs]
    ours = {id(outcome) for task, outcome in judged if outcome.code == 0 and passes(task, outcome.after)}
    beside = {id(outcome) for task, outcome in judged if exactly(task, outcome)}
    assert len(ours) > len(beside)
    assert [outcome.task for _, outcome in judged if (id(outcome) in ours) != outcome.right] == []


@pytest.mark.parametrize("task", [task for task in TASKS.values() if not task.needs], ids=lambda task: task.name)
def test_no_task_is_done_before_anybody_has_begun(task: Editing) -> None:
    assert not passes(task, task.before)
