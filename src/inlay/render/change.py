"""The change of one file, and where its edits were found."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from inlay.model.change import Change
from inlay.model.match import Match

HASH_LENGTH = 16  #: hexadecimal digits of a content hash in a brief: a model repeats it, so it is short


def change_json(change: Change) -> dict[str, Any]:
    return {
        **_outcome(change),
        "adapted": list(change.adapted),
        "edits": [asdict(match) for match in change.matches],
        "before": change.before.digest if change.before else None,
        "after": change.digest or None,
    }


def change_brief(change: Change) -> dict[str, Any]:
    digest = change.digest[:HASH_LENGTH] or None
    adapted = {"adapted": list(change.adapted)} if change.adapted else {}
    return {**_outcome(change), "hash": digest, **adapted, "edits": [_match_brief(match) for match in change.matches]}


def _outcome(change: Change) -> dict[str, Any]:
    moved = str(change.move_to) if change.move_to else None
    return {"path": str(change.path), "action": change.outcome, "move_to": moved, "mode": change.git_mode}


def change_text(change: Change) -> str:
    """One line: the file, its outcome and the places of the edits."""
    moved = f" to {change.move_to}" if change.move_to else ""
    places = ", ".join(_match_text(match) for match in change.matches)
    return f"{change.path} {outcome_text(change)}{moved}{': ' if places else ''}{places}"


def outcome_text(change: Change) -> str:
    """What happens to the file, and whether it may be run afterwards where that changes."""
    if change.git_mode is None:
        return change.outcome
    return f"{change.outcome}, {'executable' if change.executable else 'no longer executable'}"


def _match_brief(match: Match) -> dict[str, Any]:
    adapted = {"adapted": list(match.adapted)} if match.adapted else {}
    return {"edit": match.edit, "line": match.line, "end_line": match.end_line, "rule": match.rule, **adapted}


def _match_text(match: Match) -> str:
    """One line without what was adapted."""
    lines = f"line {match.line}" if match.end_line <= match.line else f"lines {match.line}-{match.end_line}"
    return f"edit {match.edit} at {lines} by rule {match.rule!r}"


def match_line(match: Match) -> str:
    """One line with what was adapted and the description of the edit."""
    adapted = f" ({', '.join(match.adapted)})" if match.adapted else ""
    description = f": {match.description}" if match.description else ""
    return f"{_match_text(match)}{adapted}{description}"
