"""An answer that ends too early: what was complete is kept, the rest is asked for, and half a file is never used."""

import pytest

from inlay import GenerateOptions, ImplementationError, Limits
from loopback import replies

from .conftest import MakeBench, change, functions, whole

ONE, TWO, THREE = change(1, "f3", "3", "30"), change(2, "f5", "5", "50"), change(3, "f9", "9", "90")
TINY = {"anthropic:claude-test": {"context": 200_000, "max_output": 1_000}}


def expected(*numbers: int) -> str:
    text = functions(300)
    for n in numbers:
        text = text.replace(f"return {n}\n", f"return {n}0\n")
    return text


def test_complete_edits_are_kept_and_only_the_rest_is_asked_for(bench: MakeBench) -> None:
    with bench(replies.max_tokens(ONE + TWO[:60]), TWO + THREE) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert [attempt.error for attempt in proposal.attempts] == ["truncated", ""]
    assert b.after(proposal, "big.py") == expected(3, 5, 9)
    told = b.server.seen[1].last
    assert told.startswith("Your last answer was cut off before its end.")
    assert "These edits fit and are held:\n- big.py: f3 gives 30\n\nAn answer was cut off: send only the edits" in told


def test_the_last_edit_of_a_cut_answer_is_not_believed_even_where_it_looks_complete(bench: MakeBench) -> None:
    # What was meant went on after an inner fence; what arrived looks like the whole of it.
    looks_complete = ONE + TWO.removesuffix("\n")
    with bench(replies.max_tokens(looks_complete), TWO) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert b.after(proposal, "big.py") == expected(3, 5)
    assert "its last edit (f5 gives 50) may not have arrived whole" in b.server.seen[1].last


def test_an_answer_that_ends_in_mid_edit_is_cut_off_whatever_its_stop_reason_says(bench: MakeBench) -> None:
    with bench(ONE + TWO[:60], TWO) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert [attempt.error for attempt in proposal.attempts] == ["truncated", ""]
    assert b.after(proposal, "big.py") == expected(3, 5)


def test_edits_that_do_not_fit_are_asked_for_together_with_the_rest(bench: MakeBench) -> None:
    wrong = change(2, "f5", "five", "50")
    with bench(replies.max_tokens(ONE + wrong + THREE[:60]), TWO + THREE) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert b.after(proposal, "big.py") == expected(3, 5, 9)
    assert "[truncated]" in b.server.seen[1].last
    assert "[not-found]" in b.server.seen[1].last


def test_a_long_change_may_come_in_as_many_parts_as_there_are_attempts(bench: MakeBench) -> None:
    with bench(replies.max_tokens(ONE + TWO[:60]), replies.max_tokens(TWO + THREE[:60]), THREE) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert b.after(proposal, "big.py") == expected(3, 5, 9)


def test_where_edits_lead_nowhere_the_last_attempt_asks_for_the_whole_file_if_it_fits(bench: MakeBench) -> None:
    with bench(replies.max_tokens(ONE[:60]), replies.prose(), whole("big.py", expected(3))) as b:
        (b.root / "big.py").write_text(functions(300))
        proposal = b.propose("big.py")
    assert [attempt.mode for attempt in proposal.attempts] == ["edits", "edits", "whole"]
    assert b.after(proposal, "big.py") == expected(3)
    assert "# How to answer from now on\n\nAnswer with the complete new content" in b.server.seen[2].last
    assert b.server.seen[2].messages[:3] == b.server.seen[1].messages  # nothing before it has changed


def test_where_the_whole_file_does_not_fit_it_fails_with_the_file_untouched(bench: MakeBench) -> None:
    with (
        bench(lambda seen: replies.max_tokens(ONE[:60]), models=TINY, files={"big.py": functions(300)}) as b,
        pytest.raises(ImplementationError),
    ):
        b.propose("big.py")
    assert len(b.server.seen) == 3
    assert all("complete new content" not in seen.last for seen in b.server.seen)
    assert (b.root / "big.py").read_text() == functions(300)


def test_a_whole_file_that_was_cut_is_never_used_and_edits_are_asked_for(bench: MakeBench) -> None:
    half = whole("a.py", functions(60))[:500]
    with bench(replies.max_tokens(half), ONE) as b:
        (b.root / "a.py").write_text(functions(60))
        proposal = b.propose("a.py")
    assert [attempt.mode for attempt in proposal.attempts] == ["whole", "edits"]
    assert b.after(proposal, "a.py") == functions(60).replace("return 3\n", "return 30\n")
    assert "Write every change like this" in b.server.seen[1].last


def test_a_whole_file_that_was_cut_at_an_inner_fence_is_never_used(bench: MakeBench) -> None:
    text = "# A\n\n```sh\nls\n```\n\nand so on\n"
    cut = "README.md\n````markdown\n# A\n\n```sh\nls\n```\n````\n"  # looks closed
    with bench(replies.max_tokens(cut), replies.max_tokens(cut), replies.max_tokens(cut)) as b:
        (b.root / "README.md").write_text(text)
        with pytest.raises(ImplementationError):
            b.propose("README.md")
    assert (b.root / "README.md").read_text() == text


def test_a_new_file_that_was_cut_is_asked_for_again(bench: MakeBench) -> None:
    with bench(replies.max_tokens(whole("new.py", functions(60))[:500]), whole("new.py", "x = 1\n")) as b:
        proposal = b.propose("new.py")
    assert [attempt.mode for attempt in proposal.attempts] == ["whole", "whole"]
    assert b.after(proposal, "new.py") == "x = 1\n"


def test_of_several_new_files_those_that_arrived_are_kept(bench: MakeBench) -> None:
    first = whole("a.py", "x = 1\n")
    with bench(replies.max_tokens(first + whole("b.py", functions(60))[:500]), whole("b.py", "y = 1\n")) as b:
        proposal = b.propose("a.py", "b.py")
    assert (b.after(proposal, "a.py"), b.after(proposal, "b.py")) == ("x = 1\n", "y = 1\n")
    assert "- a.py: the whole file" in b.server.seen[1].last


@pytest.mark.parametrize("most", [1, 2])
def test_no_limit_is_passed_for_a_fallback(bench: MakeBench, most: int) -> None:
    with (
        bench(lambda seen: replies.max_tokens(ONE[:60]), files={"big.py": functions(300)}) as b,
        pytest.raises(ImplementationError),
    ):
        b.propose("big.py", options=GenerateOptions(limits=Limits(attempts=most)))
    assert len(b.server.seen) == most
