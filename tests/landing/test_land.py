"""A reply lands whole or not at all, and says why."""

from pathlib import Path

import pytest

from inlay import (
    EditsRefused,
    LandOptions,
    NoEditsFound,
    PathTraversalError,
    ReplyMalformed,
    ReplyRejected,
    ReplyTruncated,
    Workspace,
    land,
)


def block(find: str, replace: str, path: str = "") -> str:
    return f"{path}\n<<<<<<< SEARCH\n{find}\n=======\n{replace}\n>>>>>>> REPLACE\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    (tmp_path / "b.py").write_text("def f():\n    return 1\n")
    return tmp_path


def contents(project: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(project)): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and ".inlay" not in path.parts
    }


def refusal(reply: str, project: Path, options: LandOptions | None = None) -> ReplyRejected:
    before = contents(project)
    with pytest.raises(ReplyRejected) as caught:
        land(reply, Workspace(project), options=options)
    assert contents(project) == before
    return caught.value


def test_edits_of_several_files_land_together(project: Path) -> None:
    reply = block("x = 1", "x = 10", "a.py") + block("    return 1", "    return 2", "b.py")
    landing = land(reply, Workspace(project))
    assert contents(project) == {"a.py": b"x = 10\ny = 2\n", "b.py": b"def f():\n    return 2\n"}
    assert landing.receipt is not None
    assert [str(written.path) for written in landing.receipt.files] == ["a.py", "b.py"]
    assert landing.reading.format == "search_replace"


def test_one_misfit_keeps_everything_out(project: Path) -> None:
    error = refusal(block("x = 1", "x = 10", "a.py") + block("nowhere", "x", "b.py"), project)
    assert isinstance(error, EditsRefused)
    assert [misfit.code for misfit in error.misfits] == ["not-found"]


def test_all_misfits_are_told_at_once_and_as_feedback(project: Path) -> None:
    (project / "a.py").write_text("x = 1\nx = 1\n")
    error = refusal(block("x = 1", "x = 2", "a.py") + block("nowhere", "x", "b.py"), project)
    assert [misfit.code for misfit in error.misfits] == ["ambiguous", "not-found"]
    assert error.misfits[0].candidates == (1, 2)
    feedback = error.feedback()
    assert "Candidate lines: 1, 2" in feedback
    assert "| nowhere" in feedback
    assert feedback.count("What to do:") == 2


def test_later_edits_find_their_place_after_earlier_ones(project: Path) -> None:
    reply = (
        block("x = 1", "import os\n\nx = 1", "a.py") + block("y = 2", "y = 3", "a.py") + block("y = 3", "z = 3", "a.py")
    )
    land(reply, Workspace(project))
    assert contents(project)["a.py"] == b"import os\n\nx = 1\nz = 3\n"


def test_a_dry_run_does_everything_but_write(project: Path) -> None:
    before = contents(project)
    landing = land(block("x = 1", "x = 10", "a.py"), Workspace(project), options=LandOptions(dry_run=True))
    assert contents(project) == before
    assert landing.receipt is None
    assert landing.changes.changes[0].after == "x = 10\ny = 2\n"


def test_what_would_not_parse_is_refused_unless_checks_are_off(project: Path) -> None:
    reply = block("    return 1", "    return (1", "b.py")
    error = refusal(reply, project)
    assert error.misfits[0].code == "syntax"
    assert error.misfits[0].path == "b.py"
    land(reply, Workspace(project), options=LandOptions(check=False))
    assert contents(project)["b.py"] == b"def f():\n    return (1\n"


def test_the_caller_may_name_the_file_of_a_nameless_edit(project: Path) -> None:
    assert refusal(block("x = 1", "x = 10"), project).misfits[0].code == "no-path"
    land(block("x = 1", "x = 10"), Workspace(project), options=LandOptions(file="a.py"))
    assert contents(project)["a.py"] == b"x = 10\ny = 2\n"


def test_the_callers_name_does_not_override_the_replys(project: Path) -> None:
    land(block("x = 1", "x = 10", "a.py"), Workspace(project), options=LandOptions(file="b.py"))
    assert contents(project)["a.py"] == b"x = 10\ny = 2\n"


def test_strict_refuses_wrapping(project: Path) -> None:
    reply = "Sure, here you are:\n\n```python" + block("x = 1", "x = 10", "\na.py") + "```\nHope this helps!\n"
    refusal(reply, project, LandOptions(strict=True))
    land(reply, Workspace(project))


def test_a_format_may_be_demanded(project: Path) -> None:
    refusal(block("x = 1", "x = 10", "a.py"), project, LandOptions(format="udiff"))
    with pytest.raises(ValueError, match="there is no format"):
        land("", Workspace(project), options=LandOptions(format="no such"))


