"""The tools of one project: called by name with plain JSON, and never anything but an outcome comes back."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from inlay.errors import InlayError, Misfit, SafeFileWriteError, StaleFile
from inlay.tools import provider_schemas
from inlay.tools.all_tools import ARGUMENTS, TOOLS
from inlay.tools.arguments import InvalidArguments, ToolArguments, convert
from inlay.tools.loop_guard import Repeats
from inlay.tools.outcomes import failure, refusal, without_surrogates
from inlay.tools.tool import Call, Outcome, Progress, Stopped, Tool

if TYPE_CHECKING:
    from inlay.model.decision import Approve
    from inlay.model.pending import Pending
    from inlay.model.protection import Policy
    from inlay.model.receipt import Kind
    from inlay.storage import Workspace

_STEPS = 4  # that a call reports at most: reading, finding, checking, writing
_TRIES = 8  # times that a call is made anew because somebody wrote to the file in between
_log = logging.getLogger(__name__)


class Toolbox:
    """Tools that edit one project; the root is the caller's word and never an argument of a tool.

    >>> import tempfile
    >>> from inlay.tools import Toolbox
    >>> project = tempfile.TemporaryDirectory()
    >>> box = Toolbox(project.name)
    >>> box.call("write_file", {"path": "a.py", "content": "total = count * price\\n"}).structured["kind"]
    'applied'
    >>> edit = {"path": "a.py", "old_string": "total = count * prices", "new_string": "total = 0"}
    >>> outcome = box.call("replace_text", edit)
    >>> outcome.is_error, outcome.structured["code"], outcome.structured["nearest"]["found"]
    (True, 'not-found', ['total = count * price'])
    >>> project.cleanup()
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        only: Collection[str] | None = None,
        policy: Policy | None = None,
        threshold: int = 100,
        wait: float = 10.0,
    ) -> None:
        if unknown := sorted(set(only or ()) - TOOLS.keys()):
            raise ValueError(f"there is no tool {unknown[0]!r}; the tools are {', '.join(TOOLS)}")
        self.root = os.path.abspath(root)
        self.tools: tuple[Tool, ...] = tuple(tool for tool in TOOLS.values() if only is None or tool.name in only)
        self._by_name = {tool.name: tool for tool in self.tools}
        self._policy, self._threshold, self._wait = policy, threshold, wait
        self._repeats = Repeats()
        self._turn = Lock()  # one writer at a time: the second sees what the first has done
        self._opening = Lock()

    @cached_property
    def _opened(self) -> Workspace:
        from inlay.storage import Workspace

        return Workspace(self.root, policy=self._policy, wait=self._wait)

    @property
    def workspace(self) -> Workspace:
        """The project, opened when it is first needed; what an earlier process left half done is taken back then."""
        with self._opening:
            return self._opened

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        approve: Approve | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Outcome:
        """Call a tool; whatever goes wrong is an outcome too, written for the model that called.

        `approve` is asked about what a person must decide; without it such changes are put off as a plan. What
        `on_progress` raises as `Stopped` stops the call before anything is written.
        """
        tool = self._by_name.get(name)
        if tool is None:
            advice = f"The tools are {', '.join(self._by_name)}."
            return refusal(Misfit("unknown-tool", f"there is no tool {str(name)[:60]!r}", advice))
        outcome = self._attempted(tool, arguments, approve, on_progress)
        return self._repeats.noted(name, arguments, Outcome(without_surrogates(outcome.structured), outcome.is_error))

    async def acall(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        approve: Approve | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Outcome:
        """The same for asynchronous callers; the work is done in a thread."""
        import asyncio

        return await asyncio.to_thread(self.call, name, arguments, approve=approve, on_progress=on_progress)

    def warm(self) -> None:
        """Open the project and import what calls need, ahead of the first; what an earlier process broke off is undone.

        A project that cannot be opened is told to the call that needs it.
        """
        from inlay.engine import checks, formats, staging  # noqa: F401
        from inlay.landing import approve_pending  # noqa: F401
        from inlay.tools import results  # noqa: F401

        with contextlib.suppress(InlayError):
            _ = self.workspace

    def rest(self) -> None:
        """Wait for the write that is under way and let no other begin; for a process that is about to end."""
        self._turn.acquire()

    def waiting(self, plan: str, tool: str) -> Outcome:
        """The plan that a call of `tool` was put off as, unless it waits no longer."""
        from inlay.landing import approve_pending

        try:
            found = approve_pending.find(plan, self.workspace)
            approve_pending.require_for(found, tool)
        except InlayError as error:
            return failure(error)
        return _waiting(found)

    def question(self, plan: str, most: int = 4000) -> str:
        """What a person should read before they answer a plan: why they are asked, and the difference."""
        from inlay.landing import approve_pending
        from inlay.render.pending import pending_question

        pending = approve_pending.find(plan, self.workspace)
        changes = approve_pending.changes_of(pending, self.workspace).changes
        return without_surrogates(pending_question(pending, changes, most))

    def carry_out(self, plan: str) -> Outcome:
        """Write what waits in a plan, because a person agreed."""
        from inlay.landing import approve_pending
        from inlay.render.landing import landing_brief

        with self._turn, self.workspace.turn():
            return self._guarded(lambda: landing_brief(approve_pending.carry_out(plan, self.workspace)))

    def drop(self, plan: str) -> Outcome:
        """Forget a plan, because a person said no."""
        from inlay.landing import approve_pending

        dropped = self._guarded(lambda: {"kind": "declined", "plan": approve_pending.drop(plan, self.workspace).id})
        if dropped.is_error:
            return dropped
        misfit = Misfit("declined", "the person said no; nothing was written", "Ask them what they want instead.")
        return refusal(misfit)

    def anthropic(self) -> list[dict[str, Any]]:
        """Tool definitions for the Anthropic Messages API."""
        return provider_schemas.anthropic(self.tools)

    def openai(self) -> list[dict[str, Any]]:
        """Tool definitions for the OpenAI Chat Completions API."""
        return provider_schemas.openai(self.tools)

    def langchain(self) -> list[dict[str, Any]]:
        """What LangChain's `StructuredTool.from_function` takes, tool by tool."""
        return provider_schemas.langchain(self.tools, lambda name, arguments: self.call(name, arguments).text)

    def _attempted(
        self,
        tool: Tool,
        arguments: object,
        approve: Approve | None,
        on_progress: Callable[[Progress], None] | None,
    ) -> Outcome:
        try:
            converted = convert(arguments, ARGUMENTS[tool.name])
        except InvalidArguments as error:
            misfit = Misfit("invalid-arguments", str(error), "Write the arguments as in the example.")
            return refusal(misfit, example=tool.example)
        return self._guarded(lambda: self._run(tool, converted, approve, on_progress), tool)

    def _guarded(self, run: Callable[[], dict[str, Any]], tool: Tool | None = None) -> Outcome:
        example = tool.example if tool else ""
        try:
            return Outcome(run())
        except Stopped:
            raise
        except SafeFileWriteError as blocked:
            return self._put_off(blocked, tool)
        except InlayError as error:
            return failure(error, example)
        except Exception as error:  # noqa: BLE001 - a model must get an answer, whatever happens
            _log.exception("a bug of ours")
            message = f"a fault of the tool itself, not of the call: {type(error).__name__}"
            return refusal(Misfit("internal", message, "Tell the person, and try another tool."))

    def _put_off(self, blocked: SafeFileWriteError, tool: Tool | None) -> Outcome:
        from inlay.landing import approve_pending

        kind: Kind = "write" if tool and tool.name == "write_file" else "land"
        try:
            plan = approve_pending.put_off(blocked, self.workspace, tool=tool.name if tool else "", kind=kind)
        except InlayError as error:
            return failure(error)
        return _waiting(plan)

    def _run(
        self,
        tool: Tool,
        arguments: ToolArguments,
        approve: Approve | None,
        on_progress: Callable[[Progress], None] | None,
    ) -> dict[str, Any]:
        from inlay.landing.land_options import LandOptions

        options = LandOptions(threshold=self._threshold)
        call = Call(tool, arguments, self.workspace, options, approve, _reporter(on_progress))
        if tool.annotations.read_only:
            return tool.run(call)
        for _ in range(_TRIES - 1):
            try:
                with self._turn, call.workspace.turn():
                    return tool.run(call)
            except StaleFile:
                # Somebody else wrote in between. The places are found anew; a person is not asked twice.
                if approve is not None or tool.name == "undo":
                    raise
        with self._turn, call.workspace.turn():
            return tool.run(call)


def _waiting(pending: Pending) -> Outcome:
    from inlay.render.pending import pending_brief

    return Outcome(without_surrogates(pending_brief(pending)), is_error=True)


def _reporter(on_progress: Callable[[Progress], None] | None) -> Callable[[str], None]:
    if on_progress is None:
        return lambda message: None
    steps = iter(range(1, 1000))
    return lambda message: on_progress(Progress(min(next(steps), _STEPS), _STEPS, message))
