"""What the gate says about design documents: every fault that a careful reader would find, and nothing else."""

from pathlib import Path

import pytest

from inlay.implement.gate.check_document import blocked, check
from inlay.implement.gate.file_checks import did_you_mean, nearby
from inlay.implement.spec.document import Remark
from inlay.implement.spec.parse_document import parse
from inlay.storage import Workspace

SOUND = """\
# Retries for uploads

* **Status:** Approved

## 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
| `cloud/upload.py` | Modify | Tries again |
| `cloud/backoff.py` | Add | How long to wait |
| `cloud/old.py` | Delete | Replaced |
| `tests/test_upload.py` | Add | Tests |

## 2.4 Function Signatures

```python
# cloud/backoff.py
def pause(tries: int) -> float: ...
# cloud/upload.py
def send(path: str) -> None: ...
```

## 3. Requirements

1. A failed upload is tried again
2. The pause grows with every try

## 10. Verification & Testing

| ID | Test | Scenario | Expected | Requirement |
|----|------|----------|----------|-------------|
| T010 | test_tries_again | fails once | sent | 1 |
| T020 | test_pause_grows | three tries | longer | 2 |

## 11. Risks & Mitigations

| Risk | Mitigation |
|------|------------|
| Waits for ever | `pause` has a limit |

## 12. Definition of Done

- [ ] `cloud/backoff.py` documented
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("cloud/upload.py", "cloud/old.py", "cloud/store/disk.py", "tests/test_other.py", "README.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 1\n")
    return root


def found(project: Path, text: str) -> list[Remark]:
    return list(check(parse(text, "design.md"), Workspace(project)))


def rules(project: Path, *changes: tuple[str, str]) -> list[tuple[str, str]]:
    text = SOUND
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return [(remark.rule, remark.severity) for remark in found(project, text)]


def test_a_sound_document_passes_without_a_word(project: Path) -> None:
    assert found(project, SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "severity"),
    [
        ("`cloud/upload.py` | Modify", "`cloud/uplaod.py` | Modify", "missing-file", "error"),
        ("`cloud/old.py` | Delete", "`cloud/older.py` | Delete", "missing-file", "error"),
        ("`cloud/old.py` | Delete", "`cloud/store` | Delete", "not-a-file", "error"),
        ("`cloud/backoff.py` | Add", "`cloud/upload.py` | Add", "already-there", "error"),
        ("`tests/test_upload.py` | Add", "`tests/test_other.py` | Add", "already-there", "warning"),
        ("`tests/test_upload.py` | Add", "`tests/unit/test_upload.py` | Add", "missing-parent", "error"),
        ("`cloud/old.py` | Delete", "`src/cloud/old.py` | Delete", "placeholder-prefix", "error"),
        ("`cloud/old.py` | Delete", "`cloud/old.py` | Rename", "change-type", "error"),
        ("`cloud/old.py` | Delete", "`cloud/old.py` |", "change-type", "error"),
        ("`cloud/old.py` | Delete", "`path/to/old.py` | Delete", "placeholder", "error"),
        ("`cloud/old.py` | Delete", "`../old.py` | Delete", "path-outside", "error"),
        ("`cloud/old.py` | Delete", "`/etc/passwd` | Delete", "path-outside", "error"),
        ("`cloud/old.py` | Delete", "`.git/config` | Modify", "path-protected", "error"),
        ("`cloud/old.py` | Delete | Replaced", "| Delete | Replaced", "no-path", "error"),
        ("`cloud/old.py` | Delete", "`cloud/upload.py` | Delete", "duplicate-file", "error"),
        ("`cloud/old.py` | Delete", "`cloud/upload.py` | Modify", "duplicate-file", "warning"),
        ("- [ ] `cloud/backoff.py`", "- [ ] `docs/retries.md`", "not-listed", "error"),
        ("`pause` has a limit", "We are careful", "unanswered-risk", "warning"),
        ("longer | 2 |", "longer | |", "untested-requirement", "error"),
        ("longer | 2 |", "longer | 7 |", "unknown-requirement", "warning"),
        ("| T020 |", "| T010 |", "duplicate-test", "warning"),
        ("2. The pause", "1. The pause", "duplicate-requirement", "error"),
        ("2. The pause", "2. TBD: the pause", "placeholder", "error"),
        ("# cloud/backoff.py", "# cloud/timing.py", "signature-file", "warning"),
        ("* **Status:** Approved", "* **Status:** Draft", "not-approved", "warning"),
        ("## 2.1", "### Open Questions\n- [ ] How often?\n\n## 2.1", "open-question", "warning"),
        ("- [ ] `cloud", "- [ ] All 3 test scenarios pass\n- [ ] `cloud", "test-count", "warning"),
        (
            "## 10. Verification & Testing",
            "## 10. Verification & Testing\n\nSee `docs/how.md`.",
            "unknown-path",
            "warning",
        ),
    ],
)
def test_each_fault_is_found(project: Path, old: str, new: str, rule: str, severity: str) -> None:
    assert (rule, severity) in rules(project, (old, new))


def test_every_finding_has_the_line_it_is_about(project: Path) -> None:
    text = SOUND.replace("cloud/upload.py` | Modify", "cloud/gone.py` | Modify").replace("`pause` has", "It has")
    lines = text.split("\n")
    by_rule = {remark.rule: lines[remark.line - 1] for remark in found(project, text)}
    assert "cloud/gone.py" in by_rule["missing-file"]
    assert "Waits for ever" in by_rule["unanswered-risk"]


def test_a_test_file_that_only_the_plan_and_the_done_list_name(project: Path) -> None:
    """The document's own tests are not among its files, as easily happens when only the change itself is listed."""
    text = SOUND.replace("| `tests/test_upload.py` | Add | Tests |\n", "").replace(
        "## 11.", "- [ ] Test file created at: `tests/test_upload.py`\n\n## 11."
    )
    text += "- `tests/test_upload.py` ✓ (referenced in Section 10)\n"
    errors = [remark for remark in found(project, text) if remark.severity == "error"]
    assert [remark.rule for remark in errors] == ["test-not-listed", "not-listed"]
    assert "List `tests/test_upload.py` as Add" in errors[0].advice
    (project / "tests/test_upload.py").write_text("def test_x(): pass\n")
    there = [remark for remark in found(project, text) if remark.rule == "test-not-listed"]
    assert [remark.severity for remark in there] == ["warning"]


