"""What the command line promises about edits, shown reply by reply."""

import json
import time
from pathlib import Path

import pytest

import inlay

from .conftest import Run

FILE = """\
import os


def first():
    return 1


def second():
    return 2


def third():
    return 3
"""


def change(number: int, find: str, replace: str, fence: str = "python") -> str:
    return (
        f"### CHANGE {number}: change {number}\n\nFIND:\n```{fence}\n{find}\n```\n\n"
        f"REPLACE WITH:\n```{fence}\n{replace}\n```\n\n"
    )


@pytest.fixture
def module(project: Path) -> Path:
    (project / "module.py").write_text(FILE)
    return project / "module.py"


def test_one_change_is_read(run: Run) -> None:
    told = json.loads(run("parse", "--json", stdin=change(1, "a", "b")).out)
    assert told["format"] == "find_replace"
    (edit,) = told["parts"][0]["edits"]
    assert (edit["description"], edit["variants"][0]) == ("change 1", {"find": ["a"], "replace": ["b"]})


def test_several_changes_are_read_in_order(run: Run) -> None:
    reply = change(1, "a", "b") + change(2, "c", "d") + change(3, "e", "f")
    (part,) = json.loads(run("parse", "--json", stdin=reply).out)["parts"]
    assert [edit["variants"][0]["find"] for edit in part["edits"]] == [["a"], ["c"], ["e"]]


def test_a_change_without_its_replacement_is_refused(run: Run, module: Path) -> None:
    done = run("apply", "--file", "module.py", stdin="### CHANGE 1: half\n\nFIND:\n```\n    return 1\n```\n")
    assert done.code == 3
    assert "Refused" in done.err
    assert module.read_text() == FILE


def test_one_change_lands_in_its_place(run: Run, module: Path) -> None:
    assert run("apply", "--file", "module.py", stdin=change(1, "    return 2", "    return 20")).code == 0
    assert module.read_text() == FILE.replace("return 2", "return 20")


def test_changes_land_in_order_and_later_ones_see_earlier_ones(run: Run, module: Path) -> None:
    reply = (
        change(1, "import os", "import os\nimport sys\n\nLIMIT = 1")
        + change(2, "    return 3", "    return LIMIT")
        + change(3, "LIMIT = 1", "LIMIT = 100")
    )
    assert run("apply", "--file", "module.py", stdin=reply).code == 0
    wanted = FILE.replace("import os", "import os\nimport sys\n\nLIMIT = 100").replace("return 3", "return LIMIT")
    assert module.read_text() == wanted


def test_a_block_in_two_places_is_refused_with_both(run: Run, module: Path) -> None:
    module.write_text(FILE + FILE)
    told = json.loads(run("apply", "--json", "--file", "module.py", stdin=change(1, "    return 2", "pass")).out)
    (misfit,) = told["misfits"]
    assert (misfit["code"], misfit["candidates"], misfit["wanted"]) == ("ambiguous", [9, 22], "    return 2")
    assert misfit["advice"]
    assert module.read_text() == FILE + FILE


def test_a_block_that_is_nowhere_is_quoted_with_the_nearest_place(run: Run, module: Path) -> None:
    reply = change(1, "def second():\n    return 22", "pass")
    told = json.loads(run("apply", "--json", "--file", "module.py", stdin=reply).out)
    (misfit,) = told["misfits"]
    assert (misfit["code"], misfit["wanted"]) == ("not-found", "def second():\n    return 22")
    assert (misfit["nearest"]["line"], misfit["nearest"]["differing"]) == (8, [1])
    assert "return 22" in told["feedback"]
    assert module.read_text() == FILE


@pytest.mark.parametrize(
    ("find", "replace"),
    [
        ("def second():\n  return 2", "def second():\n  return 20"),
        ("def second():\n\treturn 2", "def second():\n\treturn 20"),
        ("  def second():\n      return 2", "  def second():\n      return 20"),
        ("def second():   \n    return 2 ", "def second():   \n    return 20"),
    ],
)
def test_blanks_that_differ_are_forgiven_and_the_files_own_written(
    run: Run, module: Path, find: str, replace: str
) -> None:
    assert run("apply", "--file", "module.py", stdin=change(1, find, replace)).code == 0
    assert module.read_text() == FILE.replace("return 2", "return 20")


