"""Replies as models write them, each with the files before and after: outcome, reasons and bytes must all be right.

A scenario is a folder `scenarios/<format>/<what it shows>` of four things: the reply, the project `before`, the project
`after` (absent where nothing may change), and `scenario.toml`, whose keys are those of `Scenario` below.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from inlay.cli.main import main

SCENARIOS = Path(__file__).parent / "scenarios"
KINDS = tomllib.loads((SCENARIOS / "kinds.toml").read_text(encoding="utf-8"))
STATUS = {
    "applied": "applied",
    "refused": "refused",
    "already in place": "unchanged",
    "needs a decision": "needs-decision",
}
IN_A_PROCESS_OF_THEIR_OWN = (
    "apply_patch/clean_update_add_and_delete",
    "find_replace/clean_two_changes",
    "no_format/a_reply_with_nul_bytes",
    "search_replace/a_later_misfit_keeps_the_first_file_unwritten",
    "search_replace/utf_16_file_stays_utf_16",
    "unified_diff/ambiguous_hunk_lists_every_line",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What `scenario.toml` may say."""

    shows: str  #: one sentence
    outcome: str  #: "applied", "refused", "already in place" or "needs a decision"
    exit: int
    kind: int = 0  #: which way of going wrong, by its number in kinds.toml; 0 for a reply without any
    rule: str | list[str] = ""  #: of the edits, in order; one name stands for all
    code: str | list[str] = ""  #: of the misfits, in order; one name stands for all
    message_contains: str | list[str] = ""
    candidates: list[int] | None = None  #: line numbers that the first misfit lists
    nearest: int = 0  #: the line where the first misfit sees the nearest place
    warnings_contains: str = ""
    reads_as: str = ""  #: the format that must be recognised
    strict: bool = False
    force: bool = False
    format: str = ""
    file: str = ""
    base: str = ""  #: the file in the scenario's folder that the model saw
    links: dict[str, str] | None = None  #: symbolic links to make in the project: name -> target


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the command said and did."""

    exit: int
    said: dict[str, Any]

    @property
    def rules(self) -> list[str]:
        return [edit["rule"] for file in self.said.get("files", ()) for edit in file["edits"]]

    @property
    def misfits(self) -> list[dict[str, Any]]:
        return list(self.said.get("misfits", ()))


def folders() -> list[str]:
    return sorted(str(path.parent.relative_to(SCENARIOS)) for path in SCENARIOS.glob("*/*/scenario.toml"))


def load(folder: str) -> Scenario:
    return Scenario(**tomllib.loads((SCENARIOS / folder / "scenario.toml").read_text(encoding="utf-8")))


def arguments(scenario: Scenario, folder: str, project: Path) -> list[str]:
    words = ["apply", "--json", "-C", str(project)]
    words += ["--strict"] if scenario.strict else []
    words += ["--force"] if scenario.force else []
    words += [f"--format={scenario.format}"] if scenario.format else []
    words += [f"--file={scenario.file}"] if scenario.file else []
    words += [f"--base={SCENARIOS / folder / scenario.base}"] if scenario.base else []
    return [*words, str(SCENARIOS / folder / "reply.md")]


def lay_out(scenario: Scenario, folder: str, project: Path) -> None:
    before = SCENARIOS / folder / "before"
    if before.exists():
        shutil.copytree(before, project)
    else:
        project.mkdir()
    for name, target in (scenario.links or {}).items():
        (project / name).symlink_to(target)


def tree(project: Path) -> dict[str, object]:
    """Everything in a project: bytes and whether they may be run, links by their target, directories by their name."""
    found: dict[str, object] = {}
    # What Inlay keeps for itself is no part of the project.
    for path in sorted(path for path in project.rglob("*") if ".inlay" not in path.parts):
        name = str(path.relative_to(project))
        if path.is_symlink():
            found[name] = f"link to {os.readlink(path)}"
        elif path.is_dir():
            found[name] = "directory"
        else:
            found[name] = (path.read_bytes(), os.access(path, os.X_OK))
    return found


def files(found: dict[str, object]) -> dict[str, object]:
    """Files only: git keeps no empty directories, so a folder `after` cannot show one."""
    return {name: content for name, content in found.items() if isinstance(content, tuple)}


def as_listed(said: str | list[str], count: int) -> list[str]:
    return said if isinstance(said, list) else [said] * count


@pytest.fixture
def apply(capfd: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """`inlay apply` as the command line runs it, within this process."""
    kept = signal.getsignal(signal.SIGTERM)

    def run(words: list[str]) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as leaving:
            main(words)
        said = capfd.readouterr()
        assert said.out, said.err
        return Outcome(int(leaving.value.code or 0), json.loads(said.out))

    yield run
    signal.signal(signal.SIGTERM, kept)


def assert_said(outcome: Outcome, scenario: Scenario) -> None:
    codes = [misfit["code"] for misfit in outcome.misfits]
    codes += [reason["code"] for need in outcome.said.get("needs", ()) for reason in need["reasons"]]
    told = "\n".join(f"{misfit['path']}: {misfit['message']} {misfit['advice']}" for misfit in outcome.misfits)
    told += "\n".join(reason["message"] for need in outcome.said.get("needs", ()) for reason in need["reasons"])
    assert (outcome.said["status"], outcome.exit) == (STATUS[scenario.outcome], scenario.exit), outcome.said
    if scenario.rule:
        assert outcome.rules == as_listed(scenario.rule, len(outcome.rules))
        assert outcome.rules
    if scenario.code:
        assert codes == as_listed(scenario.code, len(codes))
    for part in as_listed(scenario.message_contains, 1):
        assert part in told
    if scenario.candidates is not None:
        assert outcome.misfits[0]["candidates"] == scenario.candidates
    if scenario.nearest:
        assert outcome.misfits[0]["nearest"]["line"] == scenario.nearest
    if scenario.warnings_contains:
        assert any(scenario.warnings_contains in warning for warning in outcome.said["warnings"]), outcome.said
    if scenario.reads_as:
        assert outcome.said["format"] == scenario.reads_as
    if scenario.outcome == "refused":
        assert all(misfit["message"] in outcome.said["feedback"] for misfit in outcome.misfits)


def assert_bytes(project: Path, folder: str, before: dict[str, object]) -> None:
    after = SCENARIOS / folder / "after"
    if not after.exists():
        assert tree(project) == before
        return
    expected = tree(after)
    assert files(tree(project)) == files(expected)
    assert tree(project).keys() <= before.keys() | expected.keys()


@pytest.mark.parametrize("folder", folders())
def test_scenario(folder: str, tmp_path: Path, apply: Any) -> None:
    scenario = load(folder)
    project = tmp_path / "project"
    lay_out(scenario, folder, project)
    before = tree(project)
    words = arguments(scenario, folder, project)

    rehearsal = apply([*words, "--dry-run"])
    assert tree(project) == before
    outcome = apply(words)

    assert_said(outcome, scenario)
    assert_bytes(project, folder, before)
    assert rehearsal.exit == outcome.exit
    assert rehearsal.misfits == outcome.misfits
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


@pytest.mark.slow
@pytest.mark.parametrize("folder", IN_A_PROCESS_OF_THEIR_OWN)
def test_scenario_in_a_process_of_its_own(folder: str, tmp_path: Path) -> None:
    scenario = load(folder)
    project = tmp_path / "project"
    lay_out(scenario, folder, project)
    before = tree(project)
    *words, _ = arguments(scenario, folder, project)

    reply = (SCENARIOS / folder / "reply.md").read_bytes()
    done = subprocess.run([sys.executable, "-m", "inlay", *words, "-"], input=reply, capture_output=True)

    assert_said(Outcome(done.returncode, json.loads(done.stdout)), scenario)
    assert_bytes(project, folder, before)


def test_every_kind_has_a_scenario() -> None:
    shown = {load(folder).kind for folder in folders()} - {0}
    assert {str(kind) for kind in shown} == set(KINDS)
    assert sorted(map(int, KINDS)) == list(range(1, 61))


@pytest.mark.parametrize("folder", folders())
def test_scenario_is_well_formed(folder: str) -> None:
    home = SCENARIOS / folder
    said = tomllib.loads((home / "scenario.toml").read_text(encoding="utf-8"))
    assert said.keys() <= {field.name for field in fields(Scenario)}
    known = {"reply.md", "before", "after", "scenario.toml", said.get("base", "")}
    assert {path.name for path in home.iterdir()} <= known
    scenario = load(folder)
    assert (home / "reply.md").exists()
    assert scenario.outcome in STATUS
    assert scenario.exit == {"refused": 3, "needs a decision": 4}.get(scenario.outcome, 0)
    assert (home / "after").exists() == (scenario.outcome == "applied")
    assert scenario.exit == 0 or scenario.code
    assert scenario.shows.endswith(".")


def test_every_folder_is_a_scenario() -> None:
    """A folder whose scenario.toml is missing or misnamed would never run."""
    homes = {str(path.relative_to(SCENARIOS)) for path in SCENARIOS.glob("*/*") if path.is_dir()}
    assert {home for home in homes if "__pycache__" not in home} == set(folders())
