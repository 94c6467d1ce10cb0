"""Shorthand for merging in tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from inlay.engine import languages
from inlay.engine.merging import Merged, merge
from inlay.errors import MergeRefused
from inlay.model.file import RepoPath


@pytest.fixture
def extended() -> Callable[..., str]:
    """The text that extending gives; skips where the language's grammar is not installed."""

    def run(existing: str, new: str, path: str = "a.py", **options: Any) -> str:
        return _extend(existing, new, path, **options).text

    return run


@pytest.fixture
def refused() -> Callable[..., MergeRefused]:
    """The refusal that extending ends in."""

    def run(existing: str, new: str, path: str = "a.py", **options: Any) -> MergeRefused:
        with pytest.raises(MergeRefused) as caught:
            _extend(existing, new, path, **options)
        return caught.value

    return run


def _extend(existing: str, new: str, path: str, **options: Any) -> Merged:
    language = languages.of(RepoPath(path))
    if language is not None and not languages.is_checked(language):
        pytest.skip(f"no grammar for {language.name}")
    return merge("extend", existing, new, path=RepoPath(path), **options)
