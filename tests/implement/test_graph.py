"""The workflow from a document to green tests, with models that do as they are told."""

import json
from pathlib import Path

import pytest

import greeting
from greeting import RIGHT, TESTS, Scripted
from inlay.implement.workflow.run_events import RunEvent
from inlay.implement.workflow.run_state import checked
from inlay.model.run import RunOptions
from inlay.storage.stores import runs

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def plain_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of the small project need no plugins, and start faster without."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def test_a_document_becomes_code_with_green_tests(tmp_path: Path) -> None:
    root, model = greeting.build(tmp_path), Scripted()
    events: list[RunEvent] = []
    ending = greeting.implement(root, model, events=events, implement__test_command=None)
    assert (ending.status, ending.exit_code) == ("green", 0)
    assert {path: text for path, text in greeting.tree(root).items() if path in RIGHT} == dict(RIGHT)
    assert model.labels == [
        f"implement:test:{TESTS}",
        "implement:code:greet/names.py",
        "implement:code:greet/words.py",
        "implement:code:greet/hello.py",
    ]
    steps = list(dict.fromkeys(event.step for event in events))
    assert steps == ["load", "gate", "tests", "generate", "write", "red", "green", "report"]
    assert ending.report is not None
    assert [(each.id, each.holds, each.tests[0].outcome) for each in ending.report.requirements] == [
        ("1", True, "passed"),
        ("2", True, "passed"),
        ("3", True, "passed"),
        ("4", True, "passed"),
    ]
    assert ending.report.coverage == {"greet/names.py": 100.0, "greet/words.py": 100.0, "greet/hello.py": 100.0}
    assert ending.report.left == ()


