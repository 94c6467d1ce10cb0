"""`inlay commits check`: ranges, single commits and messages, told to people, programs and code hosts."""

import json
import tracemalloc
from pathlib import Path

import pytest

from inlay.commits import check_rules
from inlay.commits.messages.presets import PRESETS
from inlay.git.history import list_commits
from inlay.git.repository import open_repository
from inlay.model.commit import Issue, Verdict, joined

from .conftest import Repo, Run


def test_a_range_with_a_failing_commit(run: Run, repo: Repo) -> None:
    done = run("check", "HEAD~3..HEAD")
    assert done.code == 1
    assert f"✗ {repo.id('HEAD~1')[:10]} fixup! Start" in done.out
    assert "still to be squashed into another commit. [header-squash]" in done.out
    assert "'add', not 'Added'" in done.out
    assert "Add another" not in done.out
    assert "3 messages checked by plain: 2 pass, 1 fail." in done.out


def test_warnings_do_not_fail(run: Run) -> None:
    done = run("check", "HEAD~2")
    assert done.code == 0
    assert "warning" in done.out


def test_nothing_in_range_passes(run: Run) -> None:
    done = run("check", "HEAD..HEAD")
    assert (done.code, done.out) == (0, "There is nothing to check.\n")


def test_without_a_range_it_is_what_is_not_upstream(run: Run, repo: Repo) -> None:
    assert "1 message checked" in run("check").out
    repo.git("branch", "base", "HEAD~3")
    repo.git("branch", "-q", "--set-upstream-to=base")
    assert "3 messages checked" in run("check").out


@pytest.mark.parametrize("revision", ["nope", "nope..HEAD", "--output=x", "--all", "HEAD:file0-main"])
def test_what_means_nothing_is_wrong_usage(run: Run, repo: Repo, revision: str) -> None:
    done = run("check", "--", revision)
    assert done.code == 2
    assert not (repo.root / "x").exists()


def test_for_programs(run: Run, repo: Repo) -> None:
    said = json.loads(run("check", "HEAD~3..HEAD", "--json").out)
    assert (said["status"], said["passes"], said["fails"], said["unchecked"]) == ("fails", 2, 1, 0)
    assert [commit["outcome"] for commit in said["commits"]] == ["passes", "fails", "passes"]
    assert said["commits"][1]["commit"] == repo.id("HEAD~1")
    (issue,) = said["commits"][1]["issues"]
    assert (issue["rule"], issue["severity"]) == ("header-squash", "error")
    assert (issue["section"], issue["line"]) == ("header", 1)


def test_for_github_nothing_can_forge_a_command(run: Run, repo: Repo) -> None:
    repo.commit("100% wip, done::x\n::error::forged\n")
    lines = run("check", "HEAD", "--format", "github").out.splitlines()
    assert all(line.startswith(("::error title=", "::warning title=", "1 message")) for line in lines)
    assert f"title={repo.id()[:10]} 100%25 wip%2C done%3A%3Ax::" in lines[0]


