"""Where an edit was found."""

from __future__ import annotations

from typing import Any

from inlay.model.match import Match


def match_brief(match: Match) -> dict[str, Any]:
    adapted = {"adapted": list(match.adapted)} if match.adapted else {}
    return {"edit": match.edit, "line": match.line, "end_line": match.end_line, "rule": match.rule, **adapted}


def match_text(match: Match) -> str:
    """One line without what was adapted."""
    lines = f"line {match.line}" if match.end_line <= match.line else f"lines {match.line}-{match.end_line}"
    return f"edit {match.edit} at {lines} by rule {match.rule!r}"


def match_line(match: Match) -> str:
    """One line with what was adapted and the description of the edit."""
    adapted = f" ({', '.join(match.adapted)})" if match.adapted else ""
    description = f": {match.description}" if match.description else ""
    return f"{match_text(match)}{adapted}{description}"