def test_a_document_for_another_project(project: Path) -> None:
    """Every path begins with a folder that this project does not have: each is told once, with what may be meant."""
    text = SOUND.replace("`cloud/", "`src/service/cloud/").replace("# cloud/", "# src/service/cloud/")
    said = [remark for remark in found(project, text) if remark.severity == "error"]
    assert [remark.rule for remark in said] == ["placeholder-prefix"] * 3
    assert said[0].advice == "Did you mean `cloud/upload.py`?"
    (project / "src").mkdir()
    with_folder = [remark.rule for remark in found(project, text) if remark.severity == "error"]
    assert with_folder == ["missing-file", "missing-parent", "missing-file"]


def test_what_is_no_design_document_is_told_in_whole(project: Path) -> None:
    said = found(project, "# We split diffs\n\n## Context\n\nLong ago, in `cloud/upload.py`.\n")
    assert [remark.rule for remark in said if remark.severity == "error"] == ["no-files", "no-requirements", "no-tests"]
    assert "implement.headings.files" in said[0].advice


def test_a_list_of_files_without_change_types(project: Path) -> None:
    table = SOUND[SOUND.index("| File") : SOUND.index("## 2.4")]
    said = found(
        project, SOUND.replace(table, "- `cloud/upload.py`\n- `cloud/backoff.py`\n- `tests/test_upload.py`\n\n")
    )
    advice = [remark.advice for remark in said if remark.rule == "change-type"]
    assert len(advice) == 3
    assert "It exists, so Modify or Delete" in advice[0]
    assert "It does not exist, so Add" in advice[1]


def test_parents_may_be_added_too(project: Path) -> None:
    deep = ("`cloud/backoff.py` | Add", "`cloud/time/backoff.py` | Add")
    assert ("missing-parent", "error") in rules(project, deep, ("# cloud/backoff", "# cloud/time/backoff"))
    listed = ("| `cloud/old.py`", "| `cloud/time/` | Add (Directory) | New |\n| `cloud/old.py`")
    names = ("# cloud/backoff", "# cloud/time/backoff"), ("[ ] `cloud/backoff", "[ ] `cloud/time/backoff")
    assert rules(project, deep, listed, *names) == []
    package = ("| `cloud/old.py`", "| `cloud/time/__init__.py` | Add | New |\n| `cloud/old.py`")
    assert rules(project, deep, package, *names) == []


def test_guarded_files_are_announced(project: Path) -> None:
    (project / ".github/workflows").mkdir(parents=True)
    said = rules(project, ("`cloud/old.py` | Delete", "`.github/workflows/ci.yml` | Add"))
    assert said == [("protected", "warning")]


def test_a_requirement_in_twenty_may_lack_a_test(project: Path) -> None:
    numbered = "\n".join(f"{n}. Thing {n} holds" for n in range(1, 21))
    requirements = SOUND[SOUND.index("1. A failed") : SOUND.index("## 10.")]
    text = (
        SOUND.replace(requirements, numbered + "\n\n")
        .replace("sent | 1 |", "sent | 1-19 |")
        .replace("longer | 2", "longer | 19")
    )
    said = [(remark.rule, remark.severity) for remark in found(project, text)]
    assert said == [("untested-requirement", "warning")]
    short = text.replace("1-19", "1-18").replace("longer | 19", "longer | 1")
    assert ("untested-requirement", "error") in [(each.rule, each.severity) for each in found(project, short)]


def test_tests_by_hand_show_nothing(project: Path) -> None:
    row = "| T020 | test_pause_grows | three tries | longer | 2 |"
    by_hand = (
        "\n### Manual tests\n\n| ID | Scenario | Steps | Requirement |\n|--|--|--|--|\n| M1 | waits | look | 2 |\n"
    )
    assert ("untested-requirement", "error") in rules(project, (row, by_hand))


def test_words_stand_in_for_a_mapping_but_not_silently(project: Path) -> None:
    text = SOUND.replace("sent | 1 |", "failed upload sent again | |").replace(
        "longer | 2 |", "pause is longer, grows | |"
    )
    said = found(project, text)
    assert [(remark.rule, remark.severity) for remark in said] == [("traced-by-words", "warning")]
    assert "1: T010, 2: T020" in said[0].message


def test_near_paths() -> None:
    files = ["a/setup.py", "b/setup.py", "b/c/upload.py", *(f"p{n}/__init__.py" for n in range(9))]
    assert nearby("src/b/setup.py", files) == ("b/setup.py", "a/setup.py")
    assert nearby("b/c/uploda.py", files) == ("b/c/upload.py",)
    assert nearby("x/p3/__init__.py", files) == ("p3/__init__.py",)
    assert did_you_mean("zebra.txt", files) == ""


def test_blocked_is_having_an_error() -> None:
    assert not blocked((Remark("a", "warning", "m"),))
    assert blocked((Remark("a", "warning", "m"), Remark("b", "error", "m")))
