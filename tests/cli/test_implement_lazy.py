"""Models that are lazy in every way the field reports, over a real wire: none gets past `inlay implement`."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import greeting
from greeting import RIGHT, TESTS, whole
from loopback import Loopback, Reply, Seen

NAMES = "greet/names.py"
WORDS = "greet/words.py"
Lazy = Callable[[str, str, Seen], "str | Reply | None"]
_ASKED = re.compile(r"(Write the new (?:test )?file|Change the file|Fix|Add (?:the )?tests to) ([\w/.]+\w)")


@pytest.fixture(autouse=True)
def quick_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("INLAY_IMPLEMENT_TEST_COMMAND", greeting.COMMAND)


@pytest.fixture
def told(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, dict[str, Any], Path]]:
    """`inlay implement` with a lazy model: the exit code, what it says about the run, and the project."""

    def implement(lazy: Lazy, *, tests: bool = True, document: str = greeting.DOCUMENT, **environ: str) -> Any:
        root = tmp_path / "greeting"
        root.mkdir()
        greeting.build(root, tests=tests)
        (root / "design.md").write_text(document)

        def say(seen: Seen) -> str | Reply:
            verb, path = _asked(seen)
            return lazy(verb, path, seen) or whole(path, RIGHT[path])

        with Loopback(say) as server:
            for name, value in {**server.environ("anthropic"), **environ}.items():
                monkeypatch.setenv(name, value)
            if "INLAY_IMPLEMENT_COVERAGE" in environ:  # only pytest can be measured
                monkeypatch.delenv("INLAY_IMPLEMENT_TEST_COMMAND")
            done = run(
                "implement",
                str(root / "design.md"),
                "-C",
                str(root),
                "--model",
                "anthropic:claude-test",
                "--json",
            )
        return done.code, json.loads(done.out)["runs"][0], root

    return implement


def _asked(seen: Seen) -> tuple[str, str]:
    found = _ASKED.findall(seen.messages[0][1].rpartition("# Instruction")[2])
    return str(found[0][0]), str(found[0][1])


def only(path: str, reply: str | Reply) -> Lazy:
    return lambda verb, asked, seen: reply if asked == path else None


STUB = "def tidy(name):\n    raise NotImplementedError\n"
SUMMARY = '"""Tidies names: strips blanks around them, and is implemented as the document says."""\n'
SWALLOWED = RIGHT[WORDS].replace('raise ValueError(f"there is no hour {hour}")', "return 'good morning'")


@pytest.mark.parametrize(
    ("lazy", "code", "reason"),
    [
        pytest.param(only(NAMES, "I have written greet/names.py as asked."), 3, "greet/names.py", id="says it is done"),
        pytest.param(only(NAMES, whole(NAMES, SUMMARY)), 1, "fail", id="summary instead of code"),
        pytest.param(only(NAMES, whole(NAMES, STUB)), 1, "a correction changed nothing, .* as before", id="stub"),
        pytest.param(
            only(NAMES, Reply(whole(NAMES, RIGHT[NAMES])[:40], stop="max_tokens")), 3, "truncated", id="truncated"
        ),
        pytest.param(only(NAMES, whole("greet/other.py", RIGHT[NAMES])), 3, "greet/other.py", id="wrong file"),
        pytest.param(
            only(NAMES, whole(NAMES, STUB) + "\n" + whole(TESTS, "def test_tidy():\n    assert True\n")),
            3,
            TESTS,
            id="edits the tests",
        ),
        pytest.param(only(WORDS, whole(WORDS, SWALLOWED)), 1, "test_no_such_hour", id="deletes error handling"),
        pytest.param(
            only(NAMES, whole(NAMES, "import os\n\nos._exit(0)\n")), 1, "without a report", id="ends the tests early"
        ),
    ],
)
def test_no_lazy_code_is_taken_for_done(told: Callable[..., Any], lazy: Lazy, code: int, reason: str) -> None:
    exit_code, run, root = told(lazy)
    assert (exit_code, run["status"]) == (code, "stopped")
    assert re.search(reason, run["reason"]), run["reason"]
    assert (root / TESTS).read_text() == RIGHT[TESTS]
    assert not (root / "greet/other.py").exists()
    assert any("requirement" in left for left in run["left"])


def test_the_same_error_again_and_again_ends_early(told: Callable[..., Any]) -> None:
    asked: list[str] = []

    def lazy(verb: str, path: str, seen: Seen) -> str | None:
        asked.append(f"{verb} {path}")
        return (
            whole(WORDS, RIGHT[WORDS].replace("good day", "good evening") + f"# try {seen.number}\n")
            if path == WORDS
            else None
        )

    _, run, _ = told(lazy)
    assert "a correction changed nothing, 1 test fails as before" in run["reason"]
    assert asked.count(f"Fix {WORDS}") == 1


@pytest.mark.parametrize(
    "tests",
    [
        "def test_tidy():\n    assert True\n",
        "import pytest\n\n\ndef test_tidy():\n    pytest.fail('not written yet')\n",
        "from greet.hello import hello\n\n\ndef test_hello():\n    hello('Ada', 8)\n",
    ],
)
def test_hollow_tests_are_refused(told: Callable[..., Any], tests: str) -> None:
    exit_code, run, root = told(only(TESTS, whole(TESTS, tests)), tests=False)
    assert (exit_code, run["status"]) == (3, "stopped")
    assert re.search("asserts True|only says that it is not written|has no assertion", run["reason"])
    assert sum(file["attempts"] for file in run["files"]) == 3  # one allowance, whatever was wrong each time
    assert not (root / TESTS).exists()


def test_tests_that_the_document_lists_are_never_weakened(told: Callable[..., Any]) -> None:
    document = greeting.DOCUMENT.replace(f"`{TESTS}` | Add", f"`{TESTS}` | Modify")
    weaker = RIGHT[TESTS].replace('    assert word(15) == "good day"\n', "")
    exit_code, run, root = told(only(TESTS, whole(TESTS, weaker)), document=document)
    assert (exit_code, run["status"]) == (3, "stopped")
    assert "no longer asserts: word(15) == 'good day'" in run["reason"]
    assert (root / TESTS).read_text() == RIGHT[TESTS]


def test_a_shortfall_of_coverage_never_changes_code(told: Callable[..., Any]) -> None:
    guarded = "def tidy(name):\n    if name is None:\n        raise TypeError('no name')\n    return name.strip()\n"

    def lazy(verb: str, path: str, seen: Seen) -> str | None:
        if verb == "Add tests to":
            return whole(NAMES, RIGHT[NAMES])  # raises the figure by deleting what no test reaches
        return whole(NAMES, guarded) if path == NAMES else None

    exit_code, run, root = told(lazy, tests=False, INLAY_IMPLEMENT_COVERAGE="100")
    assert (exit_code, run["status"]) == (3, "stopped")
    assert NAMES in run["reason"]
    assert (root / NAMES).read_text() == guarded
