"""A rewrite of commit messages, and its backup."""

from __future__ import annotations

from typing import Any

from inlay.commits.api import Amended
from inlay.model.history_rewrite import Backup


def amended_json(amended: Amended) -> dict[str, Any]:
    plan, backup, answers = amended.plan, amended.backup, amended.answers
    result: dict[str, Any] = {"status": "unchanged" if plan is None else "dry-run" if backup is None else "rewritten"}
    if plan is not None:
        result |= {
            "branch": plan.branch,
            "old": plan.old,
            "new": plan.new,
            "commits": [
                {"old": commit.old, "new": commit.new, "reworded": commit.is_reworded} for commit in plan.commits
            ],
            "warnings": list(plan.warnings),
        }
    if backup is not None:
        result["backup"] = backup.number
    if answers:
        kept = [{"commit": answer.commit.id, "why": answer.why} for answer in answers if not answer.message]
        unseen = [{"commit": answer.commit.id, "unseen": list(answer.unseen)} for answer in answers if answer.unseen]
        result |= {"kept": kept, "unseen": unseen}
    return result


def backup_json(backup: Backup) -> dict[str, Any]:
    return {
        "backup": backup.number,
        "branch": backup.branch,
        "old": backup.old,
        "new": backup.new,
        "when": backup.when,
        "undone": backup.is_undone,
    }
