"""What the graph carries from step to step: plain data, with digests in place of contents."""

from __future__ import annotations

from typing import Any, Literal, Required, TypeAlias, TypedDict

#: "test": a test of the plan; "code": a file of the document; "mend": a file that tests fail in; "cover": more tests.
Kind: TypeAlias = Literal["test", "code", "mend", "cover"]


class Piece(TypedDict):
    path: str
    kind: Kind
    change: str  #: "add", "modify" or "delete"
    wave: int  #: pieces of one wave do not build on each other, so that they may be asked for at the same time
    notes: str  #: digest of what else the model must know: output of failing tests; empty where there is nothing
    tries: int  #: how often the piece has been put back


class ProposedPiece(TypedDict):
    """A change that waits to be written; its content is in the run's folder."""

    piece: Piece
    content: str  #: digest of the change as kept


class WrittenPiece(TypedDict):
    path: str
    kind: Kind
    action: str  #: "created", "updated", "deleted", "unchanged", "skipped", "restored"
    receipt: str  #: the handle for undo; empty where there was nothing to write
    before: str  #: SHA-256 of the bytes that stood there; empty where there was no file
    after: str  #: SHA-256 of the bytes that stand there now; empty where the file is gone


class Spent(TypedDict):
    """The cost of asking for one piece."""

    path: str
    kind: Kind
    attempts: int
    errors: list[str]  #: what was wrong with the attempts that failed, one line each
    input: int
    output: int
    cost: float | None
    seconds: float


class Tested(TypedDict):
    """One run of the tests, as far as later steps need it."""

    failing: list[str]  #: ids of tests that count
    kinds: list[str]  #: of the failures, in the same order: "AssertionError", …
    said: list[str]  #: what the first few of them say, one short line each
    passed: int
    named: int  #: how many of `failing` are tests of the document
    suite: bool  #: whether the whole suite was run
    seconds: float
    output: str  #: digest of what the failing tests printed, by test
    results: str  #: digest of how every test ended, by test


class Best(TypedDict):
    """The best state so far, to go back to."""

    tested: Tested
    files: dict[str, str]  #: path -> digest of its bytes in the run's folder; empty where there is no file


class State(TypedDict, total=False):
    """Everything in a checkpoint. Lists are replaced whole: no two steps run at once."""

    run: Required[str]
    document: Required[str]  #: relative to the root
    spec: str  #: digest of the document's text as it was read
    queue: list[Piece]
    proposed: list[ProposedPiece]
    decisions: str  #: digest of what was decided about the first of `proposed`; empty where nothing was
    asked: list[str]  #: files that a decision is needed about
    written: list[WrittenPiece]
    spent: list[Spent]
    tests: list[str]  #: test files of the document, all there once the tests are written
    made: list[str]  #: those of them that this run wrote
    phase: Literal["tests", "code", "mend", "cover"]
    red: Tested
    before: list[str]  #: tests of the suite that failed before anything was implemented
    tested: Tested
    best: Best
    seen: list[str]  #: failing sets there have been
    iteration: int
    testing_seconds: float  #: spent in running tests so far
    covering: int  #: how often more tests were asked for
    coverage: dict[str, float]  #: percent by file, as far as it was measured
    covered: float  #: percent of all changed files together; negative where it is not known
    uncovered: str  #: digest of the lines that no test runs
    unmeasured: str  #: why coverage is not known
    notes: list[str]  #: what the report should say besides
    outcome: Literal["", "green", "stopped"]
    reason: str  #: why it stopped
    exit_code: int


_KEYS = frozenset(State.__annotations__)


def checked(update: State | dict[str, Any]) -> dict[str, Any]:
    """The update of a step; raises for an unknown key, which a graph would drop silently."""
    if unknown := sorted(update.keys() - _KEYS):
        raise KeyError(f"the state has no key {unknown[0]!r}")
    return dict(update)


def stopped(reason: str, exit_code: int = 1) -> dict[str, Any]:
    """The update that ends a run without success."""
    return {"outcome": "stopped", "reason": reason, "exit_code": exit_code, "queue": [], "proposed": []}
