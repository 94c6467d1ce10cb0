"""What happens when an answer will not do: it is asked for again, with what was wrong, within its limits."""

import asyncio
import logging

import pytest

from inlay import (
    EditsRefused,
    GenerateOptions,
    ImplementationError,
    LimitReached,
    Limits,
    ProviderFailure,
    StaleFile,
    Task,
    Workspace,
    generate,
    propose,
)
from inlay.generation.events import AttemptFailed, Retrying
from inlay.llm.limits import Spending
from inlay.storage.stores import metrics
from loopback import Seen, replies

from .conftest import MakeBench, change, functions, whole

GOOD = whole("a.py", "x = 2\n")
BROKEN = whole("a.py", "x = (2\n")


def test_a_good_answer_takes_one_request(bench: MakeBench) -> None:
    with bench(GOOD) as b:
        (b.root / "a.py").write_text("x = 1\n")
        proposal = b.propose("a.py")
    assert (len(b.server.seen), len(proposal.attempts), b.after(proposal, "a.py")) == (1, 1, "x = 2\n")
    assert (b.root / "a.py").read_text() == "x = 1\n"  # a proposal writes nothing
    assert proposal.cost == pytest.approx((100 * 3 + proposal.usage.output * 15) / 1e6)


def test_code_that_does_not_parse_is_mended_with_the_error_in_the_prompt(
    bench: MakeBench, caplog: pytest.LogCaptureFixture
) -> None:
    with bench(BROKEN, GOOD) as b, caplog.at_level(logging.WARNING, "inlay"):
        (b.root / "a.py").write_text("x = 1\n")
        proposal = b.propose("a.py")
    assert b.after(proposal, "a.py") == "x = 2\n"
    assert [attempt.error for attempt in proposal.attempts] == ["syntax", ""]
    told = b.server.seen[1].last
    assert "was never closed" in told
    assert "[syntax]" in told
    assert any(line.startswith("[RETRY 1] Validation: ") and "never closed" in line for line in caplog.messages)
    assert b.pauses == []


