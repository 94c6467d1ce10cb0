"""Every error that is raised on purpose, grouped by who can act on it.

InlayError
├── ReplyRejected         the model: feedback() has all reasons                exit 3
│   ├── NoEditsFound      the reply has no edit
│   ├── ReplyTruncated    the reply was cut off; `complete` has the edits before the cut
│   ├── ReplyMalformed    the markup of an edit cannot be read
│   ├── EditsRefused      edits do not fit the files
│   ├── MergeRefused      new content cannot be merged with an existing file
│   └── PathTraversalError  a path leads out of the project
├── NeedsDecision         a person: approval, stale file                       exit 4
│   ├── SafeFileWriteError  files that need approval; all are listed
│   ├── LogDamaged        the audit log was changed
│   ├── RewriteRefused    history must not be rewritten; all reasons are listed
│   └── StaleFile         a file changed since it was read
├── UnknownReceipt        no such change                                       exit 2
├── UnknownPlan           no such pending change                               exit 2
├── UnknownCommit         no such revision or range                            exit 2
├── UnreadableMessages    a file of commit messages cannot be read             exit 2
├── UnknownRun            no such run                                          exit 2
├── ImplementationError   all attempts are used                                exit 3 or 5, by its last cause
└── EnvironmentFailure    the administrator: disk, permissions, platform       exit 5
    ├── ProviderFailure   a request to a model failed; says whether to try again
    ├── LimitReached      a limit on attempts, tokens, cost or time
    ├── NoModel           no model is configured or found
    ├── BadSetting        a setting has an impossible value
    ├── DiffMalformed     a diff cannot be read
    └── GitFailed         a git command failed
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from inlay.codes import Code

if TYPE_CHECKING:
    from inlay.model.change import ChangeSet
    from inlay.model.decision import Need
    from inlay.model.edit import Reading
    from inlay.model.receipt import LaterWork

_MOST_SHOWN = 20  # lines of a block quoted back: enough to recognise it, short enough for a prompt
_WIDEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Nearest:
    """The place in the file that comes closest to what an edit wanted."""

    line: int  #: 1-based line of the file where the place begins
    found: tuple[str, ...]  #: the file's lines there
    wanted: tuple[str, ...]  #: the edit's lines, paired with `found` by position where they can be
    differing: tuple[int, ...]  #: positions in `wanted` that differ from the file


@dataclass(frozen=True, slots=True)
class Misfit:
    """One reason why a reply cannot be applied, with what is needed to correct it."""

    code: Code
    message: str  #: one sentence for a person
    advice: str = ""  #: one sentence for the model: what to do
    path: str = ""
    edit: int = 0  #: 1-based number of the edit in the reply, 0 when it concerns the whole reply
    wanted: str = ""  #: the block that was looked for
    candidates: tuple[int, ...] = ()  #: every 1-based line where the block could be
    nearest: Nearest | None = None


def _explain(misfit: Misfit) -> str:
    where = " ".join(
        [*([f"edit {misfit.edit}"] if misfit.edit else []), *([f"of {misfit.path}"] if misfit.path else [])]
    )
    lines = [f"- {where + ': ' if where else ''}{misfit.message} [{misfit.code}]"]
    if misfit.wanted:
        lines += ["  Wanted:", *_quoted(misfit.wanted.split("\n"))]
    if misfit.candidates:
        lines.append(f"  Candidate lines: {', '.join(map(str, misfit.candidates))}")
    if misfit.nearest:
        lines.append(f"  Nearest place, line {misfit.nearest.line} (`-` is the reply, `+` is the file):")
        lines += [f"  {sign} {line}"[:_WIDEST_SHOWN] for sign, line in nearest_rows(misfit.nearest)]
    if misfit.advice:
        lines.append(f"  What to do: {misfit.advice}")
    return "\n".join(lines)


def _quoted(lines: list[str]) -> list[str]:
    shown = lines if len(lines) <= _MOST_SHOWN else lines[: _MOST_SHOWN - 1]
    cut = [f"  | … {len(lines) - len(shown)} more lines"] if len(shown) < len(lines) else []
    return [f"  | {line[:_WIDEST_SHOWN]}" for line in shown] + cut


def nearest_rows(nearest: Nearest) -> Iterator[tuple[str, str]]:
    """The first lines side by side, each with its sign: `-` is the reply's, `+` the file's, a space is both's."""
    for i in range(max(len(nearest.found), len(nearest.wanted)))[:_MOST_SHOWN]:
        found = nearest.found[i] if i < len(nearest.found) else None
        wanted = nearest.wanted[i] if i < len(nearest.wanted) else None
        if found == wanted or (found is not None and i not in nearest.differing):
            yield " ", found or ""
        else:
            yield from ((sign, line) for sign, line in (("-", wanted), ("+", found)) if line is not None)


class InlayError(Exception):
    """Base of all errors that are raised on purpose."""

    exit_code = 70
    code: Code = "internal"


