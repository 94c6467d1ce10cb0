"""What a model is shown for a task: the files to change, those to read, and the project's own advice."""

from __future__ import annotations

from dataclasses import dataclass

from inlay.errors import EnvironmentFailure, InlayError
from inlay.generation.request_mode import Target, targets
from inlay.model.answer import ModelInfo
from inlay.model.edit import Create, Part, Reading, Update
from inlay.model.task import GenerateOptions, Task
from inlay.prompts.edit_request import Shown, Work
from inlay.storage import Workspace

_GUIDANCE = ("AGENTS.md", "CLAUDE.md")
_MOST_GUIDANCE = 20_000  # characters


@dataclass(frozen=True, slots=True)
class Briefing:
    """A task with everything read that it names."""

    task: Task
    targets: tuple[Target, ...]
    guidance: tuple[str, str] | None
    context: tuple[tuple[str, str], ...]

    def work(self, group: tuple[Target, ...], format: str) -> Work:
        """What one request for some of the files is about."""
        shown = tuple(Shown(str(each.path), each.file.text if each.file else None, each.mode) for each in group)
        elsewhere = tuple(str(each.path) for each in self.targets if each not in group)
        return Work(shown, self.task.instruction, format, self.guidance, self.context, self.task.notes, elsewhere)


def brief(task: Task, workspace: Workspace, options: GenerateOptions, info: ModelInfo) -> Briefing:
    """Read what the task names, as it is now; raises for names that no file may have."""
    if not task.files:
        raise ValueError("a task names at least one file")
    snapshot = workspace.resolve(Reading("", tuple(_named(name, workspace) for name in task.files)))
    paths = dict.fromkeys(snapshot.names[name] for name in task.files)
    chosen = targets(((path, snapshot.files.get(path)) for path in paths), options, info)
    changing = {str(path) for path in paths}
    context = tuple(_read(name, workspace) for name in dict.fromkeys(task.context) if name not in changing)
    return Briefing(task, chosen, _guidance(workspace), context)


def _named(name: str, workspace: Workspace) -> Part:
    """A person's name for a file is taken at its word, whether the file exists or is to be made."""
    return Create(name, "") if workspace.read(workspace.locate(name)) is None else Update(name, ())


def _read(name: str, workspace: Workspace) -> tuple[str, str]:
    file = workspace.read(workspace.locate(name))
    if file is None:
        raise EnvironmentFailure(f"{name} is to be read, and there is no such file")
    return str(file.path), file.text


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
