"""The formats there are, the most specific first."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inlay.engine.formats.format import Format
from inlay.engine.formats.readers import apply_patch, find_replace, json_edits, search_replace, unified_diff, whole_file

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        format.name: format
        for format in (
            find_replace.FORMAT,
            search_replace.FORMAT,
            apply_patch.FORMAT,
            unified_diff.FORMAT,
            json_edits.FORMAT,
            whole_file.FORMAT,
        )
    }
)


def format_named(name: str) -> Format:
    """The format of that name or alias; raises ValueError with the names there are."""
    wanted = name.strip().lower().replace("-", "_")
    for format in FORMATS.values():
        if wanted == format.name or wanted in format.aliases:
            return format
    raise ValueError(f"there is no format {name[:100]!r}; the formats are {', '.join(FORMATS)}")
