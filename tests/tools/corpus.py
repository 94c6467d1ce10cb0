"""Patches as files: what is there before, the patch, and what must be there after it.

A file is divided by lines that begin with `%%% `: `before NAME`, `patch`, `after NAME`, `path NAME` (the argument of
that name), `outcome KIND`. The line break before such a line belongs to it and not to the content above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).with_name("patches")
_DIVIDER = re.compile(r"^%%% (\w+)(?: (.*))?\n", re.M)


@dataclass(frozen=True)
class Case:
    """One patch with its project."""

    name: str
    patch: str
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    path: str | None = None
    outcome: str = "applied"

    @property
    def arguments(self) -> dict[str, str]:
        return {"patch": self.patch, **({"path": self.path} if self.path else {})}

    def build(self, root: Path) -> None:
        for name, content in self.before.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content.encode())


def cases(kind: str) -> list[Case]:
    """All cases of a kind, "clean" or "contaminated"."""
    return [_case(file) for file in sorted((FOLDER / kind).glob("*.txt"))]


def _case(file: Path) -> Case:
    text = file.read_bytes().decode()
    marks = list(_DIVIDER.finditer(text))
    parts: dict[str, dict[str, str]] = {"before": {}, "after": {}, "patch": {}}
    single: dict[str, str] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = text[mark.end() : following.start() if following else len(text)]
        if mark[1] in parts:
            parts[mark[1]][mark[2] or ""] = body.removesuffix("\n")
        else:
            single[mark[1]] = mark[2]
    after = parts["after"] or parts["before"]
    return Case(file.stem, parts["patch"][""], parts["before"], after, **single)  # type: ignore[arg-type]


def files(root: Path) -> dict[str, str]:
    """Every file of a project by name, but for our own."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in root.rglob("*")
        if path.is_file() and ".inlay" not in path.parts
    }
