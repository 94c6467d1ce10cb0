"""Every named failure, grouped by who can act on it.

InlayError
├── ReplyRejected         the model can: feedback() carries all reasons        exit 3
│   ├── NoEditsFound      the reply holds no edit at all
│   ├── ReplyTruncated    the reply was cut off; what was complete is listed
│   ├── ReplyMalformed    an edit is there, but its markup cannot be read
│   ├── EditsRefused      edits were read, but do not fit the files
│   ├── MergeRefused      new content cannot join an existing file for certain
│   └── PathTraversalError  a name leaves the project
├── NeedsDecision         a person can: approval, stale file                   exit 4
│   ├── SafeFileWriteError  files that nobody has decided about; all are listed
│   ├── LogDamaged        the audit log is not what was written
│   ├── RewriteRefused    history must not be rewritten as it stands; all reasons are listed
│   └── StaleFile
├── UnknownReceipt        the number of a change that is not there             exit 2
├── UnknownPlan           the name of a plan that waits no longer, or never did exit 2
├── UnknownCommit         a revision or range that is not there                exit 2
├── UnreadableMessages    a file of commit messages is not what it must be      exit 2
├── UnknownRun            the number of a run that is not there                exit 2
├── ImplementationError   every attempt at a change is spent                   exit 3 or 5, by its last cause
└── EnvironmentFailure    neither: disk, permissions, platform                 exit 5
    ├── ProviderFailure   a model could not be asked; says whether to try again
    ├── LimitReached      attempts, tokens, money or time that were set are used up
    ├── NoModel           no model is configured or found
    ├── BadSetting        a setting cannot mean what it says
    └── GitFailed         git said no
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.codes import Code

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
    """One reason why a reply cannot land, with what is needed to mend it."""

    code: Code
    message: str  #: one sentence for a person
    advice: str = ""  #: one sentence that tells the model what to do
    path: str = ""
    edit: int = 0  #: 1-based number of the edit in the reply, 0 when it concerns the whole reply
    wanted: str = ""  #: the block that was looked for
    candidates: tuple[int, ...] = ()  #: every 1-based line where the block could stand
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
    """Root of everything this package raises on purpose."""

    exit_code = 70
    code: Code = "internal"


class ReplyRejected(InlayError):
    """The reply cannot land as it is; the model that wrote it can mend it."""

    exit_code = 3
    code: Code = "reply-rejected"

    def __init__(self, *misfits: Misfit) -> None:
        super().__init__("; ".join(m.message for m in misfits))
        self.misfits = misfits

    def feedback(self) -> str:
        """All reasons, worded so that a model can mend its own reply from them."""
        head = "Nothing was changed. Mend the following and send the corrected edits again."
        return "\n\n".join([head, *(_explain(m) for m in self.misfits)]) + "\n"


class NoEditsFound(ReplyRejected):
    """The reply holds no edit at all, which is not the same as success."""


class ReplyTruncated(ReplyRejected):
    """The reply was cut off in mid-edit, so none of it may land; `complete` reads what came before the cut."""

    def __init__(self, *misfits: Misfit, complete: object | None = None) -> None:
        super().__init__(*misfits)
        self.complete = complete


class ReplyMalformed(ReplyRejected):
    """An edit is there, but its markup cannot be read one way only."""


class EditsRefused(ReplyRejected):
    """The edits were read, but do not fit the files."""


class MergeRefused(ReplyRejected):
    """The chosen strategy cannot join the new content to the existing file and be sure of the result."""


class PathTraversalError(ReplyRejected):
    """A name in the reply leads out of the project."""


class NeedsDecision(InlayError):
    """A person must decide before anything is written."""

    exit_code = 4
    code: Code = "needs-decision"


class SafeFileWriteError(NeedsDecision):
    """Files must not be written before a person has decided about them, and there is nobody to ask."""

    code: Code = "safe-file-write-error"

    def __init__(self, message: str, *, needs: tuple[object, ...] = (), changes: object | None = None) -> None:
        super().__init__(message)
        self.needs = needs
        self.changes = changes


class StaleFile(NeedsDecision):
    """A file changed between being read and being written."""

    code: Code = "stale"


class RewriteRefused(NeedsDecision):
    """History must not be rewritten as it stands; every reason says which flag, if any, allows it."""

    code: Code = "rewrite-refused"

    def __init__(self, *reasons: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class LogDamaged(NeedsDecision):
    """The audit log is not what was written; nothing is written until a person has looked at it."""

    code: Code = "log-damaged"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"the audit log is damaged: {problem}. Nothing was written. `inlay log --verify` tells more; "
            "`inlay log --restart` sets this log aside and begins a new one"
        )
        self.problem = problem


class UnknownReceipt(InlayError):
    """There is no change of that number in the history."""

    exit_code = 2
    code: Code = "unknown-receipt"


class UnknownCommit(InlayError):
    """There is no such commit or range of commits."""

    exit_code = 2
    code: Code = "unknown-commit"


class UnreadableMessages(InlayError):
    """A file of commit messages is not written as such a file must be."""

    exit_code = 2
    code: Code = "unreadable-messages"


class UnknownRun(InlayError):
    """There is no run of that number."""

    exit_code = 2
    code: Code = "unknown-run"


class UnknownPlan(InlayError):
    """There is no plan of that name that waits for an answer."""

    exit_code = 2
    code: Code = "unknown-plan"


class EnvironmentFailure(InlayError):
    """Neither the model nor the person asked can help: disk, permissions, platform."""

    exit_code = 5
    code: Code = "environment"


#: "transient": trying again may help; "rate-limit" and "overloaded": after a pause; "permanent": never.
FailureKind: TypeAlias = Literal["transient", "rate-limit", "overloaded", "timeout", "permanent"]


class ProviderFailure(EnvironmentFailure):
    """A model could not be asked, or its answer did not come through."""

    code: Code = "provider-failure"

    def __init__(
        self, message: str, kind: FailureKind, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.status = status  #: of HTTP, where there was one
        self.retry_after = retry_after  #: seconds, where the provider said so

    @property
    def transient(self) -> bool:
        """Whether asking again may help."""
        return self.kind != "permanent"


class LimitReached(EnvironmentFailure):
    """What the person allowed for this job is used up."""

    code: Code = "limit-reached"

    def __init__(self, limit: Literal["attempts", "tokens", "cost", "seconds"], message: str) -> None:
        super().__init__(message)
        self.limit = limit


class NoModel(EnvironmentFailure):
    """No model is named, and none was found."""

    code: Code = "no-model"


class BadSetting(EnvironmentFailure):
    """A setting cannot mean what it says."""

    code: Code = "bad-setting"


class GitFailed(EnvironmentFailure):
    """git could not do what was asked."""

    code: Code = "git-failed"


class DiffMalformed(EnvironmentFailure):
    """A diff is not one: a hunk does not keep the promise of its header, or no file is named."""

    code: Code = "diff-malformed"


class ImplementationError(InlayError):
    """Every attempt at a change is spent; `cause` is why the last one failed."""

    code: Code = "implementation-error"

    def __init__(self, message: str, *, cause: InlayError, attempts: int) -> None:
        super().__init__(message)
        self.cause = cause
        self.attempts = attempts
        self.exit_code = cause.exit_code
