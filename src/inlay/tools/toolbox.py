"""The tools of one project, called by name with plain JSON; every call returns an outcome."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from inlay.errors import EditsRefused, InlayError, Misfit, SafeFileWriteError, StaleFile
from inlay.model.settings import LOCK_WAIT
from inlay.tools.all_tools import TOOLS
from inlay.tools.arguments import ARGUMENTS, InvalidArguments, ToolArguments, convert
from inlay.tools.loop_guard import LoopGuard
from inlay.tools.read_texts import ReadTexts
from inlay.tools.tool import (
    Call,
    Outcome,
    Progress,
    Stopped,
    Tool,
    failure,
    needs_approval,
    refusal,
    without_surrogates,
)

if TYPE_CHECKING:
    from inlay.model.allowance import Allowance
    from inlay.model.decision import Approve
    from inlay.model.protection import Policy
    from inlay.model.receipt import Kind
    from inlay.storage import Workspace

_STEPS = 4  # that a call reports: reading, finding, checking, writing
_MOST_ATTEMPTS = 8  # of one call, while other processes write to the same file
_log = logging.getLogger(__name__)
IMPORTING = Lock()  #: held while the engine is imported


def import_engine() -> None:
    """Import the packages that calls share, one thread at a time.

    Where one thread imports a package while another imports a module of it, Python reports a deadlock to one of them.
    """
    with IMPORTING:
        from inlay.engine import checks, formats, languages, matching, merging, staging  # noqa: F401
        from inlay.landing import approve_pending  # noqa: F401
        from inlay.tools import argument_aliases, results  # noqa: F401


class Toolbox:
    """Tools that edit one project; the root is set here and is never an argument of a tool.

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
        threshold: int | None = None,
        wait: float = LOCK_WAIT,
        allow: Collection[Allowance] = (),
    ) -> None:
        if unknown := sorted(set(only or ()) - TOOLS.keys()):
            raise ValueError(f"there is no tool {unknown[0]!r}; the tools are {', '.join(TOOLS)}")
        self.root = os.path.abspath(root)
        self.tools: tuple[Tool, ...] = tuple(tool for tool in TOOLS.values() if only is None or tool.name in only)
        self._by_name = {tool.name: tool for tool in self.tools}
        self._policy, self._threshold, self._wait = policy, threshold, wait
        self._allow = frozenset(allow)
        self._loop_guard = LoopGuard()
        self._read_texts = ReadTexts()
        self._turn = Lock()  # one writer at a time, so that the second sees what the first has written
        self._opening = Lock()

    @cached_property
    def _opened(self) -> Workspace:
        from inlay.storage import Workspace

        return Workspace(self.root, policy=self._policy, wait=self._wait)

    @property
    def workspace(self) -> Workspace:
        """The project, opened on first use; an interrupted write is rolled back then."""
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
        """Call a tool; every failure is an outcome too, worded for the model that called.

        `approve` is asked about changes that need approval; without it they become a pending change. Raise `Stopped`
        from `on_progress` to stop the call before anything is written.
        """
        import_engine()
        tool = self._by_name.get(name)
        if tool is None:
            advice = f"The tools are {', '.join(self._by_name)}."
            return refusal(Misfit("unknown-tool", f"there is no tool {str(name)[:60]!r}", advice))
        try:
            converted = convert(arguments, ARGUMENTS[name])
        except InvalidArguments as error:
            misfit = Misfit("invalid-arguments", str(error), "Write the arguments as in the example.")
            outcome = refusal(misfit, example=tool.example)
        else:
            outcome = self._guarded(lambda: self._run(tool, converted, approve, on_progress), tool)
        outcome = Outcome(without_surrogates(outcome.structured), outcome.is_error)
        return self._loop_guard.check(name, arguments, outcome)

    async def acall(
        self,
        name: str,
        arguments: Mapping[str, Any],
        *,
        approve: Approve | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Outcome:
        """`call` for asynchronous callers; runs in a thread."""
        import asyncio

        return await asyncio.to_thread(self.call, name, arguments, approve=approve, on_progress=on_progress)

    def warm(self) -> None:
        """Open the project and import what calls need; a project that cannot be opened fails the first call instead."""
        import_engine()
        with contextlib.suppress(InlayError):
            _ = self.workspace

    def rest(self) -> None:
        """Wait for the write in progress and block all others, before the process exits."""
        self._turn.acquire()

    def waiting(self, plan: str, tool: str) -> Outcome:
        """The pending change of a call of `tool`, or a failure if it is no longer pending."""
        import_engine()
        from inlay.landing import approve_pending

        try:
            pending = approve_pending.find(plan, self.workspace)
            approve_pending.require_for(pending, tool)
        except InlayError as error:
            return failure(error)
        return needs_approval(pending)

    def question(self, plan: str, most: int = 4000) -> str:
        """What a person reads before they approve a pending change: the reasons and the diff."""
        from inlay.landing import approve_pending
        from inlay.render.pending import pending_question

        pending = approve_pending.find(plan, self.workspace)
        changes = approve_pending.changes_of(pending, self.workspace).changes
        return without_surrogates(pending_question(pending, changes, most))

    def carry_out(self, plan: str) -> Outcome:
        from inlay.landing import approve_pending
        from inlay.render.landing import landing_brief

        with self._turn, self.workspace.turn():
            return self._guarded(lambda: landing_brief(approve_pending.carry_out(plan, self.workspace)))

    def drop(self, plan: str) -> Outcome:
        from inlay.landing import approve_pending

        dropped = self._guarded(lambda: {"kind": "declined", "plan": approve_pending.drop(plan, self.workspace).id})
        misfit = Misfit("declined", "the user denied the change; nothing was written", "Ask what they want instead.")
        return dropped if dropped.is_error else refusal(misfit)

    def anthropic(self) -> list[dict[str, Any]]:
        """Tool definitions for the Anthropic Messages API."""
        return [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.input_schema)}
            for tool in self.tools
        ]

    def openai(self) -> list[dict[str, Any]]:
        """Tool definitions for the OpenAI Chat Completions API."""
        return [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.input_schema)},
            }
            for tool in self.tools
        ]

    def langchain(self) -> list[dict[str, Any]]:
        """Arguments for LangChain's `StructuredTool.from_function`, one dictionary per tool."""
        return [
            {
                "name": tool.name,
                "description": tool.description,
                "args_schema": {"title": tool.name, "description": tool.description, **tool.input_schema},
                "func": self._function(tool.name),
            }
            for tool in self.tools
        ]

    def _function(self, name: str) -> Callable[..., str]:
        def run(**arguments: Any) -> str:
            return self.call(name, arguments).text

        run.__name__ = name
        return run

    def _guarded(self, run: Callable[[], dict[str, Any]], tool: Tool | None = None) -> Outcome:
        try:
            return Outcome(run())
        except Stopped:
            raise
        except SafeFileWriteError as blocked:
            from inlay.landing import approve_pending

            name = tool.name if tool else ""
            kind: Kind = "write" if name == "write_file" else "land"
            try:  # store the changes until a person approves them
                return needs_approval(approve_pending.put_off(blocked, self.workspace, tool=name, kind=kind))
            except InlayError as error:
                return failure(error)
        except InlayError as error:
            return failure(error, tool.example if tool else "")
        except Exception as error:  # noqa: BLE001 - a model must get an answer to every call
            _log.exception("internal error")
            message = f"internal error of the tool, not of the call: {type(error).__name__}"
            return refusal(Misfit("internal", message, "Tell the user, and try another tool."))

    def _run(
        self,
        tool: Tool,
        arguments: ToolArguments,
        approve: Approve | None,
        on_progress: Callable[[Progress], None] | None,
    ) -> dict[str, Any]:
        from inlay.landing.land_options import LandOptions

        options = LandOptions(threshold=self._threshold, allow=self._allow, seen=self._read_texts.known())
        steps = count(1)

        def report(message: str) -> None:
            if on_progress is not None:
                on_progress(Progress(min(next(steps), _STEPS), _STEPS, message))

        call = Call(tool, arguments, self.workspace, options, approve, report, self._read_texts)
        if tool.annotations.read_only:
            return tool.run(call)
        attempt = 1
        while True:
            try:
                with self._turn, call.workspace.turn():
                    return tool.run(call)
            except EditsRefused as refusal:
                from inlay.landing.land import with_other_files

                # After the turn: other writers must not wait for a hint.
                raise with_other_files(refusal, call.workspace) from None
            except StaleFile:
                # Another process wrote in between, so the places are found again. A person is not asked twice.
                if attempt == _MOST_ATTEMPTS or approve is not None or tool.name == "undo":
                    raise
            attempt += 1
