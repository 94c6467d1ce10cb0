"""Rewriting messages: only messages change, and nothing happens that must not."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay import commits
from inlay.commits import rewrite
from inlay.commits.messages import commit_object
from inlay.errors import RewriteRefused, UnknownReceipt
from inlay.git.repository import open_repository
from inlay.model.history_rewrite import Allowed, Backup, RewritePlan

from .conftest import Repo

ANYTHING = Allowed(pushed=True, merges=True, drop_signatures=True, shallow=True)
EVERYTHING = "--format=%T %an %ae %ad %cn %ce %cd %e"


def planned(repo: Repo, messages: dict[str, str], allowed: Allowed | None = None) -> RewritePlan:
    with open_repository(str(repo.root)) as opened:
        plan = rewrite.plan(opened, messages, allowed)
    assert plan is not None
    return plan


def carry_out(repo: Repo, plan: RewritePlan) -> Backup:
    with open_repository(str(repo.root)) as opened:
        return rewrite.carry_out(opened, plan)


def reworded(repo: Repo, revision: str, message: str, allowed: Allowed | None = None) -> RewritePlan:
    plan = planned(repo, {repo.id(revision): message}, allowed)
    carry_out(repo, plan)
    return plan


def facts(repo: Repo, revision: str = "HEAD") -> str:
    return repo.git("log", "--topo-order", "--date=raw", EVERYTHING, revision)


def test_a_message_changes_and_nothing_else(repo: Repo) -> None:
    (repo.root / "file0-main").write_text("changed and not committed")
    (repo.root / "staged").write_text("x")
    repo.git("add", "staged")
    before, status, index = facts(repo), repo.git("status", "--porcelain"), (repo.root / ".git/index").read_bytes()
    reworded(repo, "HEAD~2", "Add a thing\n\nFor a reason.\n\n\n")
    assert repo.subjects() == ["Start", "Add a thing", "fixup! Start", "Add another"]
    assert repo.raw("cat-file", "commit", "HEAD~2").endswith(b"\n\nAdd a thing\n\nFor a reason.\n")
    assert (facts(repo), repo.git("status", "--porcelain")) == (before, status)
    assert (repo.root / ".git/index").read_bytes() == index
    assert repo.git("symbolic-ref", "HEAD") == "refs/heads/main"
    repo.git("fsck", "--strict")


def test_the_root_commit_can_be_reworded(repo: Repo) -> None:
    before = facts(repo)
    plan = reworded(repo, "HEAD~3", "Begin")
    assert (len(plan.commits), plan.reworded) == (4, 1)
    assert repo.subjects()[0] == "Begin"
    assert facts(repo) == before


def test_two_runs_give_the_same_ids(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", ".", str(tmp_path / "copy"))
    copy = Repo(tmp_path / "copy")
    messages = {repo.id("HEAD~2"): "one", repo.id(): "two"}
    first = carry_out(repo, planned(repo, messages))
    second = carry_out(copy, planned(copy, messages, ANYTHING))
    assert first.new == second.new == repo.id() == copy.id()


def test_headers_nobody_knows_and_encodings_stay(repo: Repo) -> None:
    repo.handmade("encoding iso-8859-1", "HG:rename a:b", "x-odd one", " goes on", " ", " here",
                  message="Größe\n".encode("latin-1"))  # fmt: skip
    odd = repo.raw("cat-file", "commit", "HEAD")
    repo.commit("Later\n")
    reworded(repo, "HEAD~2", "Add another thing")
    parent = repo.id("HEAD~2")
    assert repo.raw("cat-file", "commit", "HEAD~1") == odd.replace(odd[53:93], parent.encode(), 1)
    reworded(repo, "HEAD~1", "Größer\n")
    made = repo.raw("cat-file", "commit", "HEAD~1")
    assert made.endswith("\n\nGrößer\n".encode("latin-1"))
    assert b"encoding iso-8859-1\nHG:rename a:b\nx-odd one\n goes on\n \n here\n" in made
    with pytest.raises(RewriteRefused, match="cannot be written in its encoding, iso-8859-1"):
        reworded(repo, "HEAD~1", "漢字")


def test_commits_that_git_would_not_make_any_more_are_carried_over(repo: Repo) -> None:
    repo.handmade("author Twice <x> 1 +0000", message=b"odd\n")
    repo.commit("Later\n")
    reworded(repo, "HEAD~2", "Add another thing")
    assert b"author Twice <x> 1 +0000" in repo.raw("cat-file", "commit", "HEAD~1")


HEADERS = [b"x-a 1\n", b"gpgsig -----\n two\n \n three\n", b"mergetag a\n b\n", b"\rodd\n"]


@given(st.lists(st.sampled_from(HEADERS), max_size=4), st.binary(max_size=30), st.text(min_size=1, max_size=20))
def test_property_only_parents_and_message_are_written_anew(extra: list[bytes], said: bytes, new: str) -> None:
    parents = b"parent " + b"a" * 40 + b"\nparent " + b"b" * 40 + b"\n"
    head = b"tree 1\n" + parents + b"author A <a> 1 +0000\ncommitter B <b> 2 +0000\n"
    data = head + b"".join(extra) + b"\n" + said
    moved = commit_object.rewritten(data, {"a" * 40: "c" * 40})
    assert moved == data.replace(b"a" * 40, b"c" * 40, 1)
    assert commit_object.rewritten(moved, {"c" * 40: "a" * 40}) == data
    if "\0" not in new and new.isascii():
        made = commit_object.rewritten(data, {}, new)
        assert commit_object.split(made)[0] == commit_object.split(data)[0]
        assert commit_object.kept(made) == commit_object.kept(data)
    unsigned = commit_object.rewritten(data, {}, drop_signatures=True)
    assert b"gpgsig" not in commit_object.split(unsigned)[0]
    assert commit_object.kept(unsigned) == commit_object.kept(data)


def test_merges_are_refused_or_keep_all_their_parents(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    repo.commit("On the side\n")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "side", "-m", "Merge it")
    repo.commit("After\n")
    before = facts(repo)
    with pytest.raises(RewriteRefused, match="--allow-merges"):
        reworded(repo, "HEAD~1^2", "On the other side")
    reworded(repo, "HEAD~1^2", "On the other side", Allowed(merges=True))
    assert facts(repo) == before
    assert repo.git("log", "-1", "--format=%s", "HEAD~1^2") == "On the other side"
    assert repo.git("log", "-1", "--format=%s", "HEAD~1^1") == "Add another"
    assert repo.id("HEAD~1^1~1") == repo.id("HEAD~1^2~1")


def test_a_commit_on_the_first_line_leaves_the_other_line_alone(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    side = repo.commit("On the side\n")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "side", "-m", "Merge it")
    reworded(repo, "HEAD~1", "Add more", Allowed(merges=True))
    assert repo.id("HEAD^2") == side


def test_signed_commits_are_refused_or_lose_the_signature(repo: Repo) -> None:
    signature = ("gpgsig -----BEGIN PGP SIGNATURE-----", " ", " abc", " -----END PGP SIGNATURE-----")
    repo.handmade(*signature, message=b"Signed\n")
    repo.commit("Later\n")
    with pytest.raises(RewriteRefused, match="--drop-signatures"):
        reworded(repo, "HEAD~2", "x")
    reworded(repo, "HEAD", "A later commit does no harm")
    reworded(repo, "HEAD~2", "x", Allowed(drop_signatures=True))
    assert b"gpgsig" not in repo.raw("cat-file", "commit", "HEAD~1")


def test_what_is_on_a_remote_is_refused(repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    with pytest.raises(RewriteRefused, match=r"already on a remote \(--allow-pushed\)"):
        reworded(repo, "HEAD~1", "x")
    reworded(repo, "HEAD", "mine alone")
    reworded(repo, "HEAD~1", "x", Allowed(pushed=True))


def test_shallow_clones(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")
    pushed = Allowed(pushed=True)
    with pytest.raises(RewriteRefused, match="--allow-shallow"):
        reworded(shallow, "HEAD", "x", pushed)
    with pytest.raises(RewriteRefused, match="boundary of a shallow clone"):
        reworded(shallow, "HEAD~1", "x", ANYTHING)
    reworded(shallow, "HEAD", "x", ANYTHING)
    shallow.git("fsck")


@pytest.mark.parametrize(
    ("file", "what"),
    [("MERGE_HEAD", "a merge"), ("rebase-merge/x", "a rebase"), ("rebase-apply/x", "a rebase or git am"),
     ("CHERRY_PICK_HEAD", "a cherry-pick"), ("REVERT_HEAD", "a revert"), ("BISECT_LOG", "a bisection")],
)  # fmt: skip
def test_operations_under_way_are_refused_always(repo: Repo, file: str, what: str) -> None:
    path = repo.root / ".git" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(repo.id())
    with pytest.raises(RewriteRefused, match=f"{what} is under way"):
        reworded(repo, "HEAD", "x", ANYTHING)


def test_a_detached_head_replacements_and_grafts_are_refused_always(repo: Repo) -> None:
    repo.git("replace", "HEAD~1", "HEAD~3")
    with pytest.raises(RewriteRefused, match="replace refs"):
        reworded(repo, "HEAD~1", "x", ANYTHING)
    reworded(repo, "HEAD", "above it is fine")
    repo.git("checkout", "-q", "--detach")
    with pytest.raises(RewriteRefused, match="detached"):
        reworded(repo, "HEAD", "x", ANYTHING)


def test_every_reason_is_said_at_once(repo: Repo) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repo.git("checkout", "-q", "--detach")
    with pytest.raises(RewriteRefused) as refused:
        reworded(repo, "HEAD", "x")
    assert len(refused.value.reasons) == 2


def test_commits_elsewhere_and_empty_messages_are_refused(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    elsewhere = repo.commit("Elsewhere\n")
    repo.git("checkout", "-q", "main")
    with pytest.raises(RewriteRefused, match="on the branch that is checked out"):
        planned(repo, {elsewhere: "x"})
    for message in ("\n", "a\0b"):
        with pytest.raises(RewriteRefused, match="empty or contains a NUL"):
            planned(repo, {repo.id(): message})


def test_what_still_points_to_the_old_commits_is_named(repo: Repo) -> None:
    repo.git("tag", "v1", "HEAD~1")
    repo.git("branch", "other", "HEAD")
    repo.git("branch", "before", "HEAD~3")
    repo.git("notes", "add", "-m", "noted", "HEAD")
    warnings = planned(repo, {repo.id("HEAD~1"): "x"}).warnings
    assert [warning.split(" still")[0] for warning in warnings] == [
        "the branch other",
        "the tag v1",
        "notes in refs/notes/commits",
    ]


def test_undo_brings_the_old_history_back_and_nothing_over_later_work(repo: Repo) -> None:
    root, old = str(repo.root), repo.id()
    reworded(repo, "HEAD", "first")
    second = reworded(repo, "HEAD~1", "second")
    later = repo.commit("Later work\n")
    with pytest.raises(RewriteRefused, match="main has moved on"):
        commits.undo(root)
    assert repo.id() == later
    repo.git("reset", "-q", "--soft", "HEAD~1")
    assert commits.undo(root).number == 2
    assert commits.undo(root).number == 1
    assert repo.id() == old
    with pytest.raises(UnknownReceipt, match="nothing to undo"):
        commits.undo(root)
    with pytest.raises(UnknownReceipt, match="no backup 9"):
        commits.undo(root, 9)
    assert repo.id("refs/inlay/undone/2") == second.new
    assert [(each.number, each.is_undone) for each in commits.backups(root)] == [(2, True), (1, True)]


def test_the_old_history_survives_gc(repo: Repo) -> None:
    old = repo.id()
    reworded(repo, "HEAD~3", "Begin")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    commits.undo(str(repo.root))
    assert repo.id() == old


def test_a_branch_that_moves_meanwhile_is_left_where_it_is(repo: Repo) -> None:
    plan = planned(repo, {repo.id(): "x"})
    later = repo.commit("Somebody was faster\n")
    with pytest.raises(Exception, match="update-ref"):
        carry_out(repo, plan)
    assert repo.id() == later
    assert commits.backups(str(repo.root)) == ()
    repo.commit("Life goes on\n")


def test_hooks_of_the_repository_do_not_run(repo: Repo) -> None:
    for name in ("reference-transaction", "post-rewrite", "pre-commit", "commit-msg"):
        hook = repo.root / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\ntouch ../hook-ran hook-ran\nexit 1\n")
        hook.chmod(0o755)
    reworded(repo, "HEAD", "x")
    assert not list(repo.root.parent.rglob("hook-ran"))


def test_a_worktree_and_a_bare_repository_and_sha256(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    tree = Repo(tmp_path / "tree")
    main = repo.id()
    reworded(tree, "HEAD", "in the other tree")
    assert (repo.id("main"), tree.subjects()[-1]) == (main, "in the other tree")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = Repo(tmp_path / "bare")
    reworded(bare, "HEAD~1", "in the bare one", ANYTHING)
    assert bare.subjects("main")[2] == "in the bare one"
    new = Repo(tmp_path / "sha256")
    new.root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", "--object-format=sha256", new.root], check=True)
    new.commit("One\n")
    reworded(new, "HEAD", "Uno")
    assert (new.subjects(), len(new.id())) == (["Uno"], 64)


def test_nothing_to_do(repo: Repo) -> None:
    with open_repository(str(repo.root)) as opened:
        assert rewrite.plan(opened, {}) is None