def test_a_block_in_one_other_file_is_pointed_out(project: Path) -> None:
    error = refusal(block("def f():\n    return 1", "pass", "./a.py"), project)
    assert "but it is in b.py" in error.misfits[0].message
    assert "b.py" in error.misfits[0].advice
    (project / "c.py").write_text((project / "b.py").read_text())
    assert "but it is in" not in refusal(block("def f():\n    return 1", "pass", "a.py"), project).misfits[0].message


def test_an_edit_in_place_already_is_no_error(project: Path) -> None:
    reply = block("x = 1", "x = 7", "a.py")
    land(reply, Workspace(project))
    landing = land(reply, Workspace(project))
    assert landing.receipt is not None
    assert landing.receipt.files == ()
    assert [match.rule for match in landing.changes.changes[0].matches] == ["already in place"]


def test_every_kind_of_bad_reply_has_its_own_error(project: Path) -> None:
    assert isinstance(refusal("", project), NoEditsFound)
    assert isinstance(refusal("All is well, I changed nothing.\n", project), NoEditsFound)
    assert isinstance(refusal("a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx =", project), ReplyTruncated)
    assert isinstance(refusal("a.py\n<<<<<<< SEARCH\nx\0 = 1\n", project), ReplyMalformed)
    assert isinstance(refusal(block("x", "y", "../a.py"), project), PathTraversalError)


def test_a_character_the_files_encoding_lacks_is_refused(project: Path) -> None:
    (project / "a.py").write_bytes(b"# caf\xe9\nx = 1\n")
    assert refusal(block("x = 1", "x = '\u20ac'", "a.py"), project).misfits[0].code == "encoding"
    assert refusal(block("def f():", "def f():  # \ud800", "b.py"), project).misfits[0].code == "encoding"


def test_lone_surrogates_in_a_new_file_are_refused(project: Path) -> None:
    reply = "*** Begin Patch\n*** Add File: n.txt\n+x \ud800\n*** End Patch\n"
    assert refusal(reply, project).misfits[0].code == "encoding"


def test_a_file_named_twice_gets_both_edits(project: Path) -> None:
    land(block("x = 1", "x = 10", "a.py") + block("y = 2", "y = 20", "./a.py"), Workspace(project))
    assert contents(project)["a.py"] == b"x = 10\ny = 20\n"


def test_a_file_created_twice_is_refused(project: Path) -> None:
    reply = "*** Begin Patch\n*** Add File: n.txt\n+x\n*** Add File: n.txt\n+y\n*** End Patch\n"
    refusal(reply, project)


def test_create_delete_and_move(project: Path) -> None:
    reply = (
        "*** Begin Patch\n*** Add File: new/n.py\n+x = 1\n*** Delete File: b.py\n"
        "*** Update File: a.py\n*** Move to: c.py\n@@\n-x = 1\n+x = 3\n y = 2\n*** End Patch\n"
    )
    landing = land(reply, Workspace(project), options=LandOptions(force=True))
    assert contents(project) == {"new/n.py": b"x = 1\n", "c.py": b"x = 3\ny = 2\n"}
    assert landing.receipt is not None
    assert {written.action for written in landing.receipt.files} == {"created", "deleted", "moved"}


def test_names_are_relative_to_the_root_or_to_a_directory(project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub/c.py").write_text("z = 1\n")
    options = LandOptions(directory="sub")
    landing = land(
        block("z = 1", "z = 2", "c.py") + block("x = 1", "x = 3", "b/a.py"), Workspace(project), options=options
    )
    assert [change.adapted for change in landing.changes.changes] == [
        ("c.py read as sub/c.py",),
        ("b/a.py read as a.py",),
    ]
    (project / "sub/a.py").write_text("x = 3\n")
    assert "a.py at the root of the project or sub/a.py" in str(
        refusal(block("x = 3", "x = 4", "a.py"), project, options)
    )
    nameless = LandOptions(directory="sub", file="a.py")
    land(block("y = 2", "y = 4"), Workspace(project), options=nameless)
    assert (project / "a.py").read_text() == "x = 3\ny = 4\n"


def test_absolute_names_mean_the_project_or_nothing(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    land(block("x = 1", "x = 2", str(project / "a.py")), Workspace(project))
    assert (project / "a.py").read_text() == "x = 2\ny = 2\n"
    link = tmp_path_factory.mktemp("link") / "to"
    link.symlink_to(project)
    land(block("x = 2", "x = 3", str(link / "a.py")), Workspace(link))
    land(block("x = 3", "x = 4", str(project / "a.py")), Workspace(link))
    assert (project / "a.py").read_text() == "x = 4\ny = 2\n"
    for name in (str(link / "a.py"), f"{project}/../a.py", f"{project}x/a.py", "/etc/passwd"):
        assert isinstance(refusal(block("x = 4", "x = 5", name), project), PathTraversalError)
