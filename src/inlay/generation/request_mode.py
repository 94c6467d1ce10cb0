"""How each file of a task is asked for: whole or by edits, in which format, and which files share a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from inlay.engine.formats.all_formats import format_named
from inlay.model.answer import ModelInfo
from inlay.model.file import File, RepoPath
from inlay.model.task import GenerateOptions, Mode
from inlay.text.lines import count_lines

Count: TypeAlias = Callable[[str], int]

WHOLE = "whole_file"
JSON = "json_edits"
_PLAIN = "find_replace"
# What an answer may take besides what can be counted: fences, paths, a word too many.
_SLACK = 1.2
_NEW_FILE = 2_000  # tokens that a file takes of which nothing is known yet
_EDITS = 1_000  # tokens that the edits of one file take, more or less


@dataclass(frozen=True, slots=True)
class Target:
    """A file that may be changed, and how its change is asked for."""

    path: RepoPath
    file: File | None  #: None where it is to be made
    mode: Mode


def targets(
    files: Iterable[tuple[RepoPath, File | None]], options: GenerateOptions, info: ModelInfo
) -> tuple[Target, ...]:
    """The files with the way each is asked for."""
    return tuple(Target(path, file, mode_for(file, options, info)) for path, file in files)


def mode_for(file: File | None, options: GenerateOptions, info: ModelInfo) -> Mode:
    """New files whole, whatever their size; existing ones whole while they are small and the model can write them."""
    if file is None or (options.format is not None and format_named(options.format).name == WHOLE):
        return "whole"
    by_edits = is_large(file.text, options) or _least(file.text) > info.max_output
    return options.mode or ("edits" if by_edits else "whole")


def _least(text: str) -> int:
    """Tokens of a text, from below."""
    return len(text.encode("utf-8", "replace")) // 4


def is_large(text: str, options: GenerateOptions) -> bool:
    """Whether repeating a file would cost more than editing it, and risk losing its end."""
    return count_lines(text) > options.edit_lines or len(text.encode("utf-8", "replace")) > options.edit_bytes


def edit_format(info: ModelInfo, options: GenerateOptions) -> str:
    """The format in which edits are asked for."""
    name = format_named(options.format or info.format).name
    if options.format is None and name == JSON and not info.good_at_json:
        return _PLAIN
    return _PLAIN if name == WHOLE else name


def whole_tokens(target: Target, count: Count) -> int:
    """What writing a file whole takes, roughly."""
    return _NEW_FILE if target.file is None else int(count(target.file.text) * _SLACK)


def output_tokens(target: Target, count: Count) -> int:
    """What the answer for a file takes, roughly."""
    whole = whole_tokens(target, count)
    return whole if target.mode == "whole" else min(whole, _EDITS)


def rough(text: str) -> int:
    """Tokens of a text, from above: no tokenizer in use makes more of ordinary code."""
    return len(text.encode("utf-8", "replace")) // 2


def groups(chosen: tuple[Target, ...], info: ModelInfo, count: Count) -> tuple[tuple[Target, ...], ...]:
    """The files request by request: together while question and answer have room.

    Files that are named together belong together, and a model that sees them all keeps them consistent.
    """
    together = _packed(chosen, info, rough)
    # Counting takes a tokenizer, which takes a second to load: only where it could matter.
    return together if len(together) == 1 else _packed(chosen, info, count)


def _packed(chosen: tuple[Target, ...], info: ModelInfo, count: Count) -> tuple[tuple[Target, ...], ...]:
    found: list[list[Target]] = []
    asked = answered = 0
    for target in chosen:
        shown = count(target.file.text) if target.file else 0
        wanted = output_tokens(target, count)
        if not found or asked + shown > info.context // 2 or answered + wanted > info.max_output // 2:
            found.append([])
            asked = answered = 0
        found[-1].append(target)
        asked, answered = asked + shown, answered + wanted
    return tuple(map(tuple, found))
