"""Which names a reply may use, decided by their characters alone and before any file is opened."""

from __future__ import annotations

import re
import unicodedata

from inlay.errors import Misfit
from inlay.model.file import RepoPath, path_refused
from inlay.text.visible import is_hidden

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_VARIABLE = re.compile(r"\$\{?[A-Z_]+\}?/")
_ENCODED = re.compile(r"%(?:2e|2f|5c|00|c0|c1)", re.IGNORECASE)  # dots, slashes, NUL and their overlong forms
# Version control, and our own journal: a forged journal is a forged rollback.
_METADATA = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".sl", ".pijul", "_darcs", ".inlay"})
# "GIT~1" is how an old Windows file system abbreviates ".git".
_SHORT_METADATA = re.compile(r"(?:git|hg|svn|inlay)~\d+")
_SLASHES = "\u2215\u2044\u29f8\uff0f\uff3c\ufe68\u29f5"


def parse(name: str) -> RepoPath:
    """The path of a name; raises PathTraversalError for one that no project file may have."""
    if not name.isprintable() and (hidden := [c for c in name if is_hidden(c)]):
        raise path_refused(name, f"holds the invisible character U+{ord(hidden[0]):04X}", "path-characters")
    if _URL.match(name) or _VARIABLE.match(name):
        raise path_refused(name, "is not relative to the project")
    if _ENCODED.search(name) or "\\" in name or any(c in name for c in _SLASHES):
        raise path_refused(name, "disguises a step of the path")
    # `./x` and `x//y` are how models write plain paths; an absolute path must stay recognisable as one.
    steps = [step for step in name.split("/") if step not in ("", ".")]
    plain = bool(steps) and ".." not in steps and not name.startswith("/") and not name.endswith("/")
    path = RepoPath("/".join(steps) if plain else name)
    for step in steps:
        folded = unicodedata.normalize("NFKC", step)
        if folded.strip(". ") == "" or (folded != step and ("/" in folded or "\\" in folded)):
            raise path_refused(name, "disguises a step of the path")
        if is_metadata(step):
            why = f"touches {step!r}, which belongs to a tool and not to the project"
            raise path_refused(name, why, "path-protected")
    return path


def is_metadata(step: str) -> bool:
    """Whether a step of a path is, on some file system, the private directory of a version control system or ours."""
    folded = unicodedata.normalize("NFKC", step).lower().rstrip(". ")
    return folded in _METADATA or _SHORT_METADATA.fullmatch(folded) is not None


def judge_new(path: RepoPath) -> Misfit | None:
    """Why no new file should get this name, or None: other systems take it for another file's name."""
    if any(step != step.rstrip(". ") or step != step.lstrip() or ":" in step for step in path.value.split("/")):
        message = f"a new file cannot be called {path.value[:200]!r}: some systems read that as another name"
        return Misfit("path-alias", message, "Choose a name without colons and without outer blanks or final dots.")
    return None


def twin(name: str, existing: frozenset[str]) -> str | None:
    """The existing name that some file systems cannot tell from `name`, if there is one."""
    folded = _folded(name)
    return next((other for other in sorted(existing) if other != name and _folded(other) == folded), None)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