@pytest.mark.parametrize("find", ["def Second():\n    return 2", "def second():\n    return 2  # two", "secnd():"])
def test_words_that_differ_are_never_guessed(run: Run, module: Path, find: str) -> None:
    assert run("apply", "--file", "module.py", stdin=change(1, find, "pass")).code == 3
    assert module.read_text() == FILE


@pytest.mark.parametrize(
    ("name", "fence", "before", "find", "replace"),
    [
        ("a.js", "javascript", "let a = 1;\n", "let a = 1;", "let a = 2;"),
        ("a.md", "markdown", "# Title\n\ntext\n", "text", "more text"),
        ("a.yaml", "yaml", "a:\n  - 1\n", "  - 1", "  - 2"),
        ("a.css", "css", "a { color: red }\n", "a { color: red }", "a { color: blue }"),
        ("a.unknown", "", "anything\n", "anything", "something"),
        ("Makefile", "make", "all:\n\ttrue\n", "\ttrue", "\tfalse"),
    ],
)
def test_any_kind_of_file(run: Run, project: Path, name: str, fence: str, before: str, find: str, replace: str) -> None:
    (project / name).write_text(before)
    assert run("apply", "--file", name, stdin=change(1, find, replace, fence)).code == 0
    assert (project / name).read_text() == before.replace(find, replace)


def test_all_or_nothing_over_files(run: Run, project: Path, module: Path) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    reply = (
        "## module.py\n\n" + change(1, "    return 1", "    return 9") + "## notes.txt\n\n" + change(2, "nine", "ten")
    )
    assert run("apply", stdin=reply).code == 3
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


def test_only_the_named_file_changes(run: Run, project: Path, module: Path) -> None:
    (project / "twin.py").write_text(FILE)
    assert run("apply", "--file", "module.py", stdin=change(1, "    return 1", "    return 9")).code == 0
    assert (project / "twin.py").read_text() == FILE


def test_the_prompt_of_find_replace_asks_for_what_the_matching_needs(run: Run) -> None:
    prompt = run("formats", "find_replace").out
    for words in ("### CHANGE 1:", "FIND:", "REPLACE WITH:", "only once", "two unchanged lines above and below"):
        assert words in prompt
    assert "never with the whole file" in prompt
    assert "top of the file to its bottom" in prompt


def test_reading_and_staging_a_hundred_thousand_lines_takes_less_than_a_tenth_of_a_second() -> None:
    text = "".join(f"line {number} of a long file\n" for number in range(100_000))
    reply = change(1, "line 99990 of a long file\nline 99991 of a long file", "gone")
    snapshot = inlay.Snapshot.of({"long.txt": text})
    assert fastest(lambda: inlay.read(reply)) < 0.1
    reading = inlay.read("## long.txt\n\n" + reply)
    assert fastest(lambda: inlay.stage(reading, snapshot)) < 0.1


def fastest(call: object, runs: int = 5) -> float:
    """CPU seconds of the quickest run; a busy machine does not show in it."""
    assert callable(call)
    times = []
    for _ in range(runs):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return min(times)


# Patches that carry more than a patch.

DIFF = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n"


@pytest.mark.parametrize(
    "reply", [f"```diff\n{DIFF}```\n", f"Here is the patch:\n\n{DIFF}", f"{DIFF}\nHope this helps!\n"]
)
def test_strict_refuses_a_contaminated_patch_and_says_how_to_write_it(run: Run, project: Path, reply: str) -> None:
    done = run("apply", "--strict", "--feedback", stdin=reply)
    assert done.code == 3
    assert "What to do:" in done.out
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    assert run("apply", "--strict", stdin=DIFF).code == 0


