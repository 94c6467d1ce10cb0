"""The report on a run: its files, the tests of each requirement, what it cost, and what is left."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from inlay.implement.spec.document import PlannedTest, Spec
from inlay.implement.spec.traceability import trace
from inlay.implement.workflow.run_context import spent, total
from inlay.implement.workflow.run_state import State
from inlay.storage.stores.runs import RunFolder


@dataclass(frozen=True, slots=True)
class ShownBy:
    test: str  #: as the plan has it
    outcome: str  #: "passed", "failed", … or "not run"


@dataclass(frozen=True, slots=True)
class RequirementReport:
    id: str
    text: str
    tests: tuple[ShownBy, ...]

    @property
    def shown(self) -> str:
        return ", ".join(f"{test.test} ({test.outcome})" for test in self.tests) or "no test"

    @property
    def holds(self) -> bool:
        """Whether it has a test, and every test of it passes."""
        return bool(self.tests) and all(test.outcome == "passed" for test in self.tests)


@dataclass(frozen=True, slots=True)
class FileReport:
    path: str
    action: str  #: what happened to it; "not written" where nothing did
    receipts: tuple[str, ...]
    attempts: int
    errors: tuple[str, ...]
    tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Report:
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
    failing_before: tuple[str, ...]  #: tests that failed before the run began, which do not count against it
    coverage: Mapping[str, float]
    iterations: int
    testing_seconds: float
    tokens: int
    cost: float | None
    left: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def headline(self) -> str:
        if self.outcome == "green":
            return f"green: {self.passed} tests pass, {len(self.files)} files"
        return f"stopped: {self.reason}"


def compile_report(state: State, spec: Spec, folder: RunFolder) -> Report:
    tokens, cost = spent(state)
    tested = state.get("tested")
    outcomes: Mapping[str, str] = json.loads(folder.get(tested["results"])) if tested else {}
    requirements = tuple(
        RequirementReport(
            traced.requirement.id,
            traced.requirement.text,
            tuple(ShownBy(test.name or test.id, _outcome(test, outcomes)) for test in traced.tests),
        )
        for traced in trace(spec)
    )
    planned = [file.path for file in spec.files if not file.directory]
    written = [piece["path"] for piece in state.get("written", [])]
    files = tuple(_file(path, state) for path in dict.fromkeys([*state.get("made", []), *planned, *written]))
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
    record = asdict(report)
    for entry, requirement in zip(record["requirements"], report.requirements, strict=True):
        entry["holds"] = requirement.holds
    return record


def as_markdown(report: Report) -> str:
    attempts = sum(file.attempts for file in report.files)
    cost = "at an unknown price" if report.cost is None else f"${report.cost:.4f}"
    errors = [f"- `{file.path}`: {error}" for file in report.files for error in file.errors]
    coverage = [f"- `{path}`: {percent:.0f}%" for path, percent in report.coverage.items()]
    lines = [
        *(f"# {report.title or report.document}", ""),
        *(f"Run {report.run} of `{report.document}`: {report.headline}.", ""),
        *(f"{attempts} attempts, {report.iterations} corrections, {report.tokens:,} tokens, {cost}.", ""),
        *("## Requirements", "", "| | requirement | shown by |", "|---|---|---|"),
        *(f"| {'✔' if need.holds else '✘'} | {need.id} {need.text} | {need.shown} |" for need in report.requirements),
        *("", "## Files", "", "| file | | attempts | tokens | changes |", "|---|---|---|---|---|"),
        *(
            f"| `{file.path}` | {file.action} | {file.attempts} | {file.tokens:,} | {', '.join(file.receipts)} |"
            for file in report.files
        ),
        *(["", "## Errors during the run", "", *errors] if errors else []),
        *(["", "## Coverage", "", *coverage] if coverage else []),
        *("", "## What is left", "", *([f"- {entry}" for entry in report.left] or ["Nothing."])),
        *(["", "## Notes", "", *(f"- {note}" for note in report.notes)] if report.notes else []),
    ]
    return "\n".join(lines) + "\n"


def _outcome(test: PlannedTest, results: Mapping[str, str]) -> str:
    """How a planned test ended: all with its name count, because a test may be run with many values."""
    names = {id: id.rpartition("::")[2].partition("[")[0] for id in results}
    outcomes = {outcome for id, outcome in results.items() if test.name and names[id] == test.name}
    if not outcomes:
        return "not found by name" if results else "not run"
    return min(outcomes - {"passed"}, default="passed")


def _file(path: str, state: State) -> FileReport:
    written = [piece for piece in state.get("written", []) if piece["path"] == path]
    requests = [piece for piece in state.get("spent", []) if piece["path"] == path]
    tokens, cost = total(requests)
    return FileReport(
        path,
        written[0]["action"] if written else "not written",  # later ones only repaired it
        tuple(piece["receipt"] for piece in written if piece["receipt"]),
        sum(piece["attempts"] for piece in requests),
        tuple(error for piece in requests for error in piece["errors"]),
        tokens,
        cost,
    )


def _left(requirements: tuple[RequirementReport, ...], files: tuple[FileReport, ...], state: State) -> tuple[str, ...]:
    left = [f"{file.path} was not written" for file in files if file.action in ("not written", "skipped")]
    green = state.get("outcome") == "green"
    for requirement in requirements:
        if not requirement.holds:
            left.append(f"requirement {requirement.id}" + (f": {requirement.shown}" if green else " is not shown"))
    return tuple(left)
