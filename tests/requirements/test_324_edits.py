"""Edits instead of whole files, through the command line and the library."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import inlay
from loopback import Reply, Seen, replies

from .conftest import MODEL, SMALL, Outcome, Run, Serve, change, contents, functions, whole

pytestmark = pytest.mark.slow


def teaches(run: Run, system: str) -> set[str]:
    """The formats that a system prompt explains."""
    names = ["find_replace", "search_replace", "unified_diff", "json_edits", "apply_patch", "whole_file"]
    return {name for name in names if run("formats", name).out.strip() in system}


@pytest.mark.parametrize("options", [[], ["--mode", "edits"], ["--format", "unified_diff"]])
def test_a_new_file_is_asked_for_whole_and_not_by_edits(
    run: Run, serve: Serve, project: Path, options: list[str]
) -> None:
    content = functions(600)
    with serve(whole("new.py", content)) as server:
        done = run("edit", "new.py", "-m", "x", "--json", *options)
    assert (done.code, done.data["mode"], done.data["format"]) == (0, "whole", "whole_file")
    assert (project / "new.py").read_text() == content
    assert teaches(run, server.seen[0].system) == {"whole_file"}


def test_a_new_file_beside_a_large_one_is_asked_for_whole(run: Run, serve: Serve, project: Path) -> None:
    (project / "big.py").write_text(functions(200))
    with serve("no edits") as server:
        run("edit", "big.py", "new.py", "-m", "x", "--max-attempts", "1")
    assert re.search(r"^big\.py\b.* edits", server.seen[0].last, re.MULTILINE)
    assert re.search(r"^new\.py\b.* whole file", server.seen[0].last, re.MULTILINE)
    assert teaches(run, server.seen[0].system) == {"find_replace", "whole_file"}


def test_a_new_file_that_was_cut_off_is_asked_for_whole_again(run: Run, serve: Serve, project: Path) -> None:
    content = functions(3)
    with serve(replies.max_tokens(whole("new.py", functions(2))[:-8]), whole("new.py", content)) as server:
        done = run("edit", "new.py", "-m", "x", "--json")
    assert [(attempt["mode"], attempt["error"]) for attempt in done.data["attempts"]] == [
        ("whole", "truncated"),
        ("whole", ""),
    ]
    assert teaches(run, server.seen[1].words) == {"whole_file"}
    assert (project / "new.py").read_text() == content


# --- which files are large -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", ["command", "library"])
@pytest.mark.parametrize(
    ("content", "mode"),
    [
        ("x\n" * 500, "whole"),
        ("x\n" * 501, "edits"),
        ("x\n" * 500 + "x", "edits"),
        ("x" * 14_999 + "\n", "whole"),
        ("x" * 15_000 + "\n", "edits"),
        ("é" * 7_500, "whole"),
        ("é" * 7_500 + "\n", "edits"),
        ("x = 1\n" * 100, "whole"),
        ("", "whole"),
    ],
    ids=["500-lines", "501-lines", "501-lines-open", "15000", "15001", "15000-wide", "15001-wide", "small", "empty"],
)
def test_a_file_is_large_by_its_lines_or_its_bytes(
    run: Run, serve: Serve, project: Path, content: str, mode: str, face: str
) -> None:
    (project / "a.txt").write_text(content)
    with serve("no edits") as server:
        if face == "command":
            run("edit", "a.txt", "-m", "x", "--max-attempts", "1")
        else:
            model = inlay.open_model(MODEL, inlay.Settings.of(), server.environ("anthropic"))
            options = inlay.GenerateOptions(limits=inlay.Limits(attempts=1))
            with pytest.raises(inlay.ImplementationError):
                inlay.generate(inlay.Task(("a.txt",), "x"), inlay.Workspace(project), model, options)
    assert teaches(run, server.seen[0].system) == {"find_replace" if mode == "edits" else "whole_file"}


# --- where a block is found ----------------------------------------------------------------------------------------

TOTAL = """\
def total(items):
    result = 0
    for item in items:
        result += item.price
    return result
"""
TWINS = """\
class Basket:
    def size(self):
        return 1


def size(self):
    return 1