def test_tool_markup_in_code_is_refused(run: Run, project: Path) -> None:
    reply = DIFF.replace("notes.txt", "src/app.py").replace(
        " one\n-two\n+zwei", " def f():\n-    return 1\n+</tool_call>"
    )
    assert run("apply", stdin=reply).code == 3


def test_a_document_may_hold_fences_and_tags(run: Run, project: Path) -> None:
    (project / "guide.md").write_text("# Guide\n\n```sh\nmake\n```\n\nWrite `<tool_call>` around it.\n")
    reply = (
        "--- a/guide.md\n+++ b/guide.md\n@@ -3,3 +3,4 @@\n ```sh\n make\n+make test\n ```\n"
        "@@ -7 +8,2 @@\n Write `<tool_call>` around it.\n+End with `</tool_call>`.\n"
    )
    assert run("apply", "--strict", stdin=reply).code == 0
    assert "make test\n```\n" in (project / "guide.md").read_text()


@pytest.mark.parametrize("arguments", [[], ["--format", "udiff"]])
def test_a_list_is_not_a_diff(run: Run, arguments: list[str]) -> None:
    done = run("apply", "--json", *arguments, stdin="- first item\n- second item\n+ a plus\n")
    assert done.code == 3
    assert json.loads(done.out)["error"] == "NoEditsFound"


def test_the_prompt_for_diffs_has_rules_and_a_minimal_example(run: Run) -> None:
    prompt = run("formats", "unified_diff").out
    assert "rules:" in prompt.lower()
    assert "\n--- " in prompt
    assert "\n@@" in prompt


def edits(*ranges: tuple[int, int, str | None, str]) -> str:
    listed = [
        {"range": {"start": start, "end": end}, **({"oldText": old} if old is not None else {}), "newText": new}
        for start, end, old, new in ranges
    ]
    return json.dumps({"path": "ten.txt", "edits": listed})


@pytest.fixture
def ten(project: Path) -> Path:
    (project / "ten.txt").write_text("".join(f"l{n}\n" for n in range(1, 11)))
    return project / "ten.txt"


def test_json_edits_replace_insert_and_delete_by_lines_of_the_original(run: Run, ten: Path) -> None:
    reply = edits((2, 3, None, "two\nthree\nand a half"), (5, 4, None, "inserted"), (9, 10, None, ""))
    assert run("apply", stdin=reply).code == 0
    assert ten.read_text().split() == [
        "l1",
        "two",
        "three",
        "and",
        "a",
        "half",
        "l4",
        "inserted",
        "l5",
        "l6",
        "l7",
        "l8",
    ]


@pytest.mark.parametrize(
    "reply",
    [
        edits((2, 30, None, "x")),
        edits((0, 1, None, "x")),
        edits((5, 3, None, "x")),
        edits((2, 4, None, "x"), (4, 5, None, "y")),
        edits((2, 2, "no such line", "x")),
    ],
    ids=["beyond the end", "before the start", "end before start", "overlap", "other old text"],
)
def test_json_edits_that_cannot_be_meant_are_refused(run: Run, ten: Path, reply: str) -> None:
    before = ten.read_text()
    told = run("apply", "--json", stdin=reply)
    assert told.code == 3
    assert json.loads(told.out)["kind"] == "patch_error"
    assert ten.read_text() == before


def test_old_text_decides_and_the_range_is_a_hint(run: Run, ten: Path) -> None:
    assert run("apply", stdin=edits((2, 2, "l7", "seven"))).code == 0
    assert ten.read_text() == "".join(f"l{n}\n" for n in range(1, 11)).replace("l7", "seven")


def test_old_text_in_several_places_needs_the_exact_range(run: Run, ten: Path) -> None:
    ten.write_text("same\nother\nsame\n")
    assert run("apply", stdin=edits((2, 2, "same", "x"))).code == 3
    assert run("apply", stdin=edits((3, 3, "same", "x"))).code == 0
    assert ten.read_text() == "same\nother\nx\n"