class ReplyRejected(InlayError):
    """The reply cannot be applied; the model that wrote it can correct it."""

    exit_code = 3
    code: Code = "reply-rejected"

    def __init__(self, *misfits: Misfit) -> None:
        super().__init__("; ".join(m.message for m in misfits))
        self.misfits = misfits

    def feedback(self) -> str:
        """All reasons, worded so that a model can correct its reply."""
        head = "Nothing was changed. Fix the following and send the corrected edits again."
        return "\n\n".join([head, *(_explain(m) for m in self.misfits)]) + "\n"


class NoEditsFound(ReplyRejected):
    """The reply has no edit, which is not a success."""


class ReplyTruncated(ReplyRejected):
    """The reply was cut off in mid-edit, so none of it is applied; `complete` has the edits before the cut."""

    def __init__(self, *misfits: Misfit, complete: Reading | None = None) -> None:
        super().__init__(*misfits)
        self.complete = complete


class ReplyMalformed(ReplyRejected):
    """The markup of an edit cannot be read, or can be read in several ways."""


class EditsRefused(ReplyRejected):
    """The edits do not fit the files."""


class MergeRefused(ReplyRejected):
    """The chosen strategy cannot merge the new content with the existing file with certainty."""


class PathTraversalError(ReplyRejected):
    """A path in the reply leads out of the project."""


class NeedsDecision(InlayError):
    """A person must decide before anything is written."""

    exit_code = 4
    code: Code = "needs-decision"


class SafeFileWriteError(NeedsDecision):
    """Files need approval, and nobody can be asked."""

    code: Code = "safe-file-write-error"

    def __init__(self, message: str, *, needs: tuple[Need, ...] = (), changes: ChangeSet | None = None) -> None:
        super().__init__(message)
        self.needs = needs
        self.changes = changes


class StaleFile(NeedsDecision):
    """A file changed between being read and being written."""

    code: Code = "stale"

    def __init__(self, message: str, lost: tuple[LaterWork, ...] = ()) -> None:
        super().__init__(message)
        self.lost = lost  #: what an undo would lose


class RewriteRefused(NeedsDecision):
    """History must not be rewritten; every reason says which flag, if any, allows it."""

    code: Code = "rewrite-refused"

    def __init__(self, *reasons: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class LogDamaged(NeedsDecision):
    """The audit log was changed; nothing is written until a person has looked at it."""

    code: Code = "log-damaged"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"the audit log is damaged: {problem}. Nothing was written. `inlay log --verify` shows details; "
            "`inlay log --restart` sets this log aside and begins a new one"
        )
        self.problem = problem


class UnknownReceipt(InlayError):
    """The history has no change with that number."""

    exit_code = 2
    code: Code = "unknown-receipt"


class UnknownCommit(InlayError):
    """There is no such commit or range."""

    exit_code = 2
    code: Code = "unknown-commit"


class UnreadableMessages(InlayError):
    """A file of commit messages cannot be read."""

    exit_code = 2
    code: Code = "unreadable-messages"


class UnknownRun(InlayError):
    """There is no run with that number."""

    exit_code = 2
    code: Code = "unknown-run"


class UnknownPlan(InlayError):
    """There is no pending change with that id."""

    exit_code = 2
    code: Code = "unknown-plan"


class EnvironmentFailure(InlayError):
    """Neither the model nor the user can help: disk, permissions, platform."""

    exit_code = 5
    code: Code = "environment"


#: "transient": trying again may help; "rate-limit" and "overloaded": after a pause; "permanent": never.
FailureKind: TypeAlias = Literal["transient", "rate-limit", "overloaded", "timeout", "permanent"]


class ProviderFailure(EnvironmentFailure):
    """A request to a model failed, or its answer did not arrive."""

    code: Code = "provider-failure"

    def __init__(
        self, message: str, kind: FailureKind, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.status = status  #: of HTTP, where there was one
        self.retry_after = retry_after  #: seconds, as the provider asks for

    @property
    def transient(self) -> bool:
        """Whether trying again may help."""
        return self.kind != "permanent"


class LimitReached(EnvironmentFailure):
    """A limit of this job is reached."""

    code: Code = "limit-reached"

    def __init__(self, limit: Literal["attempts", "tokens", "cost", "seconds"], message: str) -> None:
        super().__init__(message)
        self.limit = limit


class NoModel(EnvironmentFailure):
    """No model is named, and none was found."""

    code: Code = "no-model"


class BadSetting(EnvironmentFailure):
    """A setting has an impossible value."""

    code: Code = "bad-setting"


class GitFailed(EnvironmentFailure):
    """A git command failed."""

    code: Code = "git-failed"


class DiffMalformed(EnvironmentFailure):
    """A diff cannot be read: a hunk differs from its header, or no file is named."""

    code: Code = "diff-malformed"


class ImplementationError(InlayError):
    """All attempts at a change failed; `cause` is why the last one did."""

    code: Code = "implementation-error"

    def __init__(self, message: str, *, cause: InlayError, attempts: int) -> None:
        super().__init__(message)
        self.cause = cause
        self.attempts = attempts
        self.exit_code = cause.exit_code
