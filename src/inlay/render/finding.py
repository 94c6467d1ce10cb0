"""What a check found."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from inlay.model.finding import Finding


def finding_json(finding: Finding) -> dict[str, Any]:
    return {**asdict(finding), "path": str(finding.path)}


def finding_text(finding: Finding) -> str:
    """One line, as compilers write it."""
    line = f":{finding.line}" if finding.line else ""
    return f"{finding.path}{line}: {finding.message} [{finding.code}]"
