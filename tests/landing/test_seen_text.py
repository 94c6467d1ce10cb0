"""The text that the model saw: by revision, by the blob id of a diff, from history, and given."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from inlay import EditsRefused, EmbedRequest, LandOptions, Workspace, embed, land
from inlay.cli.main import cli
from inlay.cli.output.error_report import Reporting
from inlay.errors import UnknownCommit
from inlay.git import file_versions
from inlay.landing import seen_text
from inlay.model.file import RepoPath

SEEN = "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"
NOW = SEEN.replace("def total(items):", "def total(items: list[int]) -> int:")
BLOCK = SEEN.rstrip("\n")
WANTED = BLOCK.replace("result += item", "result += item.price")
MERGED = NOW.replace("result += item", "result += item.price")
REPLY = f"a.py\n<<<<<<< SEARCH\n{BLOCK}\n=======\n{WANTED}\n>>>>>>> REPLACE\n"


def git(root: Path, *args: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(root), *identity, *args], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(root: Path, text: str, name: str = "a.py") -> str:
    (root / name).write_bytes(text.encode())
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x", "--allow-empty")
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    commit(tmp_path, SEEN)
    commit(tmp_path, NOW)
    return tmp_path


def adapted(reply: str, project: Path, options: LandOptions | None = None) -> tuple[str, ...]:
    landing = land(reply, Workspace(project), options=options)
    return landing.changes.changes[0].matches[0].adapted


def diff(project: Path, *args: str) -> str:
    return git(project, "diff", *args) + "\n"


class TestHistory:
    def test_a_block_of_an_earlier_version_is_merged(self, project: Path) -> None:
        short = git(project, "rev-parse", "HEAD~1")[:7]
        assert adapted(REPLY, project) == (f"quoted from commit {short}, merged",)
        assert (project / "a.py").read_text() == MERGED

    def test_the_newest_version_with_the_block_is_the_base(self, project: Path) -> None:
        newer = commit(project, "# a comment\n\n\n" + SEEN)
        commit(project, "# a comment\n\n\n" + NOW)
        assert adapted(REPLY, project) == (f"quoted from commit {newer[:7]}, merged",)

    def test_a_conflict_is_refused_with_both_sides(self, project: Path) -> None:
        short = git(project, "rev-parse", "HEAD~1")[:7]
        now = NOW.replace("+= item", "+= item * 2")
        (project / "a.py").write_text(now)
        with pytest.raises(EditsRefused) as caught:
            land(REPLY, Workspace(project))
        (misfit,) = caught.value.misfits
        assert misfit.code == "stale-conflict"
        assert f"since commit {short}" in misfit.message
        assert "-         result += item.price" in caught.value.feedback()
        assert "+         result += item * 2" in caught.value.feedback()
        assert (project / "a.py").read_text() == now

    def test_a_block_that_no_version_has_is_not_found(self, project: Path) -> None:
        with pytest.raises(EditsRefused) as caught:
            land(REPLY.replace("result", "outcome"), Workspace(project))
        assert [misfit.code for misfit in caught.value.misfits] == ["not-found"]

    def test_every_block_of_a_file_must_be_in_one_version(self, project: Path) -> None:
        other = "a.py\n<<<<<<< SEARCH\nnever there\n=======\nx\n>>>>>>> REPLACE\n"
        with pytest.raises(EditsRefused) as caught:
            land(REPLY + other, Workspace(project))
        assert {misfit.code for misfit in caught.value.misfits} == {"not-found"}

    def test_no_more_versions_than_allowed_are_read(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(seen_text, "_MOST_VERSIONS", 1)
        with pytest.raises(EditsRefused):
            land(REPLY, Workspace(project))

    def test_no_more_time_than_allowed_is_spent(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(seen_text, "_MOST_SECONDS", 0.0)
        with pytest.raises(EditsRefused):
            land(REPLY, Workspace(project))

    def test_a_git_that_hangs_is_ended(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        fake = project / "bin" / "git"
        fake.parent.mkdir()
        fake.write_text("#!/bin/sh\nexec sleep 60\n")
        fake.chmod(0o755)
        monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
        started = time.monotonic()
        assert list(file_versions.newest_first(str(project), "a.py", most=9, seconds=0.2)) == []
        assert time.monotonic() - started < 10

    def test_a_name_with_magic_is_taken_literally(self, project: Path) -> None:
        commit(project, SEEN, ":(top)b*.py")
        versions = list(file_versions.newest_first(str(project), ":(top)b*.py", most=9, seconds=9))
        assert [version.content for version in versions] == [SEEN.encode()]


class TestRevision:
    def test_the_edits_are_located_in_the_revision(self, project: Path) -> None:
        assert adapted(REPLY, project, LandOptions(base="HEAD~1")) == ("merged with the file as it is now",)
        assert (project / "a.py").read_text() == MERGED

    def test_an_unknown_revision_is_an_error(self, project: Path) -> None:
        with pytest.raises(UnknownCommit):
            land(REPLY, Workspace(project), options=LandOptions(base="nowhere"))
        with pytest.raises(UnknownCommit):
            land(REPLY, Workspace(project), options=LandOptions(base="--output=x"))

    def test_a_file_that_the_revision_lacks_has_no_base(self, project: Path) -> None:
        (project / "b.py").write_text("x = 1\n")
        reply = "b.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
        assert adapted(reply, project, LandOptions(base="HEAD")) == ()

    def test_from_the_command_line(self, project: Path) -> None:
        (project / "reply.md").write_text(REPLY)
        words = ["apply", "--json", "-C", str(project), "--base", "HEAD~1", str(project / "reply.md")]
        done = CliRunner().invoke(cli, words, obj=Reporting())
        assert done.exit_code == 0, done.output
        (edit,) = json.loads(done.output)["files"][0]["edits"]
        assert edit["adapted"] == ["merged with the file as it is now"]
        assert (project / "a.py").read_text() == MERGED


class TestBlobId:
    def test_a_diff_is_merged_with_the_blob_that_it_names(self, project: Path) -> None:
        git(project, "checkout", "-q", "HEAD~1")
        (project / "a.py").write_text(SEEN.replace("result += item", "result += item.price"))
        reply = diff(project, "-U3")
        git(project, "checkout", "-qf", "-")
        id = git(project, "rev-parse", "HEAD~1:a.py")[:7]
        assert adapted(reply, project) == (f"made from blob {id}, merged",)
        assert (project / "a.py").read_text() == MERGED

    def test_an_id_that_names_nothing_is_no_evidence(self, project: Path) -> None:
        (project / "a.py").write_text(MERGED)
        reply = diff(project).replace(git(project, "rev-parse", "HEAD:a.py")[:7], "1234567")
        (project / "a.py").write_text(NOW)
        assert adapted(reply, project) == ()
        assert (project / "a.py").read_text() == MERGED

    def test_an_id_of_another_file_is_no_evidence(self, project: Path) -> None:
        commit(project, "something else\n", "b.py")
        (project / "a.py").write_text(MERGED)
        ids = git(project, "rev-parse", "HEAD:a.py")[:7], git(project, "rev-parse", "HEAD:b.py")[:7]
        reply = diff(project).replace(*ids)
        (project / "a.py").write_text(NOW)
        assert adapted(reply, project) == ()
        assert (project / "a.py").read_text() == MERGED

    def test_the_file_that_the_diff_was_made_from_needs_no_git(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "a.py").write_text(MERGED)
        reply = diff(project)
        (project / "a.py").write_text(NOW)
        monkeypatch.setattr(file_versions, "by_id", lambda *_: pytest.fail("git was asked"))
        assert adapted(reply, project) == ()


class TestGiven:
    def test_a_text_is_the_base_of_the_one_file(self, project: Path) -> None:
        assert adapted(REPLY, project, LandOptions(base_text=SEEN)) == ("merged with the file as it is now",)

    def test_a_text_cannot_be_the_base_of_two_files(self, project: Path) -> None:
        (project / "b.py").write_text(NOW)
        with pytest.raises(EditsRefused) as caught:
            land(REPLY + REPLY.replace("a.py", "b.py"), Workspace(project), options=LandOptions(base_text=SEEN))
        assert [misfit.code for misfit in caught.value.misfits] == ["several-files"]

    def test_texts_may_be_given_for_each_file(self, project: Path) -> None:
        options = LandOptions(seen={RepoPath("a.py"): SEEN})
        assert adapted(REPLY, project, options) == ("merged with the file as it is now",)

    def test_the_engine_takes_a_base(self) -> None:
        assert embed(EmbedRequest("a.py", NOW, REPLY, base=SEEN)).content == MERGED
        refusal = embed(EmbedRequest("a.py", NOW.replace("+= item", "+= 2"), REPLY, base=SEEN)).refusal
        assert refusal is not None
        assert refusal.misfits[0].code == "stale-conflict"
