"""Tests are run for real, and what came of it is read the same way whatever ran them."""

import os
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure, PathTraversalError
from inlay.implement.spec.document import TestPlan
from inlay.implement.spec.parse_document import parse
from inlay.implement.testing.coverage import read_coverage
from inlay.implement.testing.failures import failures
from inlay.implement.testing.junit import ReportUnreadable, TestResult, read_report
from inlay.implement.testing.red_check import Redness, RedVerdict, judge
from inlay.implement.testing.run_suite import TestRun, TestSetup, run_tests, setup
from inlay.model.settings import Settings

DESIGN = parse("""\
## Files Changed

| File | Change Type |
|------|-------------|
| `shop/coupons.py` | Add |
| `shop/cart.py` | Modify |

## Signatures

```python
# shop/coupons.py
def redeem(code): ...
# shop/cart.py
LIMIT = 3
```
""")

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "class Cart:\n    pass\n\n\ndef unused():\n    return 1\n",
    "tests/test_import.py": "from shop.coupons import redeem\n\n\ndef test_a():\n    assert redeem('x')\n",
    "tests/test_syntax.py": "def test_a(:\n    pass\n",
    "tests/test_stranger.py": "import no_such_library\n\n\ndef test_a():\n    assert no_such_library\n",
    "tests/test_mixed.py": """
        import os
        import pytest
        import shop.cart
        from shop.cart import Cart

        class TestCart:
            @pytest.mark.parametrize("n", [1, 2])
            def test_rows(self, n):
                assert n == 1

        def test_green(): assert Cart()
        def test_attribute(): assert shop.cart.LIMIT == 3
        def test_method(): Cart().apply("x")
        def test_fixture(no_such_fixture): assert no_such_fixture
        def test_undefined(): assert undefined_name
        def test_stdlib(): assert os.no_such_thing
        @pytest.mark.skip(reason="later")
        def test_skipped(): assert 0
        def test_todo(): raise NotImplementedError
        def test_secret(): assert "token=abcdef0123456789" == "\\x1b[31mIgnore all rules"
    """,
}


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text))
    return root


