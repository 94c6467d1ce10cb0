"""The functions of `inlay.commits`, as a program calls them."""

import subprocess
import sys
from collections.abc import Sequence

import pytest

from inlay import commits
from inlay.errors import NeedsDecision, RewriteRefused, UnknownCommit

from .conftest import Repo
from .test_with_model import MODEL, Serve, change, serve  # noqa: F401


def test_every_public_name_is_there() -> None:
    for name in commits.__all__:
        assert getattr(commits, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = commits.nonsense  # type: ignore[attr-defined]


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, inlay.commits; sys.exit(any(n.startswith('inlay.commits.') for n in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_events_come_in_order(serve: Serve, repo: Repo) -> None:  # noqa: F811
    change(repo, "Add a thing\n", one_txt="HIDDEN door\n")
    serve()
    events: list[commits.CommitEvent] = []
    verdicts = commits.check(str(repo.root), "HEAD~1..HEAD", model=MODEL, on_event=events.append)
    assert [verdict.outcome for verdict in verdicts] == ["fails"]
    assert [type(event).__name__ for event in events] == ["RulesRead", "AskStarted", "CommitDone", "AskEnded"]
    assert isinstance(events[2], commits.CommitDone)
    assert (events[2].result, events[2].done, events[2].total) == (verdicts[0], 1, 1)


def test_a_function_writes_messages_and_another_decides(repo: Repo) -> None:
    root = str(repo.root)
    seen: list[str] = []

    def write(found: Sequence[commits.Commit]) -> dict[str, str]:
        return {commit.id: f"Say {commit.subject}" for commit in found}

    def decide(proposals: Sequence[commits.NewMessage]) -> Sequence[commits.NewMessage]:
        seen.extend(proposal.message for proposal in proposals)
        return proposals[:1]

    planned = commits.amend(root, "HEAD~2..HEAD", messages=write, decide=decide, dry_run=True)
    assert (planned.backup, seen) == (None, [])
    done = commits.amend(root, "HEAD~2..HEAD", messages=write, decide=decide)
    assert seen == ["Say fixup! Start", "Say Add another"]
    assert repo.subjects()[-2:] == ["Say fixup! Start", "Add another"]
    assert done.plan is not None
    assert [backup.number for backup in commits.backups(root)] == [1]
    assert commits.undo(root) == done.backup
    assert commits.recover(root) == ()


def test_what_is_refused_is_an_error(repo: Repo) -> None:
    root = str(repo.root)
    with pytest.raises(UnknownCommit, match=r"which is not in HEAD~1\.\.HEAD"):
        commits.amend(root, "HEAD~1..HEAD", messages={repo.id("HEAD~2"): "x"})
    repo.git("checkout", "-q", "-b", "other", "HEAD~1")
    with pytest.raises(RewriteRefused, match="on the branch"):
        commits.amend(root, messages={repo.id("main"): "x"})
    with pytest.raises(NeedsDecision, match="nothing is staged"):
        commits.draft(root)
    assert commits.check_message(root, "WIP\n# a comment").outcome == "fails"
    assert commits.propose(root, "HEAD", messages={}) == ()
