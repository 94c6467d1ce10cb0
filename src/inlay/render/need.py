"""A file that needs a decision."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from inlay.model.change import Change
from inlay.model.decision import Need
from inlay.render.diff import diff_lines


def need_json(need: Need) -> dict[str, Any]:
    return {
        "path": str(need.path),
        "headline": need.headline,
        "reasons": [asdict(reason) for reason in need.reasons],
        "existing_lines": need.existing_lines,
        "new_lines": need.new_lines,
        "strategies": list(need.strategies),
    }


def need_question(need: Need, change: Change) -> dict[str, Any]:
    """What a person must see to decide: the reasons as text, and the diff instead of the counts."""
    return {
        "path": str(need.path),
        "headline": need.headline,
        "reasons": [reason.message for reason in need.reasons],
        "strategies": list(need.strategies),
        "diff": "\n".join(diff_lines(change)),
    }


def need_text(need: Need) -> str:
    return f"{need.path}: {need.headline}"