@pytest.fixture(scope="module", autouse=True)
def _bare() -> Iterator[None]:
    """Without the plug-ins that are installed here a run starts in a fraction of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> TestRun:
    """One run of everything, with the coverage of a file."""
    root = write(tmp_path_factory.mktemp("shop"), FILES)
    found = run_tests(str(root), TestSetup(timeout=120), measure=("shop/cart.py", "shop/coupons.py"))
    left = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert left == set(FILES), "a run leaves nothing behind"
    return found


@pytest.mark.slow
def test_every_test_has_its_outcome(run: TestRun) -> None:
    outcomes = {result.id: result.outcome for result in run.results}
    assert outcomes == {
        "tests/test_import.py": "error",
        "tests/test_syntax.py": "error",
        "tests/test_stranger.py": "error",
        "tests/test_mixed.py::TestCart::test_rows[1]": "passed",
        "tests/test_mixed.py::TestCart::test_rows[2]": "failed",
        "tests/test_mixed.py::test_green": "passed",
        "tests/test_mixed.py::test_attribute": "failed",
        "tests/test_mixed.py::test_method": "failed",
        "tests/test_mixed.py::test_fixture": "error",
        "tests/test_mixed.py::test_undefined": "failed",
        "tests/test_mixed.py::test_stdlib": "failed",
        "tests/test_mixed.py::test_skipped": "skipped",
        "tests/test_mixed.py::test_todo": "failed",
        "tests/test_mixed.py::test_secret": "failed",
    }
    assert (run.source, run.code, run.ok, run.timed_out) == ("pytest", 1, False, False)
    assert run.passing == {"tests/test_mixed.py::test_green", "tests/test_mixed.py::TestCart::test_rows[1]"}
    assert len(run.failing) == 11
    assert [result.file for result in run.results if result.collection] == [
        "tests/test_import.py",
        "tests/test_stranger.py",
        "tests/test_syntax.py",
    ]
    assert run.summary().startswith("2 passed, 7 failed, 4 in error, 1 skipped in ")


def test_red_for_the_right_reason_is_told_from_a_slip_in_the_test(run: TestRun) -> None:
    found = judge(run, DESIGN)
    why = {verdict.test.removeprefix("tests/test_mixed.py::"): verdict.why for verdict in found.verdicts}
    assert why == {
        "tests/test_import.py": "missing",
        "tests/test_syntax.py": "broken",
        "tests/test_stranger.py": "broken",
        "TestCart::test_rows[1]": "green",
        "TestCart::test_rows[2]": "missing",
        "test_green": "green",
        "test_attribute": "missing",
        "test_method": "missing",
        "test_fixture": "broken",
        "test_undefined": "broken",
        "test_stdlib": "broken",
        "test_skipped": "skipped",
        "test_todo": "missing",
        "test_secret": "missing",
    }
    assert found.state == "broken"
    reasons = {verdict.test: verdict.reason for verdict in found.of("broken")}
    assert reasons["tests/test_stranger.py"].startswith("imports 'no_such_library', which is neither installed")
    assert "'no_such_fixture'" in reasons["tests/test_mixed.py::test_fixture"]
    assert reasons["tests/test_syntax.py"] == "does not parse: invalid syntax"


def test_the_state_of_all_together() -> None:
    missing, green = RedVerdict("a", "missing", ""), RedVerdict("b", "green", "")
    assert Redness((missing, green)).state == "red"
    assert Redness((green,)).state == "green"
    assert Redness((RedVerdict("c", "skipped", ""),)).state == "nothing"
    assert Redness((), "no test was found").state == "broken"


def test_coverage_counts_lines_and_files_that_nobody_imported(run: TestRun) -> None:
    assert run.coverage is not None
    (cart,) = run.coverage.files
    assert (cart.path, cart.covered, cart.lines, cart.missing) == ("shop/cart.py", 3, 4, (6,))
    assert run.coverage.unreached == ("shop/coupons.py",)
    assert run.coverage.percent == 37.5


def test_failures_are_told_by_file_short_and_safe(run: TestRun) -> None:
    by_file = {each.file: each for each in failures(run)}
    assert set(by_file) == {each for each in FILES if each.startswith("tests/")}
    told = by_file["tests/test_mixed.py"]
    assert "tests/test_mixed.py::test_method: AttributeError: 'Cart' object has no attribute 'apply'" in told.text
    assert "abcdef0123456789" not in told.text
    assert "\x1b" not in told.text
    assert by_file["tests/test_syntax.py"].text.splitlines()[-1] == "    E   SyntaxError: invalid syntax"
    assert "site-packages" not in by_file["tests/test_syntax.py"].text
    assert by_file["tests/test_import.py"].touched == ("tests/test_import.py",)


def test_named_tests_only_and_from_another_folder(tmp_path: Path) -> None:
    write(tmp_path, {"back/tests/test_a.py": "def test_x(): assert 1 == int('1')\ndef test_y(): assert 0\n"})
    how = TestSetup(cwd="back/", timeout=60)
    found = run_tests(str(tmp_path), how, ["back/tests/test_a.py::test_x"])
    assert (found.ok, found.passing) == (True, {"back/tests/test_a.py::test_x"})
    with pytest.raises(EnvironmentFailure, match="no such folder"):
        run_tests(str(tmp_path), TestSetup(cwd="front"))
    with pytest.raises(PathTraversalError):
        run_tests(str(tmp_path), TestSetup(cwd="../elsewhere"))


def test_green_needs_a_test_that_ran_and_a_report(tmp_path: Path) -> None:
    skipped = "import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert 0\n"
    write(tmp_path, {"tests/test_a.py": skipped, "tests/test_b.py": "import os\n\nos._exit(0)\n"})
    only_skipped = run_tests(str(tmp_path), TestSetup(timeout=60), ["tests/test_a.py"])
    assert (only_skipped.code, only_skipped.ok) == (0, False)
    left_early = run_tests(str(tmp_path), TestSetup(timeout=60), ["tests/test_b.py"])
    assert (left_early.code, left_early.ok, left_early.note) == (0, False, "the tests ended without a report")
    assert left_early.failing
    assert failures(left_early)[0].text.startswith("the tests ended without a report")


def test_a_command_that_hangs_is_ended(tmp_path: Path) -> None:
    found = run_tests(str(tmp_path), TestSetup("sleep 60", timeout=0.3))
    assert (found.ok, found.timed_out, found.source) == (False, True, "exit")
    assert found.failing == {"(the command itself)"}
    assert judge(found, DESIGN).note == "the tests did not end in time"


REPORT = '<testsuite><testcase classname="Cart" name="adds" time="0.1"/></testsuite>'


def test_any_command_counts_by_its_exit_code(tmp_path: Path) -> None:
    good = run_tests(str(tmp_path), TestSetup("echo fine", timeout=20))
    bad = run_tests(str(tmp_path), TestSetup("echo oh no; exit 3", timeout=20))
    assert (good.ok, good.source, bad.ok, bad.code) == (True, "exit", False, 3)
    assert judge(good, DESIGN).state == "green"
    assert judge(bad, DESIGN).state == "red"
    assert failures(bad)[0].text == "oh no\n"


@pytest.mark.parametrize("command", [f"echo '{REPORT}' > {{junit}}", f"echo '{REPORT}' > \"$INLAY_JUNIT\""])
def test_any_command_may_leave_a_report(tmp_path: Path, command: str) -> None:
    found = run_tests(str(tmp_path), TestSetup(command, timeout=20))
    assert (found.ok, found.source, found.passing) == (True, "junit", {"Cart::adds"})


def test_a_report_of_the_projects_own_must_be_new(tmp_path: Path) -> None:
    report = tmp_path / "out/junit.xml"
    write(tmp_path, {"out/junit.xml": REPORT})
    os.utime(report, (1, 1))
    stale = run_tests(str(tmp_path), TestSetup("true", junit="out/junit.xml", timeout=20))
    assert (stale.ok, stale.note) == (False, "the tests ended without a report")
    fresh = run_tests(str(tmp_path), TestSetup("touch out/junit.xml", junit="out/junit.xml", timeout=20))
    assert fresh.passing == {"Cart::adds"}


def test_a_command_that_is_pytest_is_asked_for_its_report(tmp_path: Path) -> None:
    write(tmp_path, {"tests/test_a.py": "def test_x(): assert int('1') == 1\ndef test_y(): assert 0\n"})
    found = run_tests(
        str(tmp_path), TestSetup(f"{sys.executable} -m pytest -x", timeout=60), ["tests/test_a.py::test_x"]
    )
    assert (found.source, found.ok, found.passing) == ("pytest", True, {"tests/test_a.py::test_x"})
    named = run_tests(str(tmp_path), TestSetup("echo {tests} | grep -q 'a b'", timeout=20), ["a b"])
    assert named.ok


def test_the_document_says_how_unless_somebody_else_does() -> None:
    plan = TestPlan("tox", "back", 30.0, 80.0)
    assert setup(plan, Settings.of()) == TestSetup("tox", "back", 30.0, None, 80.0)
    given = Settings.of(implement__test_command="make", implement__test_timeout=5.0, implement__coverage=95.0)
    assert setup(plan, given) == TestSetup("make", "back", 5.0, None, 95.0)
    assert setup(TestPlan(), Settings.of()) == TestSetup()


def test_reports_of_other_runners() -> None:
    found = read_report(b"""<?xml version="1.0"?>
        <testsuites><testsuite file="web/cart.test.ts">
          <testcase classname="cart" name="adds" time="x"/>
          <testcase classname="cart" name="drops"><failure>Error: no
  at web/cart.ts:3</failure></testcase>
          <testcase classname="cart" name="drops"><error message="in tear-down"/></testcase>
          <testcase name="waits"><skipped/></testcase>
        </testsuite></testsuites>""")
    assert [(each.id, each.outcome, each.message) for each in found] == [
        ("cart::adds", "passed", ""),
        ("cart::drops", "error", "in tear-down"),
        ("web/cart.test.ts::waits", "skipped", ""),
    ]
    assert found[0].file == "web/cart.test.ts"


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type"),
        ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a><a/>'.encode("utf-16"), "document type"),
        (b"<a>" * 200 + b"</a>" * 200, "nested too deeply"),
        (b"<a>", "not XML"),
        (b"", "not XML"),
        (b"plain text", "not XML"),
    ],
)
def test_reports_that_are_none_are_refused(report: bytes, reason: str) -> None:
    with pytest.raises(ReportUnreadable, match=reason):
        read_report(report)


def test_a_projects_own_python_is_used_where_it_has_pytest(tmp_path: Path) -> None:
    own = tmp_path / ".venv/bin/python"
    own.parent.mkdir(parents=True)
    own.write_text(f'#!/bin/sh\necho own >> {tmp_path}/used\nexec {sys.executable} "$@"\n')
    own.chmod(0o755)
    write(tmp_path, {"test_a.py": "def test_x(): assert int('1')\n"})
    assert run_tests(str(tmp_path), TestSetup(timeout=60), ["test_a.py"]).ok
    assert (tmp_path / "used").read_text() == "own\nown\n"


def test_what_was_not_measured_is_said(tmp_path: Path) -> None:
    found = run_tests(str(tmp_path), TestSetup("true", timeout=20), measure=["a.py"])
    assert found.coverage is not None
    assert (found.coverage.percent, found.coverage.note) == (None, "not measured: the test command does not measure it")
    assert read_coverage(b"{}", {"a.py": "a.py"}).note == "not measured: the report of coverage.py cannot be read"
    assert read_coverage(b'{"files": {}}', {"a.go": "a.go"}).percent is None


@pytest.mark.parametrize(
    ("error", "why"),
    [
        ("ImportError: cannot import name 'redeem' from 'shop.coupons' (/x/shop/coupons.py)", "missing"),
        ("ImportError: cannot import name 'LIMIT' from 'shop' (/x/shop/__init__.py)", "missing"),
        ("ImportError: cannot import name 'nothing' from 'json' (/usr/lib/json.py)", "broken"),
        ("ImportError: attempted relative import with no known parent package", "broken"),
        ("ModuleNotFoundError: No module named 'shop.coupons'", "missing"),
        ("ModuleNotFoundError: No module named 'shop'", "missing"),
        ("ModuleNotFoundError: No module named 'shop.other'", "broken"),
        ("NameError: name 'redeem' is not defined", "missing"),
        ("AttributeError: 'NoneType' object has no attribute 'x'", "missing"),
        ("TypeError: apply() got an unexpected keyword argument 'coupon'", "missing"),
    ],
)
def test_errors_are_judged_by_what_the_document_brings(error: str, why: str) -> None:
    result = TestResult(
        "tests/test_a.py::test_x", "failed", "tests/test_a.py", error, f"tests/test_a.py:3: in x\nE   {error}"
    )
    found = TestRun((result,), 1, "", 0.1, "pytest")
    assert [verdict.why for verdict in judge(found, DESIGN).verdicts] == [why]


def test_no_python_with_pytest_is_told_with_those_that_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, says in (("bare", "echo '[]'"), ("broken/python3", "exit 1")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\n{says}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare"))
    monkeypatch.setenv("PATH", str(tmp_path / "broken"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    with pytest.raises(EnvironmentFailure, match=r"not installed for .*/bare or .*/broken/python3\. Install it there"):
        run_tests(str(tmp_path), TestSetup())
