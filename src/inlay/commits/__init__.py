"""Commit messages: rules, diffs in pieces, check, draft, amend, rewrite.

>>> from inlay import commits
>>> commits.Allowed(merges=True).pushed
False
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inlay.commits.api import Amended, amend, backups, check, check_message, draft, propose, recover, undo
    from inlay.commits.commit_events import AskEnded, AskStarted, CommitDone, CommitEvent, ModelUse, RulesRead
    from inlay.model.commit import Commit, Issue, Verdict
    from inlay.model.history_rewrite import Allowed, Backup, NewMessage, RewritePlan

# Imported on first use: rules alone need neither a model nor a history.
_HOMES = {
    "inlay.commits.api": "Amended amend backups check check_message draft propose recover undo",
    "inlay.commits.commit_events": "AskEnded AskStarted CommitDone CommitEvent RulesRead ModelUse",
    "inlay.model.commit": "Commit Issue Verdict",
    "inlay.model.history_rewrite": "Allowed Backup NewMessage RewritePlan",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Allowed", "Amended", "AskEnded", "AskStarted", "Backup", "Commit", "CommitDone", "CommitEvent", "Issue",
    "ModelUse", "NewMessage", "RewritePlan", "RulesRead", "Verdict", "amend", "backups", "check",
    "check_message", "draft", "propose", "recover", "undo",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'inlay.commits' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value
