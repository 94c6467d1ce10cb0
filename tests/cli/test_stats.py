"""`inlay stats`: what asking models took, and how often asking again helped."""

import json
from datetime import UTC, datetime
from pathlib import Path

from inlay.model.statistics import Metric
from inlay.storage.stores import metrics

from .conftest import Run


def keep(
    project: Path, *errors: str, done: bool = True, at: str = "2026-02-01T00:00:00.000Z", whole: int | None = 100
) -> None:
    outcome = "done" if done else "failed"
    metrics.record(
        project,
        Metric(at, "edit", "openai:x", "find_replace", outcome, len(errors) + done, errors, 1000, 20, 0.01, 2.0, whole),  # type: ignore[arg-type]
    )


def test_how_often_a_further_try_mended_the_first(run: Run, project: Path) -> None:
    assert run("stats").out == "No model has been used here yet.\n"
    keep(project)
    keep(project, "not-found")
    keep(project, "not-found", "not-found")
    keep(project, "syntax", "syntax", "syntax", done=False)
    out = run("stats").out
    assert "jobs      4: 3 done, 1 failed" in out
    assert "retries   fixed 2 of 3 first attempts that failed (67%)" in out
    assert "not-found: fixed 2 of 2" in out
    assert "syntax: fixed 0 of 1" in out
    assert "saved     240 output tokens compared with whole files (80%)" in out
    told = json.loads(run("stats", "--json").out)
    assert (told["retried"], told["mended"]) == (3, 2)
    assert told["by_error"][0] == {
        "error": "not-found",
        "jobs": 2,
        "by_attempt": {"2": 1, "3": 1},
        "mended": 2,
        "rate": 1.0,
    }
    assert (told["by_model"][0]["model"], told["by_model"][0]["cost"], told["saved"]) == ("openai:x", 0.04, 0.8)


def test_only_what_is_recent_is_counted_where_asked(run: Run, project: Path) -> None:
    keep(project)
    keep(project, at=datetime.now(UTC).isoformat().replace("+00:00", "Z"), whole=None)
    assert json.loads(run("stats", "--json", "--since", "2w").out)["jobs"] == 1
    assert json.loads(run("stats", "--json", "--since", "2026-01-31").out)["jobs"] == 2
    assert json.loads(run("stats", "--json", "--since", "2026-02-01T02:00+01:00").out)["jobs"] == 1
    assert "nothing to compare" in run("stats", "--since", "12h").out
    assert run("stats", "--since", "2999-01-01").out == "No model has been used here in that time.\n"
    assert run("stats", "--since", "yesterday").code == 2