def test_as_sarif(run: Run) -> None:
    said = json.loads(run("check", "HEAD~3..HEAD", "--format", "sarif").out)
    results = said["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["subject-imperative", "header-squash"]
    assert [result["level"] for result in results] == ["warning", "error"]


def test_a_message_that_is_about_to_become_a_commit(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("WIP: x\n# a remark\n\nbody\n")
    assert run("check", "--message", str(file)).code == 1
    file.write_text("# a remark\nAdd x\n# ------------------------ >8 ------------------------\nwip\n")
    assert run("check", "--message", str(file)).code == 0
    file.write_text("fixup! Add x\n")
    assert run("check", "--message", str(file)).code == 0
    assert run("check", "--message", "-", stdin=b"# nothing\n").code == 1
    assert run("check", "--message", str(tmp_path / "none")).code == 2
    assert run("check", "HEAD", "--message", str(file)).code == 2


def test_the_comment_character_is_gits(run: Run, repo: Repo) -> None:
    repo.git("config", "core.commentChar", ";")
    assert run("check", "--message", "-", stdin=b"#12 is a fine subject\n; WIP\n").code == 0


def test_rules_come_from_the_configuration(run: Run, repo: Repo) -> None:
    settings = '[tool.inlay.commits]\npreset = "conventional"\n[tool.inlay.commits.rules]\nticket = "PRJ-[0-9]+"\n'
    (repo.root / "pyproject.toml").write_text(settings)
    done = run("check", "HEAD")
    assert done.code == 1
    assert "[type-empty]" in done.out
    assert "[ticket]" in done.out
    assert "[type-empty]" not in run("check", "HEAD", "--preset", "plain").out
    (repo.root / "pyproject.toml").write_text('[tool.inlay.commits.rules]\nno-such-rule = "error"\n')
    done = run("check", "HEAD")
    assert (done.code, "there is no rule 'no-such-rule'" in done.err) == (5, True)


def test_authors_are_exempt_where_the_configuration_says_so(run: Run, repo: Repo) -> None:
    assert run("check", "HEAD~1").code == 1
    (repo.root / ".inlay.toml").write_text('[commits]\nexempt_authors = ["ada@*"]\n')
    said = json.loads(run("check", "HEAD~1", "--json").out)
    assert (said["status"], said["commits"][0]["exempt"]) == ("passes", "made by Ada")


def test_the_repositorys_own_configuration_holds_from_anywhere_in_it(
    run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.root / ".gitlint").write_text("[general]\nignore=B6\n[title-max-length]\nline-length=5\n")
    (repo.root / "below").mkdir()
    monkeypatch.chdir(repo.root / "below")
    done = run("check", "HEAD")
    assert (done.code, "5 are allowed" in done.out, "checked by .gitlint" in done.out) == (1, True, True)
    (repo.root / ".inlay.toml").write_text("[commits]\nconfigs = []\n")
    assert "checked by plain" in run("check", "HEAD").out


def test_a_bare_repository_is_asked_for_its_last_configuration(run: Run, repo: Repo, tmp_path: Path) -> None:
    (repo.root / ".commitlintrc.yml").write_text("extends: '@commitlint/config-conventional'\n")
    repo.commit("chore: agree on rules\n")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    done = run("check", "HEAD~1..HEAD", "-C", str(tmp_path / "bare"))
    assert (done.code, "checked by .commitlintrc.yml" in done.out) == (0, True)


def test_a_configuration_that_cannot_be_read_leaves_commits_unchecked(run: Run, repo: Repo) -> None:
    (repo.root / "commitlint.config.js").write_text("module.exports = require('./shared');\n")
    done = run("check", "HEAD")
    assert done.code == 6
    assert "could not be read" in done.err
    assert json.loads(run("check", "HEAD", "--json").out)["status"] == "unchecked"
    assert run("check", "HEAD", "--preset", "plain").code == 0


def test_a_linked_configuration_is_not_followed_out_of_the_repository(run: Run, repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret: [\n")
    (repo.root / ".commitlintrc.yml").symlink_to(tmp_path / "secret")
    done = run("check", "HEAD")
    assert "secret" not in done.out + done.err
    assert done.code == 0


def test_odd_bytes_encodings_and_sizes(run: Run, repo: Repo) -> None:
    repo.handmade(message="Größe\n".encode("latin-1"))
    assert "[message-encoding]" in run("check", "HEAD").out
    repo.handmade("encoding latin-1", message="Größe\n".encode("latin-1"))
    assert run("check", "HEAD").code == 0
    repo.handmade("encoding no-such-encoding", message="Größe\n".encode())
    assert run("check", "HEAD").code == 0
    repo.commit("")
    assert "[header-empty]" in run("check", "HEAD").out
    repo.commit("Add x\n\n" + "word " * 400_000 + "\n")
    done = run("check", "HEAD")
    assert done.code == 0
    assert "has 1999999 characters" in done.out


def test_merges_reverts_and_bots_are_exempt(run: Run, repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    repo.commit("WIP: side\n", GIT_AUTHOR_NAME="dependabot[bot]")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "side", "-m", "WIP merge.")
    assert run("check", "HEAD~1..HEAD").code == 0


@pytest.mark.slow
def test_many_commits_take_little_memory(repo: Repo) -> None:
    body = "word " * 2000
    head = f"commit refs/heads/many\ncommitter A <a@b.c> 1 +0000\ndata {len(body) + 5}\n"
    stream = "".join(f"{head}{n:04}\n{body}\n" for n in range(1000))
    repo.raw("fast-import", "--quiet", data=stream.encode())
    with open_repository(str(repo.root)) as opened:
        ids = [pair.commit for pair in list_commits(opened, "main..many")]
        tracemalloc.start()
        commits = check_rules.read_commits(opened, ids)
        outcomes = [verdict.outcome for verdict in check_rules.check_commits(commits, PRESETS["plain"])]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert len(outcomes) == 1000
    assert most < 1_500_000  # the messages alone are ten million


def test_outside_a_repository(run: Run, tmp_path: Path) -> None:
    assert run("check", "-C", str(tmp_path)).code == 5


def issue(severity: str, said: str) -> Issue:
    return Issue("r", severity, "body", (said,))  # type: ignore[arg-type]


def test_verdicts_on_one_commit_are_joined() -> None:
    ours = Verdict("c", "s", (issue("warning", "a"),))
    theirs = Verdict("c", "s", (issue("warning", "b"), issue("error", "c")), summary="does x")
    late = Verdict("c", "s", unchecked=("no answer",), suggestion="better")
    whole = joined(ours, theirs, late)
    assert [(each.severity, each.explanations) for each in whole.issues] == [("warning", ("a", "b")), ("error", ("c",))]
    assert (whole.outcome, whole.summary, whole.suggestion) == ("fails", "does x", "better")
    assert joined(ours, late).outcome == "unchecked"
    assert ours.outcome == "passes"
