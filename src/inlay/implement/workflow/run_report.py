"""What a run did, what shows each requirement, what it took, and what is left."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from inlay.implement.spec.document import PlannedTest, Spec
from inlay.implement.spec.traceability import trace
from inlay.implement.workflow.run_context import spent
from inlay.implement.workflow.run_state import State
from inlay.storage.stores.runs import RunFolder


@dataclass(frozen=True, slots=True)
class ShownBy:
    """One test that shows a requirement."""

    test: str  #: as the plan has it
    outcome: str  #: "passed", "failed", … or "not run"


@dataclass(frozen=True, slots=True)
class RequirementReport:
    """One requirement and what shows it."""

    id: str
    text: str
    tests: tuple[ShownBy, ...]

    @property
    def holds(self) -> bool:
        """Whether every test that was to show it passes, and there is one."""
        return bool(self.tests) and all(test.outcome == "passed" for test in self.tests)


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file of the run."""

    path: str
    action: str  #: what became of it in the end; "not written" where nothing did
    receipts: tuple[str, ...]
    attempts: int
    errors: tuple[str, ...]
    tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything there is to say about a run."""

    run: str
    document: str
    title: str
    outcome: str  #: "green", "stopped"
    reason: str
    exit_code: int
    requirements: tuple[RequirementReport, ...]
    files: tuple[FileReport, ...]
    passed: int
    failing: tuple[str, ...]
    failing_before: tuple[str, ...]  #: tests that failed before the run began, which it is not blamed for
    coverage: Mapping[str, float]
    iterations: int
    testing_seconds: float
    tokens: int
    cost: float | None
    left: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def headline(self) -> str:
        """How it ended, in one line."""
        if self.outcome == "green":
            return f"green: {self.passed} tests pass, {len(self.files)} files"
        return f"stopped: {self.reason}"


def compile_report(state: State, spec: Spec, folder: RunFolder) -> Report:
    """The report on a run as it stands."""
    tokens, cost = spent(state)
    tested = state.get("tested")
    requirements = _requirements(spec, _results(state, folder))
    files = _files(state, spec)
    return Report(
        run=state["run"],
        document=state["document"],
        title=spec.title,
        outcome=state.get("outcome", "") or "interrupted",
        reason=state.get("reason", ""),
        exit_code=state.get("exit_code", 0),
        requirements=requirements,
        files=files,
        passed=tested["passed"] if tested else 0,
        failing=tuple(tested["failing"]) if tested else (),
        failing_before=tuple(state.get("before", [])),
        coverage=state.get("coverage", {}),
        iterations=state.get("iteration", 0),
        testing_seconds=round(state.get("testing_seconds", 0.0), 3),
        tokens=tokens,
        cost=cost,
        left=_left(requirements, files, state),
        notes=tuple(state.get("notes", [])),
    )


def as_json(report: Report) -> dict[str, Any]:
    """The report for programs; the keys are documented in docs/json.md."""
    told = asdict(report)
    for shown, requirement in zip(told["requirements"], report.requirements, strict=True):
        shown["holds"] = requirement.holds
    return told


def as_markdown(report: Report) -> str:
    """The report for people."""
    parts = [f"# {report.title or report.document}", "", f"Run {report.run} of `{report.document}`: {report.headline}."]
    parts += ["", _took(report)]
    parts += ["", "## Requirements", "", "| | requirement | shown by |", "|---|---|---|"]
    parts += [
        f"| {'✔' if each.holds else '✘'} | {each.id} {each.text} | {_shown(each)} |" for each in report.requirements
    ]
    parts += ["", "## Files", "", "| file | | attempts | tokens | changes |", "|---|---|---|---|---|"]
    parts += [
        f"| `{each.path}` | {each.action} | {each.attempts} | {each.tokens:,} | {', '.join(each.receipts)} |"
        for each in report.files
    ]
    for title, lines in (("What went wrong on the way", _errors(report)), ("Coverage", _coverage(report))):
        parts += ["", f"## {title}", "", *lines] if lines else []
    left = [f"- {each}" for each in report.left] or ["Nothing."]
    parts += ["", "## What is left", "", *left]
    parts += ["", "## Notes", "", *(f"- {note}" for note in report.notes)] if report.notes else []
    return "\n".join(parts) + "\n"


def _took(report: Report) -> str:
    attempts = sum(each.attempts for each in report.files)
    cost = "at an unknown price" if report.cost is None else f"${report.cost:.4f}"
    return f"{attempts} attempts, {report.iterations} corrections, {report.tokens:,} tokens, {cost}."


def _mark(requirement: RequirementReport) -> str:
    return "✔" if requirement.holds else "✘"


def _shown(requirement: RequirementReport) -> str:
    return ", ".join(f"{test.test} ({test.outcome})" for test in requirement.tests) or "no test"


def _errors(report: Report) -> list[str]:
    return [f"- `{each.path}`: {error}" for each in report.files for error in each.errors]


def _coverage(report: Report) -> list[str]:
    return [f"- `{path}`: {percent:.0f}%" for path, percent in report.coverage.items()]


def _results(state: State, folder: RunFolder) -> Mapping[str, str]:
    tested = state.get("tested")
    found: Mapping[str, str] = json.loads(folder.get(tested["results"])) if tested else {}
    return found


def _requirements(spec: Spec, results: Mapping[str, str]) -> tuple[RequirementReport, ...]:
    return tuple(
        RequirementReport(
            each.requirement.id,
            each.requirement.text,
            tuple(ShownBy(test.name or test.id, _outcome(test, results)) for test in each.tests),
        )
        for each in trace(spec)
    )


def _outcome(test: PlannedTest, results: Mapping[str, str]) -> str:
    """How a planned test ended: all that bear its name count, for a test may be run with many values."""
    found = {outcome for id, outcome in results.items() if test.name and _function(id) == test.name}
    if not found:
        return "not found by name" if results else "not run"
    return "passed" if found == {"passed"} else next(iter(sorted(found - {"passed"})))


def _function(id: str) -> str:
    return id.rpartition("::")[2].partition("[")[0]


def _files(state: State, spec: Spec) -> tuple[FileReport, ...]:
    planned = [file.path for file in spec.files if not file.directory]
    known = dict.fromkeys([*state.get("made", []), *planned, *(each["path"] for each in state.get("written", []))])
    return tuple(_file(path, state) for path in known)


def _file(path: str, state: State) -> FileReport:
    written = [each for each in state.get("written", []) if each["path"] == path]
    asked = [each for each in state.get("spent", []) if each["path"] == path]
    costs = [each["cost"] for each in asked]
    return FileReport(
        path,
        _action([each["action"] for each in written]),
        tuple(each["receipt"] for each in written if each["receipt"]),
        sum(each["attempts"] for each in asked),
        tuple(error for each in asked for error in each["errors"]),
        sum(each["input"] + each["output"] for each in asked),
        None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def _action(actions: list[str]) -> str:
    """The first says what became of the file; later ones only what was mended."""
    return actions[0] if actions else "not written"


def _left(requirements: tuple[RequirementReport, ...], files: tuple[FileReport, ...], state: State) -> tuple[str, ...]:
    left = [f"{file.path} was not written" for file in files if file.action in ("not written", "skipped")]
    if state.get("outcome") != "green":
        left += [f"requirement {each.id} is not shown" for each in requirements if not each.holds]
    else:
        left += [f"requirement {each.id}: {_shown(each)}" for each in requirements if not each.holds]
    return tuple(left)
