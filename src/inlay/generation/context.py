"""What a model is shown for a task: the files to change, those to read, and the project's guidance for agents."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.errors import EnvironmentFailure, InlayError
from inlay.generation.request_mode import Target, mode_for
from inlay.model.answer import ModelInfo
from inlay.model.edit import Create, Reading, Update
from inlay.model.task import GenerateOptions, Task
from inlay.prompts.edit_request import Shown, Work
from inlay.storage import Workspace

_GUIDANCE = ("AGENTS.md", "CLAUDE.md")
_MOST_GUIDANCE = 20_000  # characters


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
    parts = tuple(
        Create(name, "") if workspace.read(workspace.locate(name)) is None else Update(name, ()) for name in task.files
    )
    snapshot = workspace.resolve(Reading("", parts))
    paths = dict.fromkeys(snapshot.names[name] for name in task.files)
    files = ((path, snapshot.files.get(path)) for path in paths)
    targets = tuple(Target(path, file, mode_for(file, options, info)) for path, file in files)
    context = []
    for name in dict.fromkeys(task.context):
        if name in map(str, paths):
            continue
        file = workspace.read(workspace.locate(name))
        if file is None:
            raise EnvironmentFailure(f"{name} is to be read, and there is no such file")
        context.append((str(file.path), file.text))
    return TaskContext(task, targets, _guidance(workspace), tuple(context))


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
