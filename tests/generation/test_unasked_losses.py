"""A definition that disappears although nobody asked for that: the model is asked once, then a person decides."""

import pytest

from inlay import GenerateOptions, SafeFileWriteError, Workspace
from inlay.generation.generate import land_proposal

from .conftest import MakeBench, functions, whole

FILE = functions(8)
WITHOUT = FILE.replace("def f3():\n    return 3\n\n\n", "").replace("return 5", "return 50")
GOOD = FILE.replace("return 5", "return 50")
EDITS = GenerateOptions(mode="edits", format="search_replace")
REMOVING = "a.py\n<<<<<<< SEARCH\ndef f3():\n    return 3\n\n\ndef f4():\n=======\ndef f4():\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("options", "answer"), [(None, whole("a.py", WITHOUT)), (EDITS, REMOVING)], ids=["whole", "edits"]
)
def test_a_lost_definition_is_sent_back_once_and_then_needs_a_person(
    bench: MakeBench, options: GenerateOptions | None, answer: str
) -> None:
    with bench(answer, answer, files={"a.py": FILE}) as b:
        proposal = b.propose("a.py", say="let f5 return 50", options=options)
    assert [attempt.error for attempt in proposal.attempts] == ["shrinkage", ""]
    assert "f3" in b.server.seen[1].last
    assert "If it is meant, send the same again." in b.server.seen[1].last
    with pytest.raises(SafeFileWriteError, match="f3") as caught:
        land_proposal(proposal, Workspace(b.root))
    assert [reason.code for need in caught.value.needs for reason in need.reasons] == ["shrinkage"]
    assert (b.root / "a.py").read_text() == FILE


def test_a_model_that_is_asked_may_put_it_back(bench: MakeBench) -> None:
    with bench(whole("a.py", WITHOUT), whole("a.py", GOOD), files={"a.py": FILE}) as b:
        proposal = b.propose("a.py", say="let f5 return 50")
        land_proposal(proposal, Workspace(b.root))
    assert [attempt.error for attempt in proposal.attempts] == ["shrinkage", ""]
    assert (b.root / "a.py").read_text() == GOOD


@pytest.mark.parametrize("say", ["Remove `f3`. Let f5 return 50.", "inline f3 into f4; let f5 return 50"])
def test_what_the_task_gives_up_needs_nobody(bench: MakeBench, say: str) -> None:
    with bench(whole("a.py", WITHOUT), files={"a.py": FILE}) as b:
        proposal = b.propose("a.py", say=say)
        land_proposal(proposal, Workspace(b.root))
    assert [attempt.error for attempt in proposal.attempts] == [""]
    assert (b.root / "a.py").read_text() == WITHOUT


@pytest.mark.parametrize(
    "say", ["Do not remove f3.", "Replace f5, and keep f3.", "Remove f33.", "f3 is fine. Remove f5.", "Call f3 twice."]
)
def test_words_about_something_else_give_nothing_up(bench: MakeBench, say: str) -> None:
    with bench(whole("a.py", WITHOUT), whole("a.py", GOOD), files={"a.py": FILE}) as b:
        proposal = b.propose("a.py", say=say)
    assert [attempt.error for attempt in proposal.attempts] == ["shrinkage", ""]


def test_a_definition_of_a_small_file_counts_as_well(bench: MakeBench) -> None:
    good = functions(2).replace("return 0", "return 10")
    with bench(whole("a.py", functions(1)), whole("a.py", good), files={"a.py": functions(2)}) as b:
        proposal = b.propose("a.py")
    assert [attempt.error for attempt in proposal.attempts] == ["shrinkage", ""]


def test_a_definition_with_another_name_is_not_lost(bench: MakeBench) -> None:
    renamed = FILE.replace("def f3", "def three")
    with bench(whole("a.py", renamed), files={"a.py": FILE}) as b:
        land_proposal(b.propose("a.py", say="use words"), Workspace(b.root))
    assert (b.root / "a.py").read_text() == renamed
