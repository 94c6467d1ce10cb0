"""Detects a file's language by its name, its ending or its first line."""

from __future__ import annotations

import re

from inlay.engine.languages.catalog import LANGUAGES, Language
from inlay.model.file import RepoPath

_BY_NAME = {name: language for language in LANGUAGES for name in language.filenames}
_BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}
_BY_INTERPRETER = {name: language for language in LANGUAGES for name in language.interpreters}

# tsconfig.build.json and its kin are read as tsconfig.json is; so is all that an editor keeps in .vscode.
_COMMENTED_JSON = re.compile(r"(?:^|/)(?:tsconfig[^/]*\.json|\.vscode/[^/]+\.json)$")
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S*\s+)*([^\s/]+)|#!\s*(?:\S*/)?([^\s/]+)")
_VERSION = re.compile(r"[\d.]+$")


def of(path: RepoPath, text: str = "") -> Language | None:
    """The file's language, or None when it is not one that we can read."""
    if _COMMENTED_JSON.search(str(path)):
        return _BY_NAME["tsconfig.json"]
    named = _BY_NAME.get(path.name) or _BY_ENDING.get(path.suffix)
    if named is not None:
        # Qt keeps its translations as XML in .ts files.
        return None if named.name == "TypeScript" and text.startswith(("<?xml", "<!DOCTYPE")) else named
    shebang = None if path.suffix else _SHEBANG.match(text[:200])
    return _BY_INTERPRETER.get(_VERSION.sub("", shebang[1] or shebang[2])) if shebang else None
