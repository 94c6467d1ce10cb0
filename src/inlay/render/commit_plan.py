"""How the diff of a commit would be sent to a model."""

from __future__ import annotations

from typing import Any

from inlay.commits.chunk_plan import CommitPlan
from inlay.commits.diff.git_diff import DiffPiece
from inlay.model.answer import ModelInfo

_MOST_FILES = 40  # of a chunk


def commit_plan_json(plan: CommitPlan, model: ModelInfo | None) -> dict[str, Any]:
    return {
        "commit": plan.commit,
        "tokens": plan.tokens,
        "requests": plan.requests,
        "cost": model.price(plan.usage) if model else None,
        "chunks": [{"tokens": chunk.tokens, "files": list(map(_piece_json, chunk.pieces))} for chunk in plan.chunks],
        "ignored": [
            {"path": file.path, "pattern": file.pattern, "bytes": file.bytes, "tokens": file.tokens}
            for file in plan.left_out
        ],
    }


def _piece_json(piece: DiffPiece) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": piece.path, "diff": piece.data.decode("utf-8", "surrogateescape")}
    if (left_out := piece.placeholder) is None:
        return entry
    return entry | {"placeholder": True, "reason": left_out.reason, "bytes": left_out.bytes, "tokens": left_out.tokens}


def commit_plan_brief(plan: CommitPlan) -> dict[str, Any]:
    return {
        "commit": plan.commit,
        "tokens": plan.tokens,
        "requests": plan.requests,
        "chunks": [{"tokens": chunk.tokens, "files": list(chunk.paths)[:_MOST_FILES]} for chunk in plan.chunks],
        "placeholders": [piece.path for piece in plan.placeholders],
        "left_out": [file.path for file in plan.left_out],
    }
