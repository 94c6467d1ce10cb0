"""Metrics: kept by several processes at once, bounded, and never more than numbers and kinds."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure
from inlay.model.statistics import Metric
from inlay.storage.stores import metrics

ONE = Metric(
    "2026-01-02T03:04:05.000Z", "edit", "openai:x", "find_replace", "done", 2, ("not-found",), 100, 20, 0.5, 1.5, 200
)


def test_what_is_recorded_is_read(tmp_path: Path) -> None:
    assert metrics.read(tmp_path) == ()
    assert metrics.record(tmp_path, ONE)
    other = replace(ONE, errors=(), cost=None, whole_tokens=None, outcome="failed")
    assert metrics.record(tmp_path, other)
    assert metrics.read(tmp_path) == (ONE, other)
    assert (tmp_path / ".inlay/metrics.jsonl").stat().st_mode & 0o077 == 0


def test_half_a_line_is_passed_over_and_takes_no_other_with_it(tmp_path: Path) -> None:
    metrics.record(tmp_path, ONE)
    file = tmp_path / ".inlay/metrics.jsonl"
    file.write_bytes(file.read_bytes() + b'{"at": "2026')
    assert metrics.read(tmp_path) == (ONE,)
    metrics.record(tmp_path, ONE)
    assert metrics.read(tmp_path) == (ONE, ONE)


@pytest.mark.parametrize("line", [b"3", b"[]", b"{}", b"null", b"\xff", b'{"at": 1}'])
def test_what_is_no_metric_is_passed_over(tmp_path: Path, line: bytes) -> None:
    metrics.record(tmp_path, ONE)
    file = tmp_path / ".inlay/metrics.jsonl"
    file.write_bytes(line + b"\n" + file.read_bytes())
    assert metrics.read(tmp_path) == (ONE,)


def test_a_later_versions_fields_are_passed_over(tmp_path: Path) -> None:
    metrics.record(tmp_path, ONE)
    file = tmp_path / ".inlay/metrics.jsonl"
    file.write_bytes(file.read_bytes().replace(b'{"at"', b'{"mood": "good", "at"'))
    assert metrics.read(tmp_path) == (ONE,)


def test_many_processes_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[2])\n"
        "from inlay.storage.stores import metrics; from inlay.model.statistics import Metric\n"
        "for i in range(100):\n"
        "    assert metrics.record(sys.argv[1], Metric('2026', 'edit', 'm' * 50, '', 'done', 1, (), i, 0, None, 0.0))\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path), "src"]
    running = [subprocess.Popen(arguments) for _ in range(4)]
    assert [each.wait(60) for each in running] == [0] * 4
    assert sorted(metric.input_tokens for metric in metrics.read(tmp_path)) == sorted([*range(100)] * 4)


def test_the_files_stay_bounded(tmp_path: Path) -> None:
    metrics.record(tmp_path, ONE)
    file, older = tmp_path / ".inlay/metrics.jsonl", tmp_path / ".inlay/metrics.1.jsonl"
    line = file.read_bytes()
    for _ in range(2):
        file.write_bytes(line * ((1 << 20) // len(line)))
        metrics.record(tmp_path, replace(ONE, model="last"))
        assert not file.exists()
        assert (1 << 20) < older.stat().st_size + len(line) < (1 << 20) + 3 * len(line)
        metrics.record(tmp_path, ONE)
        assert [metric.model for metric in metrics.read(tmp_path)[-2:]] == ["last", "openai:x"]


def test_what_cannot_be_kept_fails_no_job(tmp_path: Path) -> None:
    (tmp_path / ".inlay").symlink_to("/nowhere")
    assert not metrics.record(tmp_path, ONE)
    assert not metrics.record(tmp_path / "missing", ONE)
    with pytest.raises(EnvironmentFailure):
        metrics.read(tmp_path / "missing")
