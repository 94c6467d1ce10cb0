"""Edits instead of whole files, through the command line and the library."""

import re
from pathlib import Path

import pytest

from loopback import replies

from .conftest import Run, Serve, functions, whole


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
