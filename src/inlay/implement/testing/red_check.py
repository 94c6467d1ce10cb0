"""Why tests fail before the implementation: because it is missing, or because the test itself is at fault."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.implement.spec.document import Spec
from inlay.implement.testing.junit import TestResult
from inlay.implement.testing.run_suite import COMMAND, TestRun

#: "missing": the code does not exist yet, as expected; "broken": the test cannot run as it is.
Why: TypeAlias = Literal["missing", "broken", "green", "skipped"]

_ERROR = re.compile(
    r"^E\s+(?:[\w.]+\.)?(\w*(?:Error|Exception|Warning|Failed|Exit|Interrupt))\b:?\s*(.*)$", re.MULTILINE
)
_SYNTAX_FILE = re.compile(r'^E\s+File "([^"]+)", line \d+', re.MULTILINE)
_FIXTURE = re.compile(r"fixture '([^']+)' not found")
_NO_MODULE = re.compile(r"No module named '([^']+)'")
_NO_NAME = re.compile(r"cannot import name '([^']+)' from (?:partially initialized module )?'([^']+)'")
_NO_MODULE_ATTRIBUTE = re.compile(r"module '([^']+)' has no attribute '([^']+)'")
_NO_DEFINITION = re.compile(r"name '([^']+)' is not defined")
_FRAME = re.compile(r"^(\S+?):(\d+): in ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RedVerdict:
    test: str
    why: Why
    reason: str  #: one sentence


@dataclass(frozen=True, slots=True)
class Redness:
    """The results of the tests before anything is implemented."""

    verdicts: tuple[RedVerdict, ...]
    note: str = ""  #: why there are no results of single tests

    def of(self, why: Why) -> tuple[RedVerdict, ...]:
        return tuple(verdict for verdict in self.verdicts if verdict.why == why)

    @property
    def state(self) -> Literal["red", "broken", "green", "nothing"]:
        """All together: broken if any is, red if any fails as expected, green if all pass already."""
        if self.of("broken") or (self.note and not self.of("missing")):
            return "broken"
        return "red" if self.of("missing") else "green" if self.of("green") else "nothing"


def judge(run: TestRun, spec: Spec) -> Redness:
    planned = _Planned.of(spec)
    if run.timed_out:
        return Redness((), "the tests did not end in time")
    if run.source == "exit" and run.code == 0:
        return Redness((RedVerdict(COMMAND, "green", "the test command succeeds already"),))
    if run.source == "exit":
        # An exit code cannot distinguish a missing function from a fault in a test.
        reason = "the test command fails; without a JUnit report the reason is unknown"
        return Redness((RedVerdict(COMMAND, "missing", reason),))
    note = run.note or ("" if run.results else f"no test was found; the command exited with code {run.code}")
    return Redness(tuple(_verdict(result, planned) for result in run.results), note)


@dataclass(frozen=True, slots=True)
class _Planned:
    """What the document adds, as error messages name it."""

    modules: frozenset[str]  #: dotted, with every shorter ending: "shop.cart", "cart"
    names: frozenset[str]

    @classmethod
    def of(cls, spec: Spec) -> _Planned:
        modules: set[str] = set()
        for file in spec.files:
            stem, ending = posixpath.splitext(file.path)
            if ending in (".py", ".pyi") and not file.directory:
                steps = stem.removesuffix("/__init__").split("/")
                modules |= {".".join(steps[at:]) for at in range(len(steps))}
        names = {part for signature in spec.signatures for part in signature.name.split(".")}
        return cls(frozenset(modules), frozenset(names))

    def has_module(self, module: str) -> bool:
        """Whether the module is planned, or a package that a planned one makes."""
        return module in self.modules or any(other.startswith(f"{module}.") for other in self.modules)


def _verdict(result: TestResult, planned: _Planned) -> RedVerdict:
    if result.outcome == "passed":
        return RedVerdict(result.id, "green", "passes already")
    if result.outcome == "skipped":
        return RedVerdict(result.id, "skipped", f"is skipped: {result.message or 'no reason is given'}")
    if fault := _fault(result, planned):
        return RedVerdict(result.id, "broken", fault)
    kind, message = _error(result)
    return RedVerdict(result.id, "missing", f"{kind}: {message}".strip(": ") if kind else result.message)


def _fault(result: TestResult, planned: _Planned) -> str:
    """What is wrong with the test itself; empty where it fails as expected."""
    text = f"{result.message}\n{result.detail}"
    if match := _FIXTURE.search(text):
        return f"asks for the fixture {match[1]!r}, which does not exist"
    kind, message = _error(result)
    if kind in ("SyntaxError", "IndentationError", "TabError"):
        files = _SYNTAX_FILE.findall(result.detail)
        culprit = files[-1] if files else result.file
        own = not files or culprit.endswith(f"/{result.file}") or culprit == result.file
        return f"{'does not parse' if own else f'imports {culprit}, which does not parse'}: {message}"
    if kind in ("ImportError", "ModuleNotFoundError"):
        return _import(message, planned)
    frames = _FRAME.findall(result.detail)
    raised_here = not frames or (bool(result.file) and frames[-1][0].endswith(result.file))
    if kind == "NameError" and (match := _NO_DEFINITION.search(message)) and raised_here:
        return "" if match[1] in planned.names else f"uses the name {match[1]!r}, which it neither defines nor imports"
    if kind == "AttributeError" and (match := _NO_MODULE_ATTRIBUTE.search(message)):
        built = planned.has_module(match[1]) or match[2] in planned.names
        return "" if built else f"asks the module {match[1]!r} for {match[2]!r}, which the document does not add"
    return "cannot be collected: " + (message or result.message) if result.collection and not kind else ""


def _import(message: str, planned: _Planned) -> str:
    if match := _NO_NAME.search(message):
        name, module = match.groups()
        built = planned.has_module(module) or name in planned.names
        return "" if built else f"imports {name!r} from {module!r}, which the document does not add"
    if match := _NO_MODULE.search(message):
        built = planned.has_module(match[1])
        return "" if built else f"imports {match[1]!r}, which is neither installed nor added by the document"
    return f"cannot import what it needs: {message}"


def _error(result: TestResult) -> tuple[str, str]:
    """The exception that ended the test; the last one named is the one that did."""
    errors = _ERROR.findall(result.detail)
    if errors:
        return str(errors[-1][0]), str(errors[-1][1])
    kind, _, message = result.message.partition(":")
    return (kind.strip(), message.strip()) if kind.strip().isidentifier() and message else ("", result.message)
