"""What code hosts read: findings as SARIF."""

import json

from inlay.cli.output.sarif import Problem, as_sarif

PROBLEMS = [
    Problem("missing-file", "error", "src/a.py does not exist.", "docs/my design.md", 12, "Name one that does."),
    Problem("open-question", "note", "A question is open.", "/tmp/design:1.md"),
    Problem("missing-file", "warning", "No place."),
]


def test_a_run_names_its_tool_its_rules_and_its_results() -> None:
    run = json.loads(json.dumps(as_sarif("inlay spec check", PROBLEMS)))["runs"][0]
    assert run["tool"]["driver"]["name"] == "inlay spec check"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["missing-file", "open-question"]
    assert [(each["ruleId"], each["ruleIndex"], each["level"]) for each in run["results"]] == [
        ("missing-file", 0, "error"),
        ("open-question", 1, "note"),
        ("missing-file", 0, "warning"),
    ]


def test_a_place_is_an_address_with_its_line() -> None:
    first, second, third = as_sarif("t", PROBLEMS)["runs"][0]["results"]
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "docs/my%20design.md"}, "region": {"startLine": 12}}
    assert second["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "file:///tmp/design%3A1.md"}}
    assert "locations" not in third


def test_what_to_do_is_part_of_the_message() -> None:
    (first,) = as_sarif("t", PROBLEMS[:1])["runs"][0]["results"]
    assert first["message"]["text"] == "src/a.py does not exist. Name one that does."


def test_no_problem_is_a_run_without_results() -> None:
    assert as_sarif("t", [])["runs"][0]["results"] == []
