"""What a run of the tests means for the workflow: which failures count, and what is kept of them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable

from inlay.implement.testing.blame import failure
from inlay.implement.testing.junit import TestResult
from inlay.implement.testing.run_suite import TestRun
from inlay.implement.workflow.run_state import Tested
from inlay.prompts import sanitise
from inlay.storage.stores.runs import RunFolder

MOST_SAID = 5
COMMAND = "(the command itself)"  # as `TestRun.failing` calls a failure that is no test's
_LONGEST_OUTPUT = 20_000  # characters of a command that tells of no single test
_ERROR = re.compile(r"^(?:E\s+)?([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Failed))\b", re.MULTILINE)


def tested(named: TestRun, suite: TestRun | None, before: Collection[str], folder: RunFolder) -> Tested:
    """The failures that count: all of the document's tests, and those of the rest that did not fail before."""
    wrong = failures(named)
    rest = [result for result in failures(suite) if result.id not in before] if suite else []
    found = {result.id: result for result in (*rest, *wrong)}
    if not found and not named.ok:
        found = {COMMAND: _of_command(named)}
    ended = {result.id: result.outcome for run in (suite, named) if run for result in run.results}
    return {
        "failing": sorted(found),
        "kinds": [error_kind(found[id]) for id in sorted(found)],
        "said": [sanitise.line(found[id].message) for id in sorted(found)[:MOST_SAID]],
        "passed": sum(outcome == "passed" for outcome in ended.values()),
        "named": len(wrong) or int(bool(found) and suite is None),
        "suite": suite is not None,
        "seconds": round(named.seconds + (suite.seconds if suite else 0.0), 3),
        "output": folder.put(json.dumps({id: failure(found[id], suite or named) for id in sorted(found)})),
        "results": folder.put(json.dumps(ended, sort_keys=True)),
    }


def failures(run: TestRun) -> list[TestResult]:
    """Everything that failed, a command without a report among it."""
    found = [result for result in run.results if result.outcome in ("failed", "error")]
    return found or [_of_command(run) for id in run.failing if id == COMMAND]


def failed_before(suite: TestRun, tests: Collection[str]) -> list[str]:
    """Tests that failed before anything was done, other than the document's; only a test by name can be excused."""
    own = {id for result in suite.results for id in (result.id,) if _belongs(result, tests)}
    return sorted(id for id in suite.failing if id != COMMAND and id not in own and id not in tests)


def error_kind(result: TestResult) -> str:
    """The name of the error that a test failed with; empty where it tells none."""
    for text in (result.message, *reversed(result.detail.splitlines())):
        if found := _ERROR.match(text):
            return found[1].rpartition(".")[2]
    return "AssertionError" if "assert" in result.message else ""


def _belongs(result: TestResult, tests: Iterable[str]) -> bool:
    return any(result.file == path or result.id.startswith(f"{path}::") for path in tests)


def _of_command(run: TestRun) -> TestResult:
    """A failure of the command as if it were a test."""
    why = run.note or ("it ran out of time" if run.timed_out else f"it ended with code {run.code}")
    if run.code == 0 and not run.note:
        why = "no test was run"
    return TestResult(COMMAND, "error", message=why, detail=run.output[-_LONGEST_OUTPUT:])