def test_retries_only_add_to_the_conversation(bench: MakeBench) -> None:
    with bench(BROKEN, BROKEN, GOOD) as b:
        (b.root / "a.py").write_text("x = 1\n")
        (b.root / "AGENTS.md").write_text("Use tabs.\n")
        b.propose("a.py")
    first, second, third = b.server.seen
    assert first.system == second.system == third.system
    assert second.messages[: len(first.messages)] == first.messages
    assert third.messages[: len(second.messages)] == second.messages
    assert [role for role, _ in third.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert second.messages[1][1] == BROKEN.strip()


def test_three_answers_that_will_not_do_are_the_end(bench: MakeBench) -> None:
    with (
        bench(BROKEN, replies.prose(), replies.empty(), GOOD, files={"a.py": "x = 1\n"}) as b,
        pytest.raises(ImplementationError) as failed,
    ):
        b.propose("a.py")
    assert (len(b.server.seen), failed.value.attempts, failed.value.exit_code) == (3, 3, 3)
    message = str(failed.value)
    assert message.index("attempt 1: ") < message.index("[syntax]") < message.index("attempt 2: no edits found")
    assert message.index("attempt 2: ") < message.index("attempt 3: the answer was empty [empty]")
    assert (b.root / "a.py").read_text() == "x = 1\n"


@pytest.mark.parametrize("most", [1, 2, 5])
def test_how_often_can_be_said(bench: MakeBench, most: int) -> None:
    with bench(lambda seen: BROKEN, files={"a.py": "x = 1\n"}) as b, pytest.raises(ImplementationError):
        b.propose("a.py", options=GenerateOptions(limits=Limits(attempts=most)))
    assert len(b.server.seen) == most


def test_an_error_on_the_way_is_waited_out_and_counts(bench: MakeBench, caplog: pytest.LogCaptureFixture) -> None:
    script = (replies.failed(500), replies.rate_limited("7"), GOOD)
    with bench(*script) as b, caplog.at_level(logging.WARNING, "inlay"):
        (b.root / "a.py").write_text("x = 1\n")
        proposal = b.propose("a.py")
    assert [attempt.error for attempt in proposal.attempts] == ["transient", "rate-limit", ""]
    assert 0.5 <= b.pauses[0] <= 1.0
    assert 7 <= b.pauses[1] <= 8
    assert len(b.server.seen) == 3
    assert b.server.seen[0].body["messages"] == b.server.seen[2].body["messages"]
    assert [line[: len("[RETRY 1] API error: ")] for line in caplog.messages] == [
        "[RETRY 1] API error: ",
        "[RETRY 2] API error: ",
    ]


def test_errors_on_the_way_and_bad_answers_share_one_limit(bench: MakeBench) -> None:
    script = (replies.failed(500), BROKEN, replies.overloaded(), GOOD)
    with bench(*script, files={"a.py": "x = 1\n"}) as b, pytest.raises(ImplementationError) as failed:
        b.propose("a.py")
    assert (len(b.server.seen), failed.value.exit_code) == (3, 5)
    assert [event.attempt.error for event in b.events if isinstance(event, AttemptFailed)] == [
        "transient",
        "syntax",
        "overloaded",
    ]


@pytest.mark.parametrize("status", [400, 401, 403])
def test_what_will_not_get_better_is_not_tried_again(bench: MakeBench, status: int) -> None:
    with bench(replies.failed(status), GOOD, files={"a.py": "x = 1\n"}) as b, pytest.raises(ProviderFailure) as failed:
        b.propose("a.py")
    assert (len(b.server.seen), failed.value.kind, b.pauses) == (1, "permanent", [])


def test_a_refusal_is_asked_about_again_like_any_bad_answer(bench: MakeBench) -> None:
    with bench(replies.refusal(), GOOD) as b:
        (b.root / "a.py").write_text("x = 1\n")
        proposal = b.propose("a.py")
    assert [attempt.error for attempt in proposal.attempts] == ["refused", ""]
    assert proposal.attempts[0].message == "the model refused to answer: I cannot help with that."


def test_only_the_edit_that_does_not_fit_is_asked_for_again(bench: MakeBench) -> None:
    first = change(1, "f3", "3", "30") + change(2, "f5", "five", "50") + change(3, "f9", "9", "90")
    with bench(first, change(1, "f5", "5", "50")) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    expected = functions(300)
    for n in (3, 5, 9):
        expected = expected.replace(f"return {n}\n", f"return {n}0\n")
    assert b.after(proposal, "big.py") == expected
    told = b.server.seen[1].last
    assert "edit 2 of your last answer, big.py: the block is not in the file [not-found]" in told
    assert "- big.py: f3 gives 30\n- big.py: f9 gives 90" in told
    assert "do not repeat the edits that were accepted" in told
    assert [event.held for event in b.events if isinstance(event, Retrying)] == [2]
    assert [match.edit for match in proposal.changes.changes[0].matches] == [1, 2, 3]


def test_a_model_that_sends_everything_again_is_understood(bench: MakeBench) -> None:
    good = change(1, "f3", "3", "30")
    same_but_longer = good.replace("def f3", "\n\ndef f3")  # more context, the same effect
    again = same_but_longer + change(2, "f5", "5", "50")
    with bench(good + change(2, "f5", "five", "50"), again) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    expected = functions(300).replace("return 3\n", "return 30\n").replace("return 5\n", "return 50\n")
    assert b.after(proposal, "big.py") == expected


def test_a_changed_mind_about_a_held_edit_is_never_half_applied(bench: MakeBench) -> None:
    first = change(1, "f3", "3", "30") + change(2, "f5", "five", "50")
    second = change(1, "f3", "3", "33") + change(2, "f5", "5", "50")
    with bench(first, second, second) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert "Send all edits of big.py again, the good ones as well." in b.server.seen[2].last
    expected = functions(300).replace("return 3\n", "return 33\n").replace("return 5\n", "return 50\n")
    assert b.after(proposal, "big.py") == expected


def test_an_edit_that_was_asked_for_again_cannot_be_forgotten(bench: MakeBench) -> None:
    first = change(1, "f3", "3", "30") + change(2, "f5", "five", "50")
    with bench(first, change(1, "f3", "3", "30"), change(1, "f5", "5", "50")) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    expected = functions(300).replace("return 3\n", "return 30\n").replace("return 5\n", "return 50\n")
    assert [attempt.error for attempt in proposal.attempts] == ["not-found", "fewer-edits", ""]
    assert b.after(proposal, "big.py") == expected
    assert "ALL EDITS SENT" not in b.server.seen[2].last


def test_edits_that_were_good_cannot_be_lost_with_a_bad_one(bench: MakeBench) -> None:
    """Asked for all edits of a broken file again, a model may send the mended one only."""
    first = change(1, "f3", "3", "30") + change(2, "f5", "5", "(50")
    with bench(first, change(1, "f5", "5", "50"), change(1, "f3", "3", "30")) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    expected = functions(300).replace("return 3\n", "return 30\n").replace("return 5\n", "return 50\n")
    assert [attempt.error for attempt in proposal.attempts] == ["syntax", "fewer-edits", ""]
    assert b.after(proposal, "big.py") == expected
    assert "2 edits were to be sent again, and 1 came" in b.server.seen[2].last


def test_one_edit_may_do_the_work_of_several_if_the_model_says_so(bench: MakeBench) -> None:
    first = change(1, "f3", "3", "30") + change(2, "f5", "5", "(50")
    with bench(first, change(1, "f5", "5", "50"), "ALL EDITS SENT") as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert b.after(proposal, "big.py") == functions(300).replace("return 5\n", "return 50\n")


def test_of_several_that_were_asked_for_again_none_is_forgotten(bench: MakeBench) -> None:
    wrong = change(2, "f5", "five", "50") + change(3, "f9", "nine", "90")
    with bench(change(1, "f3", "3", "30") + wrong, change(1, "f5", "5", "50"), change(1, "f9", "9", "90")) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    after = b.after(proposal, "big.py")
    assert all(f"def f{n}():\n    return {n}0\n" in after for n in (3, 5, 9))


def test_an_edit_beside_one_that_only_counts_lines_is_held(bench: MakeBench) -> None:
    edits = '{"oldText": "    return 7\\n", "newText": "    return 70\\n"}'
    blind = '{"range": {"start": 2, "end": 2}, "newText": "    return 99"}'
    seeing = '{"path": "big.py", "edits": [{"oldText": "    return 8\\n", "newText": "    return 80\\n"}]}'
    with bench(f'{{"path": "big.py", "edits": [{edits}, {blind}]}}', seeing) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py", options=GenerateOptions(format="json_edits"))
    after = b.after(proposal, "big.py")
    assert "def f7():\n    return 70\n" in after
    assert "def f8():\n    return 80\n" in after


def test_after_an_answer_that_cannot_be_read_all_of_it_is_wanted(bench: MakeBench) -> None:
    first = change(1, "f3", "3", "30") + change(2, "f5", "five", "50")
    with bench(first, replies.prose(), change(1, "f5", "5", "50")) as b:
        (b.root / "big.py").write_text(functions(300))
        b.propose("big.py")
    assert "Send all of your last answer again, corrected; do not repeat" in b.server.seen[2].last


def test_nothing_of_a_file_that_would_break_is_held(bench: MakeBench) -> None:
    both = "## big.py\n\n" + change(1, "f3", "3", "(30") + whole("b.py", "y = 2\n")
    with bench(both, change(1, "f3", "3", "30")) as b:
        (b.root / "big.py").write_text(functions(300))
        (b.root / "b.py").write_text("y = 1\n")
        proposal = b.propose("big.py", "b.py")
    assert "return 30\n" in b.after(proposal, "big.py")  # which file is meant need not be said again
    assert b.after(proposal, "b.py") == "y = 2\n"
    told = b.server.seen[1].last
    assert "- b.py: the whole file" in told
    assert "Send all edits of big.py again" in told


def test_a_file_that_shrinks_is_doubted_once_and_then_left_to_a_person(bench: MakeBench) -> None:
    short = whole("a.py", "x = 2\n")
    with bench(short, short) as b:
        (b.root / "a.py").write_text("x = 1\n" * 150)
        proposal = b.propose("a.py")
    assert [attempt.error for attempt in proposal.attempts] == ["shrinkage", ""]
    assert [finding.code for finding in proposal.findings] == ["shrinkage"]
    assert "If it is meant, send the same again." in b.server.seen[1].last


def test_a_piece_in_place_of_a_small_file_is_doubted(bench: MakeBench) -> None:
    piece, good = (
        "Here it is:\n\n```python\ndef f3():\n    return 30\n```\n",
        functions(9).replace("return 3\n", "return 30\n"),
    )
    with bench(piece, whole("a.py", good), files={"a.py": functions(9)}) as b:
        proposal = b.propose("a.py")
    assert [attempt.error for attempt in proposal.attempts] == ["partial-file", ""]
    assert b.after(proposal, "a.py") == good


def test_an_answer_that_changes_nothing_is_doubted(bench: MakeBench) -> None:
    with bench(whole("a.py", "x = 1\n"), GOOD) as b:
        (b.root / "a.py").write_text("x = 1\n")
        proposal = b.propose("a.py")
    assert [attempt.error for attempt in proposal.attempts] == ["no-change", ""]


def test_a_new_file_that_is_missing_is_asked_for_and_the_rest_is_held(bench: MakeBench) -> None:
    with bench(GOOD, whole("new.py", "y = 1\n")) as b:
        (b.root / "a.py").write_text("x = 1\n")
        proposal = b.propose("a.py", "new.py")
    assert [attempt.error for attempt in proposal.attempts] == ["missing-file", ""]
    assert {str(change.path) for change in proposal.changes.changes} == {"a.py", "new.py"}


def test_an_edit_by_line_numbers_alone_is_not_believed(bench: MakeBench) -> None:
    blind = '{"path": "big.py", "edits": [{"range": {"start": 2, "end": 2}, "newText": "    return 99"}]}'
    seeing = '{"path": "big.py", "edits": [{"oldText": "    return 7\\n", "newText": "    return 70\\n"}]}'
    with bench(blind, seeing) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py", options=GenerateOptions(format="json_edits"))
    assert [attempt.error for attempt in proposal.attempts] == ["range-only", ""]
    assert "Always give `oldText`" in b.server.seen[0].system


# --- limits --------------------------------------------------------------------------------------------------------


def test_a_limit_on_tokens_is_stated_when_it_ends_the_work(bench: MakeBench) -> None:
    with (
        bench(lambda seen: BROKEN, files={"a.py": "x = 1\n"}) as b,
        pytest.raises(LimitReached, match="the limit of 300 tokens") as failed,
    ):
        b.propose("a.py", options=GenerateOptions(limits=Limits(attempts=9, tokens=300)))
    assert failed.value.limit == "tokens"


def test_a_limit_on_money_is_stated_when_it_ends_the_work(bench: MakeBench) -> None:
    with bench(lambda seen: BROKEN, files={"a.py": "x = 1\n"}) as b, pytest.raises(LimitReached) as failed:
        b.propose("a.py", options=GenerateOptions(limits=Limits(attempts=9, cost=0.0008)))
    assert failed.value.limit == "cost"
    assert 1 <= len(b.server.seen) <= 3


def test_a_limit_on_time_ends_a_wait_before_it_begins(bench: MakeBench) -> None:
    with bench(replies.rate_limited("60"), GOOD, files={"a.py": "x = 1\n"}) as b, pytest.raises(LimitReached) as failed:
        b.propose("a.py", options=GenerateOptions(limits=Limits(seconds=30)))
    assert (failed.value.limit, b.pauses) == ("seconds", [])


def test_many_tasks_share_one_account(bench: MakeBench) -> None:
    async def both() -> None:
        spending = Spending(Limits(tokens=10_000))
        for name in ("a.py", "b.py"):
            await propose(Task((name,), "go"), Workspace(b.root), b.model, spending=spending)
        assert spending.usage.input == 200

    def answer(seen: Seen) -> str:
        return whole("a.py" if "\na.py:" in seen.last else "b.py", "x = 2\n")

    with bench(answer) as b:
        for name in ("a.py", "b.py"):
            (b.root / name).write_text("x = 1\n")
        asyncio.run(both())


def test_a_request_that_cannot_fit_the_model_is_not_sent(bench: MakeBench) -> None:
    info = {"anthropic:claude-test": {"context": 1_000, "max_output": 500}}
    with (
        bench(GOOD, models=info, files={"a.py": "x = 1\n" * 400}) as b,
        pytest.raises(ProviderFailure, match="does not fit"),
    ):
        b.propose("a.py")
    assert b.server.seen == []


def test_earlier_answers_make_room_where_there_is_little(bench: MakeBench) -> None:
    info = {"anthropic:claude-test": {"context": 3_000, "max_output": 1_200}}
    broken, good = whole("a.py", "x = 1\n" * 300 + "y = (\n"), whole("a.py", "x = 1\n" * 300 + "y = 2\n")
    with bench(broken, broken, good, models=info, files={"a.py": "x = 1\n" * 300}) as b:
        proposal = b.propose("a.py", options=GenerateOptions(mode="whole"))
    assert b.after(proposal, "a.py").endswith("y = 2\n")
    first, _, third = b.server.seen
    assert third.messages[0] == first.messages[0]
    assert [role for role, _ in third.messages] == ["user", "assistant", "user"]
    assert "was left out" in third.messages[1][1]
    assert "never closed" in third.last


def test_a_file_that_changes_meanwhile_is_not_overwritten(bench: MakeBench) -> None:
    def answer(seen: Seen) -> str:
        (b.root / "a.py").write_text("x = 'somebody was here'\n")
        return GOOD

    with bench(answer, files={"a.py": "x = 1\n"}) as b, pytest.raises(StaleFile):
        generate(Task(("a.py",), "go"), Workspace(b.root), b.model)
    assert (b.root / "a.py").read_text() == "x = 'somebody was here'\n"


def test_a_file_that_changes_elsewhere_meanwhile_is_merged(bench: MakeBench) -> None:
    old = "".join(f"v{number} = {number}\n" for number in range(9))

    def answer(seen: Seen) -> str:
        (b.root / "a.py").write_text(old.replace("v7 = 7", "v7 = 77"))
        return "a.py\n<<<<<<< SEARCH\nv1 = 1\n=======\nv1 = 11\n>>>>>>> REPLACE\n"

    with bench(answer, files={"a.py": old}) as b:
        landing = generate(Task(("a.py",), "go"), Workspace(b.root), b.model, GenerateOptions(mode="edits"))
        assert (b.root / "a.py").read_text() == old.replace("v7 = 7", "v7 = 77").replace("v1 = 1", "v1 = 11")
    assert landing.changes.changes[0].matches[0].adapted == ("merged with the file as it is now",)


def test_a_merged_file_is_checked_again(bench: MakeBench) -> None:
    old = "# a\n# b\n# c\n# d\n"

    def answer(seen: Seen) -> str:
        (b.root / "a.py").write_text("if True:\n    pass\n" + old + "else:\n    pass\n")
        return "a.py\n<<<<<<< SEARCH\n# b\n# c\n=======\n# b\nx = 1\n# c\n>>>>>>> REPLACE\n"

    with bench(answer, files={"a.py": old}) as b, pytest.raises(EditsRefused) as caught:
        generate(Task(("a.py",), "go"), Workspace(b.root), b.model, GenerateOptions(mode="edits"))
    assert [misfit.code for misfit in caught.value.misfits] == ["syntax"]


def test_a_task_without_files_is_a_mistake(bench: MakeBench) -> None:
    with bench() as b, pytest.raises(ValueError, match="at least one file"):
        b.propose()


# --- metrics -------------------------------------------------------------------------------------------------------


def test_what_it_took_is_kept_without_content(bench: MakeBench) -> None:
    with bench(BROKEN, GOOD, *[replies.prose()] * 3) as b:
        (b.root / "a.py").write_text("x = 1\n")
        b.propose("a.py", say="a canary in the instruction")
        with pytest.raises(ImplementationError):
            b.propose("a.py")
        done, failed = metrics.read(b.root)
    assert (done.job, done.outcome, done.attempts, done.errors) == ("edit", "done", 2, ("syntax",))
    assert (failed.outcome, failed.attempts, failed.errors) == ("failed", 3, ("no-edits",) * 3)
    assert done.whole_tokens is not None
    assert "canary" not in (b.root / ".inlay/metrics.jsonl").read_text()