def test_the_report_is_kept_for_people_and_for_programs(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    model = Scripted(
        {"code:greet/names.py": ["no code here", greeting.whole("greet/names.py", RIGHT["greet/names.py"])]}
    )
    greeting.implement(root, model)
    folder = runs.find(str(root), "1")
    told = json.loads(folder.load("report.json") or "")
    names = next(file for file in told["files"] if file["path"] == "greet/names.py")
    assert names["attempts"] == 2
    assert len(names["errors"]) == 1
    assert names["tokens"] > 0
    assert told["cost"] > 0
    assert told["requirements"][0]["tests"] == [{"test": "test_tidy", "outcome": "passed"}]
    shown = folder.load("report.md") or ""
    assert "| ✔ | 1 Names are tidied | test_tidy (passed) |" in shown
    assert "Errors during the run" in shown


def test_the_state_holds_no_contents(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    greeting.implement(root, Scripted())
    data = Path(runs.find(str(root), "1").checkpoints).read_bytes()
    assert b"implement" in data or b"greet/words.py" in data
    for text in (RIGHT["greet/words.py"], RIGHT["greet/hello.py"]):
        assert text.splitlines()[-1].strip().encode() not in data


def test_a_key_that_the_state_has_not_is_noticed() -> None:
    with pytest.raises(KeyError, match="'quue'"):
        checked({"quue": []})


def test_a_document_that_is_not_ready_stops_at_the_gate(tmp_path: Path) -> None:
    root, model = greeting.build(tmp_path), Scripted()
    broken = greeting.DOCUMENT.replace("`greet/hello.py` | Modify", "`greet/helo.py` | Modify")
    ending = greeting.implement(root, model, document=broken)
    assert (ending.status, ending.exit_code) == ("stopped", 1)
    assert "greet/helo.py" in ending.reason
    assert model.asked == []


def test_tests_that_pass_already_are_an_error_that_says_so(tmp_path: Path) -> None:
    root, model = greeting.build(tmp_path, tests=True), Scripted()
    for path in ("greet/names.py", "greet/words.py", "greet/hello.py"):
        (root / path).write_text(RIGHT[path])
    document = greeting.DOCUMENT.replace("| Add |", "| Modify |")
    document = document.replace(f"| `{TESTS}` | Modify | Tests |\n", "") + f"\nTests are in `{TESTS}`.\n"
    ending = greeting.implement(root, model, document=document)
    assert ending.status == "stopped"
    assert "already green" in ending.reason
    assert model.asked == []


def test_a_test_that_is_broken_itself_is_not_taken_for_red(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    (root / TESTS).write_text("from greet.hello import hello\n\ndef test_hello(:\n    pass\n")
    ending = greeting.implement(root, Scripted())
    assert ending.status == "stopped"
    assert "wrong reason" in ending.reason
    assert greeting.written(root) == []


def test_tests_of_the_runs_own_making_are_mended_until_they_fail_for_the_right_reason(tmp_path: Path) -> None:
    root = greeting.build(tmp_path)
    wrong = RIGHT[TESTS].replace("def test_tidy():", "def test_tidy(nonesuch):")
    model = Scripted({f"test:{TESTS}": [greeting.whole(TESTS, wrong), greeting.whole(TESTS, RIGHT[TESTS])]})
    ending = greeting.implement(root, model, implement__test_command=None)
    assert ending.status == "green"
    assert model.labels.count(f"implement:test:{TESTS}") == 2
    assert "nonesuch" in model.asked[1].prompt.text
    assert (root / TESTS).read_text() == RIGHT[TESTS]


def test_failures_go_back_to_the_file_they_come_from(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    wrong = RIGHT["greet/words.py"].replace("good day", "good evening")
    model = Scripted({"code:greet/words.py": greeting.whole("greet/words.py", wrong)})
    ending = greeting.implement(root, model)
    assert ending.status == "green"
    assert [label for label in model.labels if "mend" in label] == ["implement:mend1:greet/words.py"]
    said = model.asked[-1].prompt.text
    assert "test_word" in said
    assert "good evening" in said
    assert ending.report is not None
    assert ending.report.iterations == 1


def test_what_makes_it_worse_is_taken_back(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    path = "greet/words.py"
    wrong = RIGHT[path].replace("good day", "good evening")
    worse = "def word(hour):\n    return 'nothing'\n"
    model = Scripted({f"code:{path}": greeting.whole(path, wrong), f"mend1:{path}": greeting.whole(path, worse)})
    events: list[RunEvent] = []
    ending = greeting.implement(root, model, events=events)
    assert ending.status == "green"
    assert any("best state" in event.message for event in events)
    # The third try sees the file as it was best, and hears what became of the second.
    assert "good evening" in model.asked[-1].prompt.text
    assert "was reverted" in model.asked[-1].prompt.text


def test_the_best_state_stays_when_nothing_helps(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    path = "greet/words.py"
    wrong = RIGHT[path].replace("good day", "good evening")
    worse = "def word(hour):\n    return 'nothing'\n"
    model = Scripted({f"code:{path}": greeting.whole(path, wrong), f":{path}": greeting.whole(path, worse)})
    ending = greeting.implement(root, model, options=RunOptions(max_iterations=1))
    assert (ending.status, ending.exit_code) == ("stopped", 1)
    assert "after 1 corrections" in ending.reason
    assert (root / path).read_text() == wrong
    assert ending.report is not None
    assert ending.report.failing == (f"{TESTS}::test_word",)


def test_a_failure_that_was_there_before_is_nobodys_fault(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    (root / "tests/test_old.py").write_text("def test_old():\n    assert 1 == 2\n")
    assert greeting.implement(root, Scripted()).status == "green"


def test_breaking_another_test_is_noticed_by_the_whole_suite(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    (root / "tests/test_old.py").write_text(
        "from greet import hello\n\n\ndef test_it_counts():\n    assert not hasattr(hello, 'word')\n"
    )
    ending = greeting.implement(root, Scripted(), options=RunOptions(max_iterations=0))
    assert ending.status == "stopped"
    assert "test_it_counts" in ending.reason


def test_too_little_coverage_leads_to_more_tests(tmp_path: Path) -> None:
    root = greeting.build(tmp_path)
    path = "greet/names.py"
    branchy = "def tidy(name):\n    if not name:\n        return 'you'\n    return name.strip()\n"
    more = RIGHT[TESTS] + "\n\ndef test_nobody():\n    from greet.names import tidy\n\n    assert tidy('') == 'you'\n"
    model = Scripted({f"code:{path}": greeting.whole(path, branchy), f"cover1:{TESTS}": greeting.whole(TESTS, more)})
    ending = greeting.implement(root, model, implement__coverage=100.0, implement__test_command=None)
    assert ending.status == "green"
    assert (root / path).read_text() == branchy
    assert "line 3: return 'you'" in model.asked[-1].prompt.text
    assert (root / TESTS).read_text() == more


def test_a_file_the_document_deletes_waits_for_a_person(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    (root / "greet/old.py").write_text("x = 1\n")
    row = "| `greet/old.py` | Delete | Not needed |\n"
    document = greeting.DOCUMENT.replace("| `greet/names.py` | Add", f"{row}| `greet/names.py` | Add")
    ending = greeting.implement(root, Scripted(), document=document)
    assert (ending.status, ending.exit_code) == ("waiting", 4)
    assert ending.question is not None
    assert ending.question["files"][0]["path"] == "greet/old.py"
    assert (root / "greet/old.py").exists()
    done = greeting.resume(root, Scripted(), answer={"decisions": [{"path": "*", "verdict": "approve"}]})
    assert done.status == "green"
    assert not (root / "greet/old.py").exists()


def test_a_denial_ends_the_run(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    model = greeting.lengthen(root)
    assert greeting.implement(root, model).status == "waiting"
    before = (root / "greet/hello.py").read_text()
    ending = greeting.resume(root, model, answer={"decisions": [{"path": "*", "verdict": "abort"}]})
    assert (ending.status, ending.exit_code) == ("stopped", 4)
    assert "the change was rejected" in ending.reason
    assert (root / "greet/hello.py").read_text() == before


def test_an_answer_that_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    model = greeting.lengthen(root)
    greeting.implement(root, model)
    assert greeting.resume(root, model, answer={"nonsense": 1}).status == "waiting"
    yes = {"decisions": [{"path": "greet/hello.py", "verdict": "approve"}]}
    assert greeting.resume(root, model, answer=yes).status == "green"
    assert model.repeated == []


def test_a_definition_that_disappears_is_asked_about_once_and_then_waits_for_a_person(tmp_path: Path) -> None:
    root = greeting.build(tmp_path, tests=True)
    path = "greet/hello.py"
    old = (root / path).read_text() + "\n\ndef others(names):\n    return [hello(name) for name in names]\n"
    (root / path).write_text(old)
    model = Scripted()
    ending = greeting.implement(root, model)
    assert (ending.status, ending.exit_code) == ("waiting", 4)
    assert ending.question is not None
    assert "others" in str(ending.question["files"][0]["reasons"])
    assert [request.label for request in model.asked].count(f"implement:code:{path}") == 2
    assert "others" in next(request.prompt.text for request in reversed(model.asked) if path in request.label)
    assert (root / path).read_text() == old
    done = greeting.resume(root, Scripted(), answer={"decisions": [{"path": "*", "verdict": "approve"}]})
    assert done.status == "green"
