"""The workflow where something comes between: edits of somebody else, too little coverage, a person to be asked."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import greeting
from greeting import RIGHT, TESTS, Scripted, whole
from inlay.implement.workflow.run_events import RunEvent
from inlay.model.change import ChangeSet
from inlay.model.decision import Decision, Need
from inlay.model.prompt import Request
from inlay.model.run import RunOptions

pytestmark = pytest.mark.slow

HELLO, NAMES, WORDS = "greet/hello.py", "greet/names.py", "greet/words.py"


@pytest.fixture(autouse=True)
def plain_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def test_a_file_that_changes_while_the_model_thinks_is_asked_for_again(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)

    def meanwhile(request: Request) -> str:
        (root / HELLO).write_text(greeting.OLD + "# somebody else's\n")
        return whole(HELLO, RIGHT[HELLO])

    model = Scripted({f"code:{HELLO}": [meanwhile, whole(HELLO, RIGHT[HELLO] + "# somebody else's\n")]})
    ending = greeting.implement(root, model)
    assert ending.status == "green"
    assert "# somebody else's" in model.asked[-1].prompt.text
    assert (root / HELLO).read_text().endswith("# somebody else's\n")


def test_a_file_that_changes_elsewhere_while_the_model_thinks_is_merged(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    notes = "".join(f"# note {number}\n" for number in range(6))
    (root / HELLO).write_text(notes + greeting.OLD)

    def meanwhile(request: Request) -> str:
        (root / HELLO).write_text(notes.replace("note 1", "somebody else's") + greeting.OLD)
        return whole(HELLO, notes + RIGHT[HELLO])

    model = Scripted({f"code:{HELLO}": [meanwhile]})
    ending = greeting.implement(root, model)
    assert ending.status == "green"
    assert (root / HELLO).read_text() == notes.replace("note 1", "somebody else's") + RIGHT[HELLO]


def test_a_file_that_changes_again_and_again_is_left_to_somebody_else(tmp_path: Path) -> None:
    root, count = greeting.build(tmp_path, tests=True), iter(range(100))

    def meanwhile(request: Request) -> str:
        (root / HELLO).write_text(greeting.OLD + f"# change {next(count)}\n")
        return whole(HELLO, RIGHT[HELLO])

    ending = greeting.implement(root, Scripted({f"code:{HELLO}": meanwhile}))
    assert (ending.status, ending.exit_code) == ("stopped", 4)
    assert "another program writes to it" in ending.reason
    assert (root / HELLO).read_text() == greeting.OLD + "# change 3\n"


def test_going_back_to_the_best_state_never_takes_somebodys_work(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    wrong = RIGHT[WORDS].replace("good day", "good evening")
    model = Scripted(
        {f"code:{WORDS}": whole(WORDS, wrong), f"mend1:{WORDS}": whole(WORDS, "def word(hour):\n    return 1\n")}
    )
    marked = "def word(hour):\n    return 2  # mine\n"

    class Meddler(list[RunEvent]):
        """Changes the file while the tests run after the correction."""

        def append(self, event: RunEvent) -> None:
            if event.step == "green" and event.kind == "step" and any(each.step == "iterate" for each in self):
                (root / WORDS).write_text(marked)
            super().append(event)

    ending = greeting.implement(root, model, events=Meddler())
    assert (ending.status, ending.exit_code) == ("stopped", 4)
    assert f"{WORDS} was changed by another program" in ending.reason
    assert (root / WORDS).read_text() == marked


def test_a_file_of_the_runs_own_may_be_rewritten_without_asking(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    padding = "".join(f"# a line of its own, number {n}\n" for n in range(120))
    wrong = padding + RIGHT[NAMES].replace(".strip()", "")
    model = Scripted({f"code:{NAMES}": whole(NAMES, wrong), f"mend1:{NAMES}": whole(NAMES, padding + RIGHT[NAMES])})
    assert greeting.implement(root, model, options=RunOptions(auto=True)).status == "green"


def test_whoever_drives_the_run_may_be_asked(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    model, asked = greeting.lengthen(root), []

    def ask(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        asked.extend(needs)
        return [Decision(need.path, by="person") for need in needs]

    assert greeting.implement(root, model, ask=ask).status == "green"
    assert [str(need.path) for need in asked] == [HELLO]


def test_tests_written_for_coverage_that_fail_are_taken_back(tmp_path: Path) -> None:
    root = greeting.build(tmp_path)
    branchy = "def tidy(name):\n    if not name:\n        return 'you'\n    return name.strip()\n"
    wrong = RIGHT[TESTS] + "\n\ndef test_nobody():\n    from greet.names import tidy\n\n    assert tidy('') == 'me'\n"
    model = Scripted(
        {f"code:{NAMES}": whole(NAMES, branchy), f":{TESTS}": [whole(TESTS, RIGHT[TESTS]), whole(TESTS, wrong)]}
    )
    ending = greeting.implement(root, model, implement__coverage=100.0, implement__test_command=None)
    assert ending.status == "stopped"
    assert "failed and were removed" in ending.reason
    assert (root / TESTS).read_text() == RIGHT[TESTS]
    assert (root / NAMES).read_text() == branchy


def test_coverage_that_cannot_be_measured_is_not_taken_for_enough(tmp_path: Path) -> None:
    ending = greeting.implement(greeting.build(tmp_path, tests=True), Scripted(), implement__coverage=90.0)
    assert ending.status == "stopped"
    assert "90% coverage is required" in ending.reason
    assert "not measured" in ending.reason


def test_tests_of_others_are_not_added_to_for_coverage(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    branchy = "def tidy(name):\n    if not name:\n        return 'you'\n    return name.strip()\n"
    model = Scripted({f"code:{NAMES}": whole(NAMES, branchy)})
    ending = greeting.implement(root, model, implement__coverage=100.0, implement__test_command=None)
    assert ending.status == "stopped"
    assert "no test file may be changed" in ending.reason
    assert (root / TESTS).read_text() == RIGHT[TESTS]


def test_a_command_that_tells_of_no_test_still_decides(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    ending = greeting.implement(root, Scripted(), implement__test_command="test -e greet/words.py")
    assert ending.status == "green"
    root = greeting.build(tmp_path / "other", tests=True)
    ending = greeting.implement(root, Scripted(), implement__test_command="false")
    assert (ending.status, "(the command itself)" in ending.reason) == ("stopped", True)