"""


def apply(run: Run, project: Path, content: str, find: str, replace: str) -> tuple[int, str]:
    """Exit code, and what became of the file."""
    (project / "a.py").write_text(content)
    return run("apply", "--file", "a.py", stdin=change(1, find, replace)).code, (project / "a.py").read_text()


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text,
        lambda text: text.replace("    ", "  "),
        lambda text: text.replace("    ", "\t"),
        lambda text: "".join(f"        {line}\n" for line in text.splitlines()).rstrip("\n"),
        lambda text: text.replace("result = 0", "result = 0  "),
        lambda text: text.replace("    result = 0", "\n    result = 0"),
        lambda text: text.replace("result = 0", "result  =  0"),
    ],
    ids=["exactly", "two-spaces", "tabs", "deeper", "line-ends", "blank-lines", "inner-blanks"],
)
def test_a_block_is_found_exactly_or_with_other_blanks(run: Run, project: Path, edit: Callable[[str], str]) -> None:
    find, replace = (edit(text.rstrip("\n")) for text in (TOTAL, TOTAL.replace("price", "cost")))
    assert apply(run, project, TOTAL, find, replace) == (0, TOTAL.replace("price", "cost"))


def test_what_is_found_exactly_is_meant_before_what_differs_in_blanks(run: Run, project: Path) -> None:
    inner, outer = (f"{indent}def size(self):\n{indent}    return 1" for indent in ("    ", ""))
    for find in (inner, outer):
        new = find.replace("1", "2")
        assert apply(run, project, TWINS, find, new) == (0, TWINS.replace(f"\n{find}\n", f"\n{new}\n"))
    between = inner.replace("    def", "  def").replace("        ", "      ")
    assert apply(run, project, TWINS, between, between.replace("1", "2")) == (3, TWINS)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("sum_up(items)", "total(items)"), ("totals(items)", "total(items)"), ("result = 1", "result = 0")],
)
def test_another_word_in_a_line_that_stays_is_not_guessed(run: Run, project: Path, wrong: str, right: str) -> None:
    find = TOTAL.rstrip("\n").replace(right, wrong)
    assert apply(run, project, TOTAL, find, find.replace("price", "cost")) == (3, TOTAL)


@pytest.mark.parametrize("wrong", ["resullt += item.price", "result += item.cost", "result -= item.price"])
def test_a_line_that_changes_is_never_guessed(run: Run, project: Path, wrong: str) -> None:
    find = TOTAL.rstrip("\n").replace("result += item.price", wrong)
    assert apply(run, project, TOTAL, find, TOTAL.rstrip("\n").replace("price", "weight")) == (3, TOTAL)


# --- checked before it is written ----------------------------------------------------------------------------------


def test_what_a_decision_makes_of_a_file_is_checked_before_it_is_written(project: Path) -> None:
    content = "".join(f"def f{n}():\n    return (\n        {n}\n    )\n\n\n" for n in range(30))
    (project / "a.py").write_text(content)

    def approve(needs: Sequence[inlay.Need], changes: inlay.ChangeSet) -> list[inlay.Decision]:
        return [inlay.Decision(need.path, strategy="insert", line=3) for need in needs]

    with pytest.raises(inlay.EditsRefused) as refused:
        inlay.write("a.py", "x = 1\n", inlay.Workspace(project), approve=approve)
    assert [misfit.code for misfit in refused.value.misfits] == ["syntax"]
    assert (project / "a.py").read_text() == content


@pytest.mark.parametrize("arguments", [["apply", "--file", "small.py"], ["write", "small.py", "--yes"]])
def test_a_result_that_does_not_parse_is_refused_before_it_is_written(
    run: Run, project: Path, arguments: list[str]
) -> None:
    broken = SMALL.replace("f()", "f(")
    reply = change(1, "def f():", "def f(:") if arguments[0] == "apply" else broken
    done = run(*arguments, "--json", stdin=reply)
    assert (done.code, [misfit["code"] for misfit in done.data["misfits"]]) == (3, ["syntax"])
    assert (project / "small.py").read_text() == SMALL


# --- answers that were cut off -------------------------------------------------------------------------------------


def tenfold(number: int) -> str:
    """A change that has the function of that number return ten times as much."""
    find = f"def f{number}():\n    return {number}"
    return change(number, find, f"{find}0")


def times_ten(text: str, *numbers: int) -> str:
    for number in numbers:
        text = text.replace(f"return {number}\n", f"return {number}0\n")
    return text


def attempts(done: Outcome) -> list[tuple[str, str]]:
    return [(attempt["mode"], attempt["error"]) for attempt in done.data["attempts"]]


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
def test_the_stop_reason_alone_tells_that_an_answer_was_cut_off(
    run: Run, serve: Serve, project: Path, wire: str
) -> None:
    looks_whole, good = (whole("small.py", SMALL.replace("1", number)) for number in ("2", "3"))
    with serve(replies.max_tokens(looks_whole), good, wire=wire) as server:
        done = run("edit", "small.py", "-m", "x", "--mode", "whole", "--json")
    assert ([error for _, error in attempts(done)], len(server.seen)) == (["truncated", ""], 2)
    assert (project / "small.py").read_text() == SMALL.replace("1", "3")
    with serve(looks_whole, wire=wire) as server:
        assert run("edit", "small.py", "-m", "x", "--mode", "whole").code == 0
    assert (project / "small.py").read_text() == SMALL.replace("1", "2")


def test_of_an_answer_that_was_cut_off_the_rest_is_asked_for(run: Run, serve: Serve, project: Path) -> None:
    (project / "big.py").write_text(functions(201))
    looks_whole = tenfold(5).replace("return 50", "return 55")
    with serve(replies.max_tokens(tenfold(3) + looks_whole), tenfold(5) + tenfold(200)) as server:
        done = run("edit", "big.py", "-m", "x", "--json")
    assert attempts(done) == [("edits", "truncated"), ("edits", "")]
    assert (project / "big.py").read_text() == times_ten(functions(201), 3, 5, 200)
    assert len(server.seen) == 2


def test_a_truncation_is_never_silent(run: Run, serve: Serve, project: Path) -> None:
    (project / "big.py").write_text(functions(201))
    with serve(replies.max_tokens(tenfold(3)), tenfold(3)):
        done = run("edit", "big.py", "-m", "x")
    assert done.code == 0
    assert "[RETRY 1] Validation: " in done.err


@pytest.mark.parametrize(("max_output", "last"), [(8_192, "whole"), (1_000, "edits")], ids=["fits", "does-not-fit"])
def test_the_whole_file_is_asked_for_only_last_and_only_if_it_fits(
    run: Run, serve: Serve, project: Path, max_output: int, last: str
) -> None:
    content = functions(201)
    (project / "big.py").write_text(content)
    with serve(lambda seen: replies.max_tokens(tenfold(3)[:60]), max_output=max_output) as server:
        done = run("edit", "big.py", "-m", "x", "--json")
    assert (done.code, done.data["error"]) == (3, "ImplementationError")
    asked = [next(iter(teaches(run, seen.last)), "find_replace") for seen in server.seen]
    assert asked == ["find_replace", "find_replace", "whole_file" if last == "whole" else "find_replace"]
    assert (project / "big.py").read_text() == content


def test_a_whole_file_that_was_cut_off_is_asked_for_by_edits(run: Run, serve: Serve, project: Path) -> None:
    with serve(replies.max_tokens(whole("small.py", SMALL)[:-8]), change(1, "    return 1", "    return 2")):
        done = run("edit", "small.py", "-m", "x", "--json")
    assert attempts(done) == [("whole", "truncated"), ("edits", "")]
    assert (project / "small.py").read_text() == SMALL.replace("1", "2")


@pytest.mark.parametrize("stop", ["max_tokens", "end"])
@pytest.mark.parametrize("face", ["edit", "apply"])
def test_a_tenth_of_a_large_file_is_never_written_over_it(
    run: Run, serve: Serve, project: Path, stop: Any, face: str
) -> None:
    content = functions(201)
    (project / "big.py").write_text(content)
    assert content.count("\n") == 804
    fragment = whole("big.py", "".join(content.splitlines(keepends=True)[:79]))
    if face == "apply":
        done = run("apply", "--json", stdin=fragment)
        assert (done.code, done.data["status"]) == (3, "refused")
    else:
        with serve(lambda seen: Reply(fragment, stop=stop)) as server:
            done = run("edit", "big.py", "-m", "x", "--auto", "--json")
        assert len(server.seen) > 1
        assert done.code == 3
    assert (project / "big.py").read_text() == content


# --- what a refusal says -------------------------------------------------------------------------------------------

FACES = pytest.mark.parametrize("face", [[], ["--feedback"]], ids=["person", "model"])


def refused(run: Run, project: Path, text: str, reply: str, face: list[str]) -> tuple[dict[str, Any], str]:
    """The one misfit of a reply, as data, and what a person or a model is shown of it."""
    (project / "a.py").write_text(text)
    done, shown = (run("apply", "--file", "a.py", *options, stdin=reply) for options in (["--json"], face))
    assert (done.code, shown.code, (project / "a.py").read_text()) == (3, 3, text)
    (misfit,) = done.data["misfits"]
    assert misfit["advice"]
    assert misfit["advice"] in shown.out + shown.err
    return misfit, shown.out + shown.err


@FACES
def test_a_block_in_several_places_is_refused_with_all_of_them(run: Run, project: Path, face: list[str]) -> None:
    misfit, shown = refused(run, project, functions(3) * 3, tenfold(1), face)
    assert (misfit["code"], misfit["path"], misfit["edit"]) == ("ambiguous", "a.py", 1)
    assert (misfit["wanted"], misfit["candidates"]) == ("def f1():\n    return 1", [5, 17, 29])
    assert "def f1():" in shown
    assert "5, 17, 29" in shown.split("return 1")[1]


@FACES
def test_a_block_that_is_nowhere_is_refused_with_the_nearest_place(run: Run, project: Path, face: list[str]) -> None:
    misfit, shown = refused(run, project, functions(9), change(1, "def f5():\n    return 55", "pass"), face)
    assert (misfit["code"], misfit["path"], misfit["edit"]) == ("not-found", "a.py", 1)
    assert misfit["wanted"] == "def f5():\n    return 55"
    nearest = misfit["nearest"]
    assert (nearest["line"], nearest["found"], nearest["differing"]) == (21, ["def f5():", "    return 5"], [1])
    assert "def f5():" in shown
    assert re.search(r"\b21\b", shown)
    assert re.search(r"^ *- +return 55\n *\+ +return 5$", shown, re.MULTILINE)


def test_every_block_that_does_not_fit_is_named(run: Run, project: Path) -> None:
    (project / "a.py").write_text(functions(3) * 2)
    done = run("apply", "--file", "a.py", "--json", stdin=tenfold(1) + change(2, "nowhere", "x") + change(3, "no", "y"))
    assert [(misfit["edit"], misfit["code"]) for misfit in done.data["misfits"]] == [
        (1, "ambiguous"),
        (2, "not-found"),
        (3, "not-found"),
    ]


@pytest.mark.parametrize(
    "half",
    [
        "### CHANGE 2: half\nFIND:\n```python\n    return 2\n```\n\n### CHANGE 3: more\n",
        "### CHANGE 2: half\nFIND:\n```python\n    return 2\n```\n\nThat is all.\n",
        "### CHANGE 2: half\nREPLACE WITH:\n```python\n    return 20\n```\n",
        "### CHANGE 2: half\nFIND:\n    return 2\n\nREPLACE WITH:\n    return 20\n",
    ],
    ids=["no-replacement", "prose-instead", "no-find", "no-fences"],
)
def test_a_malformed_change_is_a_named_error_and_nothing_is_applied(run: Run, project: Path, half: str) -> None:
    text = functions(3)
    (project / "a.py").write_text(text)
    done = run("apply", "--file", "a.py", "--json", stdin=tenfold(1) + half)
    assert (done.code, done.data["status"]) == (3, "refused")
    assert done.data["error"] in ("ReplyMalformed", "ReplyTruncated")
    assert done.data["misfits"][0]["code"] in ("malformed", "truncated")
    assert done.data["misfits"][0]["advice"]
    assert (project / "a.py").read_text() == text


# --- all or nothing, and only where it belongs ---------------------------------------------------------------------


def test_whatever_a_model_answers_only_the_named_file_changes(run: Run, serve: Serve, project: Path) -> None:
    (project / "other.py").write_text(SMALL)
    good = whole("small.py", SMALL.replace("1", "2"))
    before = contents(project)
    with serve(good + whole("other.py", "stolen = 1\n") + whole("new.py", "stolen = 1\n"), good):
        done = run("edit", "small.py", "-m", "x", "--json")
    assert [error for _, error in attempts(done)] == ["outside-task", ""]
    assert contents(project) == before | {"small.py": SMALL.replace("1", "2").encode()}


@pytest.mark.parametrize("bad", ["nowhere", "ambiguous", "syntax", "outside"])
def test_one_change_that_does_not_fit_keeps_all_files_as_they_were(run: Run, project: Path, bad: str) -> None:
    (project / "other.py").write_text(functions(2) * 2)
    before = contents(project)
    second = {
        "nowhere": "## other.py\n\n" + tenfold(7),
        "ambiguous": "## other.py\n\n" + tenfold(1),
        "syntax": "## other.py\n\n" + change(2, functions(2) * 2, "def f0(:\n    return 1\n"),
        "outside": "## ../other.py\n\n" + tenfold(1),
    }
    reply = "## small.py\n\n" + change(1, "    return 1", "    return 2") + second[bad]
    assert run("apply", stdin=reply).code == 3
    assert contents(project) == before


def test_three_tries_by_default_and_the_file_is_as_it_was(run: Run, serve: Serve, project: Path) -> None:
    before = contents(project)
    with serve(lambda seen: tenfold(9)) as server:
        done = run("edit", "small.py", "-m", "x", "--json")
    assert (done.code, done.data["error"], len(server.seen)) == (3, "ImplementationError", 3)
    assert contents(project) == before
    with serve(lambda seen: tenfold(9)) as server:
        model = inlay.open_model(MODEL, inlay.Settings.of(), server.environ("anthropic"))
        with pytest.raises(inlay.ImplementationError):
            inlay.generate(inlay.Task(("small.py",), "x"), inlay.Workspace(project), model)
    assert len(server.seen) == 3


# --- dry runs ------------------------------------------------------------------------------------------------------


def everything(project: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in project.rglob("*") if path.is_file()}


@pytest.mark.parametrize("command", ["apply", "write", "edit"])
def test_a_dry_run_shows_what_would_be_written_and_writes_nothing(
    run: Run, serve: Serve, project: Path, command: str
) -> None:
    new = SMALL.replace("1", "2")
    arguments, stdin = {
        "apply": (["apply"], whole("small.py", new)),
        "write": (["write", "small.py"], new),
        "edit": (["edit", "small.py", "-m", "x"], ""),
    }[command]
    with serve(*[whole("small.py", new)] * 3):
        before = contents(project)
        dry = run(*arguments, "--dry-run", "--json", stdin=stdin)
        assert contents(project) == before
        assert run("history", "--json").data == []
        assert run("log", "--json").out == ""
        shown = run(*arguments, "--dry-run", stdin=stdin)
        assert (shown.code, contents(project)) == (0, before)
        assert "-    return 1\n+    return 2\n" in shown.out
        wet = run(*arguments, "--json", stdin=stdin)
    assert (dry.code, wet.code, wet.data["status"]) == (0, 0, "applied")
    assert dry.data["status"] != "applied"
    for key in ("files", "findings"):
        assert dry.data[key] == wet.data[key]
    assert (project / "small.py").read_text() == new


@pytest.mark.parametrize(("content", "code"), [("def f(:\n", 3), ("x = 1\n", 4)], ids=["refused", "undecided"])
def test_a_dry_run_fails_as_the_run_would(run: Run, project: Path, content: str, code: int) -> None:
    (project / "long.py").write_text(functions(100))
    dry, wet = (run("write", "long.py", "--auto", "--json", *more, stdin=content) for more in (["--dry-run"], []))
    assert (dry.code, wet.code) == (code, code)
    assert dry.data == wet.data
    assert (project / "long.py").read_text() == functions(100)


# --- what it costs -------------------------------------------------------------------------------------------------


def test_edits_of_a_large_file_take_a_fifth_of_the_output_at_most(run: Run, serve: Serve, project: Path) -> None:
    before, after = functions(201), times_ten(functions(201), 3, 90, 170)

    def obedient(seen: Seen) -> str:
        """Answers with edits where edits are asked for, else with the file."""
        return tenfold(3) + tenfold(90) + tenfold(170) if "### CHANGE 1" in seen.system else whole("big.py", after)

    output = {}
    for mode in ("auto", "whole"):
        (project / "big.py").write_text(before)
        with serve(obedient):
            done = run("edit", "big.py", "-m", "x", "--mode", mode, "--force", "--json")
        assert (project / "big.py").read_text() == after
        output[mode] = done.data["usage"]["output"]
    assert 5 * output["auto"] <= output["whole"]


def test_what_edits_save_can_be_asked_for(run: Run, serve: Serve, project: Path) -> None:
    (project / "big.py").write_text(functions(201))
    with serve(tenfold(3) + tenfold(90) + tenfold(170)):
        done = run("edit", "big.py", "-m", "x", "--json")
    spent, whole_file = done.data["usage"]["output"], len(times_ten(functions(201), 3, 90, 170)) / 4
    assert done.data["whole_tokens"] == pytest.approx(whole_file, rel=0.05)
    stats = run("stats", "--json").data
    assert (stats["output_tokens"], stats["whole_tokens"]) == (spent, done.data["whole_tokens"])
    assert stats["saved"] == pytest.approx(1 - spent / stats["whole_tokens"])
    assert stats["saved"] >= 0.8
