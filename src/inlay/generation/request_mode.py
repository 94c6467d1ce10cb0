"""How each file of a task is requested: whole or by edits, in which format, and which files share a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from inlay.engine.formats.all_formats import format_named
from inlay.model.answer import ModelInfo
from inlay.model.file import File, RepoPath
from inlay.model.task import GenerateOptions, Mode
from inlay.text.lines import count_lines

Count: TypeAlias = Callable[[str], int]

WHOLE = "whole_file"
_JSON = "json_edits"
_PLAIN = "find_replace"
# What an answer may take besides what can be counted: fences, paths, a few words.
_SLACK = 1.2
_NEW_FILE = 2_000  # tokens for a file of which nothing is known yet
_EDITS = 1_000  # tokens for the edits of one file, roughly


@dataclass(frozen=True, slots=True)
class Target:
    """A file that may be changed, and how its change is requested."""

    path: RepoPath
    file: File | None  #: None where it is to be created
    mode: Mode


def mode_for(file: File | None, options: GenerateOptions, info: ModelInfo) -> Mode:
    """New files whole, whatever their size; existing ones whole while they are small and the model can write them."""
    if file is None or (options.format is not None and format_named(options.format).name == WHOLE):
        return "whole"
    if options.mode:
        return options.mode
    size = len(file.text.encode("utf-8", "replace"))
    # Repeating a large file costs more than editing it, and its end may be lost; a token has at least 4 bytes or so.
    is_large = count_lines(file.text) > options.edit_lines or size > options.edit_bytes or size // 4 > info.max_output
    return "edits" if is_large else "whole"


def edit_format(info: ModelInfo, options: GenerateOptions) -> str:
    name = format_named(options.format or info.format).name
    is_too_hard = options.format is None and name == _JSON and not info.good_at_json
    return _PLAIN if is_too_hard or name == WHOLE else name


def whole_tokens(target: Target, count: Count) -> int:
    """The tokens of a file written whole, estimated."""
    return _NEW_FILE if target.file is None else int(count(target.file.text) * _SLACK)


def output_tokens(target: Target, count: Count) -> int:
    """The tokens of the answer for a file, estimated."""
    whole = whole_tokens(target, count)
    return whole if target.mode == "whole" else min(whole, _EDITS)


def upper_bound(text: str) -> int:
    """More tokens than any tokenizer in use makes of ordinary code."""
    return len(text.encode("utf-8", "replace")) // 2


def groups(targets: tuple[Target, ...], info: ModelInfo, count: Count) -> tuple[tuple[Target, ...], ...]:
    """The files by request: together while question and answer have room.

    Files that are named together belong together, and a model that sees them all keeps them consistent.
    """
    together = _packed(targets, info, upper_bound)
    # Counting takes a tokenizer, which takes a second to load: only where it could matter.
    return together if len(together) == 1 else _packed(targets, info, count)


def _packed(targets: tuple[Target, ...], info: ModelInfo, count: Count) -> tuple[tuple[Target, ...], ...]:
    packed: list[list[Target]] = []
    asked = answered = 0
    for target in targets:
        shown = count(target.file.text) if target.file else 0
        expected = output_tokens(target, count)
        if not packed or asked + shown > info.context // 2 or answered + expected > info.max_output // 2:
            packed.append([])
            asked = answered = 0
        packed[-1].append(target)
        asked, answered = asked + shown, answered + expected
    return tuple(map(tuple, packed))
