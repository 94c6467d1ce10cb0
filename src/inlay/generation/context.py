"""What a model is asked about a task: the files it is shown, each whole or by edits, and which share a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from inlay.engine.formats.all_formats import format_named
from inlay.errors import EnvironmentFailure, InlayError
from inlay.model.answer import ModelInfo
from inlay.model.edit import Create, Reading, Update
from inlay.model.file import File, RepoPath
from inlay.model.task import GenerateOptions, Mode, Task
from inlay.prompts.edit_request import Shown, Work
from inlay.storage import Workspace
from inlay.text.lines import count_lines

Count: TypeAlias = Callable[[str], int]

WHOLE = "whole_file"
_JSON = "json_edits"
_PLAIN = "find_replace"
# What an answer may take besides what can be counted: fences, paths, a few words.
_SLACK = 1.2
_NEW_FILE = 2_000  # tokens for a file of which nothing is known yet
_EDITS = 1_000  # tokens for the edits of one file, roughly
_GUIDANCE = ("AGENTS.md", "CLAUDE.md")
_MOST_GUIDANCE = 20_000  # characters


@dataclass(frozen=True, slots=True)
class Target:
    """A file that may be changed, and how its change is requested."""

    path: RepoPath
    file: File | None  #: None where it is to be created
    mode: Mode


@dataclass(frozen=True, slots=True)
class TaskContext:
    """A task with the content of everything that it names."""

    task: Task
    targets: tuple[Target, ...]
    guidance: tuple[str, str] | None
    context: tuple[tuple[str, str], ...]

    def work(self, group: tuple[Target, ...], format: str) -> Work:
        """The content of one request for some of the files."""
        shown = tuple(
            Shown(str(target.path), target.file.text if target.file else None, target.mode) for target in group
        )
        elsewhere = tuple(str(target.path) for target in self.targets if target not in group)
        return Work(shown, self.task.instruction, format, self.guidance, self.context, self.task.notes, elsewhere)


def read_context(task: Task, workspace: Workspace, options: GenerateOptions, info: ModelInfo) -> TaskContext:
    """Read what the task names, as it is now; raises for names that no file may have."""
    if not task.files:
        raise ValueError("a task names at least one file")
    # A person's name for a file is taken literally, whether the file exists or is to be created.
    parts = tuple(Update(name, ()) if workspace.exists(name) else Create(name, "") for name in task.files)
    snapshot = workspace.resolve(Reading("", parts))
    paths = dict.fromkeys(snapshot.names[name] for name in task.files)
    guidance, context = _guidance(workspace), []
    for name in dict.fromkeys(task.context):
        if name in map(str, paths):
            continue
        file = workspace.read(workspace.locate(name))
        if file is None:
            raise EnvironmentFailure(f"{name} is to be read, and there is no such file")
        context.append((str(file.path), file.text))
    files = ((path, snapshot.files.get(path)) for path in paths)
    targets = tuple(Target(path, file, mode_for(file, options, info)) for path, file in files)
    return TaskContext(task, targets, guidance, tuple(context))


def _guidance(workspace: Workspace) -> tuple[str, str] | None:
    for name in _GUIDANCE:
        try:
            file = workspace.read(workspace.locate(name))
        except InlayError:
            continue  # a link that leads out, or no text: no reason to fail a change of other files
        if file is not None and file.text.strip():
            cut = "" if len(file.text) <= _MOST_GUIDANCE else "\n… the rest was left out\n"
            return name, file.text[:_MOST_GUIDANCE] + cut
    return None


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
