"""Findings as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from inlay import __version__

Level: TypeAlias = Literal["error", "warning", "note"]

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of any command that reports in SARIF."""

    rule: str  #: stable, for programs: "missing-file"
    level: Level
    message: str
    path: str = ""  #: relative to the project's root, or absolute; empty where no file is meant
    line: int = 0  #: 1-based; 0 when the whole file is meant
    help: str = ""  #: what to do about it


def as_sarif(tool: str, problems: Iterable[Problem]) -> dict[str, Any]:
    """One run of `tool` with all its problems, ready for `json.dumps`."""
    problems = list(problems)
    rules = list(dict.fromkeys(problem.rule for problem in problems))
    driver = {"name": tool, "version": __version__, "rules": [{"id": rule} for rule in rules]}
    results = [_result(problem, rules.index(problem.rule)) for problem in problems]
    return {"version": "2.1.0", "$schema": _SCHEMA, "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(problem: Problem, rule: int) -> dict[str, Any]:
    text = f"{problem.message} {problem.help}" if problem.help else problem.message
    result: dict[str, Any] = {"ruleId": problem.rule, "ruleIndex": rule, "level": problem.level}
    result["message"] = {"text": text}
    if problem.path:
        region = {"region": {"startLine": problem.line}} if problem.line else {}
        # An unquoted path with blanks or a colon would be another address.
        data = problem.path.encode("utf-8", "surrogateescape")
        path = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)
        uri = f"file://{path}" if path.startswith("/") else path
        result["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri}, **region}}]
    return result
