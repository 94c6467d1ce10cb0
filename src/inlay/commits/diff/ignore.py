"""Which files of a diff are left out: patterns as in .gitignore, lock files, generated code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

LOCKS = "@lock"
GENERATED = "@generated"
#: Files that package managers write.
LOCK_FILES = frozenset(
    "Cargo.lock Gemfile.lock Package.resolved Pipfile.lock Podfile.lock bun.lock bun.lockb cabal.project.freeze "
    "composer.lock conan.lock deno.lock flake.lock go.sum gradle.lockfile mix.lock npm-shrinkwrap.json "
    "package-lock.json packages.lock.json pdm.lock pnpm-lock.yaml poetry.lock pubspec.lock pylock.toml uv.lock "
    "yarn.lock .terraform.lock.hcl".split()
)


@dataclass(frozen=True, slots=True)
class IgnorePatterns:
    """Patterns, the later ones over the earlier; one that begins with ! takes a file in again."""

    patterns: tuple[str, ...] = ()

    @property
    def asks_for_generated(self) -> bool:
        return any(pattern.lstrip("!") == GENERATED for pattern in self.patterns)

    def pattern_for(self, path: str, is_generated: Callable[[str], bool] | None = None) -> str | None:
        """The pattern that leaves the file out, if one does."""
        decided: str | None = None
        for pattern in self.patterns:
            includes = pattern.startswith("!")
            if (decided is None) != includes and _fits(pattern.removeprefix("!"), path, is_generated):
                decided = None if includes else pattern
        return decided


def _fits(pattern: str, path: str, is_generated: Callable[[str], bool] | None) -> bool:
    if pattern == LOCKS:
        return path.rpartition("/")[2] in LOCK_FILES
    if pattern == GENERATED:
        return is_generated is not None and is_generated(path)
    return matches(pattern, path)


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern as in .gitignore means the file or a directory above it."""
    return _compiled(pattern).match(path) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored = "/" in pattern.rstrip("/")
    body = "".join(_TRANSLATED.get(part) or _part(part) for part in _PARTS.findall(pattern.strip("/")))
    below = "/.+" if pattern.endswith("/") else "(?:/.+)?"
    return re.compile(f"{'' if anchored else '(?:.*/)?'}{body}{below}\\Z", re.S)


_PARTS = re.compile(r"/\*\*/|\*\*/|/\*\*|\*+|\?|\[[^\]]+\]|\\.|.", re.S)
_TRANSLATED = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.*", "?": "[^/]"}


def _part(part: str) -> str:
    if part.startswith("*"):
        return "[^/]*"
    if len(part) > 1 and part.startswith("["):
        inner = part[1:-1].replace("\\", "\\\\")
        return f"[^/{inner[1:]}]" if inner[0] in "!^" else f"[{inner}]"
    return re.escape(part[-1])


class Attributes:
    """The .gitattributes of one commit, as far as they mark generated code."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read  # the .gitattributes of a directory, where it has one
        self._rules: dict[str, tuple[tuple[str, bool], ...]] = {}

    def is_generated(self, path: str) -> bool:
        """Whether the last rule about the file, the deepest directory last, marks it."""
        is_generated = False
        parts = path.split("/")
        for depth in range(len(parts)):
            folder = "/".join(parts[:depth])
            if folder not in self._rules:
                self._rules[folder] = tuple(_rules((self._read(folder) or "").splitlines()))
            for pattern, value in self._rules[folder]:
                if matches(pattern, "/".join(parts[depth:])):
                    is_generated = value
        return is_generated


_VALUES: Mapping[str, bool] = {
    **dict.fromkeys(("linguist-generated", "linguist-generated=true", "linguist-generated=1"), True),
    **dict.fromkeys(("-linguist-generated", "!linguist-generated", "linguist-generated=false"), False),
}


def _rules(lines: Iterable[str]) -> Iterable[tuple[str, bool]]:
    for line in lines:
        pattern, *words = line.split() or ["#"]
        if not pattern.startswith(("#", "[attr]")):
            yield from ((pattern, _VALUES[word]) for word in words if word in _VALUES)
